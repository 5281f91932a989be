/** What a repeated measurement gave, in ms. */
export interface Timing {
  readonly median: number;
  /** The fastest and the slowest run. */
  readonly spread: readonly [number, number];
}

/** Runs before the first that counts, a share of those that do: the engine compiles what is hot. */
function warmUpRuns(runs: number): number {
  return Math.ceil(runs / 5);
}

/**
 * Time something several times over.
 *
 * @param runs - how often it is timed, after a fifth as many that do not count.
 * @param run - what to time.
 */
export async function measure(runs: number, run: () => unknown): Promise<Timing> {
  for (let index = 0; index < Math.min(warmUpRuns(runs), runs - 1); index += 1) await run();
  const times: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return summarize(times);
}

/**
 * Time several things in turn, so that a slow moment of the machine hits all of them alike.
 *
 * @param runs - rounds that count.
 * @param contestants - what to time, by name.
 */
export async function measureInTurn<Name extends string>(
  runs: number,
  contestants: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, Timing>> {
  const entries = Object.entries(contestants) as [Name, () => unknown][];
  const times = new Map<Name, number[]>(entries.map(([name]) => [name, []]));
  for (let round = -warmUpRuns(runs); round < runs; round += 1) {
    for (const [name, run] of entries) {
      const start = performance.now();
      await run();
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  }
  return Object.fromEntries(entries.map(([name]) => [name, summarize(times.get(name) ?? [])])) as Record<Name, Timing>;
}

function summarize(times: readonly number[]): Timing {
  const ascending = [...times].sort((one, other) => one - other);
  const at = (index: number): number => ascending[Math.max(0, Math.floor(index))] ?? 0;
  return { median: at(ascending.length / 2), spread: [at(0), at(ascending.length - 1)] };
}
