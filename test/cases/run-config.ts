import { expectCode, expectValue, outcomeOf, type Report, runCases } from './case-report.ts';
import type { Subject } from './library.ts';
import { sessionsQuery } from './vector-query.ts';

interface ConfigCase {
  readonly name: string;
  readonly config: unknown;
  readonly expected: { readonly ok?: true; readonly errorCode?: string };
}

/** @param cases - of `config.json`, or of our own. */
export function runConfig({ library, createService }: Subject, cases: readonly unknown[]): Promise<Report> {
  return runCases(
    'config',
    cases as readonly ConfigCase[],
    ({ name }) => name,
    async ({ config, expected }) => {
      const outcome = await outcomeOf(async () => {
        const service = createService(sessionsQuery([]), config);
        // A service behind a worker can refuse its settings only once it is asked something.
        await service.listCandidates({ id: 'target' });
      });
      if (expected.errorCode === undefined) expectValue(outcome);
      else expectCode(outcome, expected.errorCode, library.isSessionReferenceError);
    },
  );
}
