import { describeValue, isDeepEqual } from './deep-equal.ts';

/** One case that did not hold. */
export interface Failure {
  readonly suite: string;
  readonly name: string;
  /** What was expected and what was found. */
  readonly problem: string;
}

/** What became of a list of cases. Plain data, so that it can cross a worker border. */
export interface Report {
  /** How many cases ran to their end, failed ones included. */
  readonly executed: number;
  readonly failures: readonly Failure[];
}

/** A case did not hold; the message says why. */
class CaseProblem extends Error {}

/**
 * Run one check per case. No test framework: this must run wherever the library runs.
 *
 * @param suite - where the cases come from.
 * @param cases - plain data.
 * @param nameOf - what to call a case.
 * @param check - rejects when the case does not hold.
 */
export async function runCases<Case>(
  suite: string,
  cases: readonly Case[],
  nameOf: (entry: Case) => string,
  check: (entry: Case) => Promise<void> | void,
): Promise<Report> {
  const failures: Failure[] = [];
  for (const entry of cases) {
    try {
      await check(entry);
    } catch (error) {
      const problem = error instanceof CaseProblem ? error.message : `threw ${describeError(error)}`;
      failures.push({ suite, name: nameOf(entry), problem });
    }
  }
  return { executed: cases.length, failures };
}

/** @param reports - of several suites. */
export function mergeReports(reports: readonly Report[]): Report {
  return {
    executed: reports.reduce((sum, { executed }) => sum + executed, 0),
    failures: reports.flatMap(({ failures }) => failures),
  };
}

/**
 * @param problems - what is wrong; nothing when the case holds.
 * @throws when there is a problem.
 */
export function expectNoProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new CaseProblem(problems.join('; '));
}

/**
 * @param what - names the value in the report.
 * @throws when the two differ in any value, key or type.
 */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepEqual(actual, expected)) return;
  throw new CaseProblem(`${what} is ${describeValue(actual)}, expected ${describeValue(expected)}`);
}

/** What a call did: it returned, or it failed. */
export type Outcome<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'error'; readonly error: unknown };

/** @param call - may throw, or return or reject a promise. */
export async function outcomeOf<Value>(call: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { kind: 'value', value: await call() };
  } catch (error) {
    return { kind: 'error', error };
  }
}

/**
 * @returns the value of a call that must have succeeded.
 * @throws when it failed.
 */
export function expectValue<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === 'value') return outcome.value;
  throw new CaseProblem(`failed with ${describeError(outcome.error)}`);
}

/**
 * @param isSessionReferenceError - of the library that was called.
 * @throws when the call succeeded, or failed with another code, or with an error of another kind.
 */
export function expectCode(
  outcome: Outcome<unknown>,
  code: string,
  isSessionReferenceError: (error: unknown) => boolean,
): void {
  if (outcome.kind === 'value') throw new CaseProblem(`returned ${describeValue(outcome.value)}, expected ${code}`);
  const { error } = outcome;
  if (isSessionReferenceError(error) && (error as { code: unknown }).code === code) return;
  throw new CaseProblem(`failed with ${describeError(error)}, expected ${code}`);
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return describeValue(error);
  const { name, code, message } = error as Error & { code?: unknown };
  return `${name} ${String(code)}: ${message}`;
}
