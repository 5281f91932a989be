import {
  MemorySessionStore,
  parseSessionReferenceText,
  type SessionEvent,
  SessionReferences,
  type SurfaceEvent,
} from '../../src/index.ts';
import { projectConversation } from '../../src/snapshot/projection.ts';
import { createEvents, createLongMessage, type Script, toSurfaceSnapshot } from './conversations.ts';
import { countByBatches, countByLoop, countByText, findTitles } from './floors.ts';
import { createFileQuery, createLogFile, parseEveryLine } from './log-files.ts';
import { measure, measureInTurn, type Timing } from './measure.ts';

/** One line of the result. */
export interface BenchResult {
  readonly name: string;
  /** What the project set itself, in words. */
  readonly goal: string;
  readonly ours: Timing;
  /** What cannot be avoided, and how it was done. */
  readonly floor?: { readonly name: string; readonly timing: Timing };
  /** Another floor that explains the ratio. */
  readonly note?: string;
}

/** The ways to count that are known, of which the fastest counts. */
const WAYS_TO_COUNT: Readonly<Record<string, (texts: readonly string[]) => number>> = {
  'count, in batches': countByBatches,
  'count, by loop': countByLoop,
  'count, text by text': countByText,
};

/** A text of 64 MB needs a buffer of 192 MB this way, which disturbs whatever is measured beside it. */
function waysFor(texts: readonly string[]): readonly string[] {
  const isShort = texts.every(({ length }) => length < 1 << 20);
  return Object.keys(WAYS_TO_COUNT).filter((way) => isShort || way !== 'count, text by text');
}

async function measurePrepare(
  name: string,
  goal: string,
  events: readonly SurfaceEvent[],
  runs: number,
): Promise<BenchResult> {
  const texts = projectConversation(events).map(({ text }) => text);
  const snapshot = toSurfaceSnapshot(events);
  const service = new SessionReferences({
    listSessions: async () => [],
    readTitleSnapshots: async () => [],
    readSurface: async () => snapshot,
  });
  const ways = waysFor(texts);
  const count = (way: string, counted: readonly string[]): number | undefined => WAYS_TO_COUNT[way]?.(counted);
  const timings = await measureInTurn<string>(runs, {
    ...Object.fromEntries(ways.map((way) => [way, () => count(way, texts)])),
    ...Object.fromEntries(ways.map((way) => [`visit and ${way}`, () => count(way, visitTexts(events))])),
    ours: () => service.prepare({ id: 'target' }, [], [{ sessionId: 'source' }]),
  });
  const byMedian = (one: string, other: string): number => medianOf(timings, one) - medianOf(timings, other);
  const [floorName = ''] = ways.toSorted(byMedian);
  const [visitName = ''] = ways.map((way) => `visit and ${way}`).toSorted(byMedian);
  return {
    name,
    goal,
    ours: timings.ours as Timing,
    floor: { name: floorName, timing: timings[floorName] as Timing },
    note: `visiting the messages and counting their texts: ${medianOf(timings, visitName).toFixed(1)} ms`,
  };
}

function medianOf(timings: Readonly<Record<string, Timing>>, name: string): number {
  return timings[name]?.median ?? Number.POSITIVE_INFINITY;
}

/** The texts of messages whose shape is known, without a single check: what reading them costs at the least. */
function visitTexts(events: readonly SurfaceEvent[]): string[] {
  const texts: string[] = [];
  for (const { data } of events) {
    const { message = data } = data as { readonly message?: unknown };
    const [block] = (message as { readonly content: readonly { readonly text: string }[] }).content;
    if (block !== undefined) texts.push(block.text);
  }
  return texts;
}

async function measureParsing(name: string, unit: string): Promise<BenchResult> {
  const text = unit.repeat(Math.ceil(10_000_000 / unit.length));
  const flat = JSON.parse(JSON.stringify(text)) as string;
  const parse = (): unknown => {
    try {
      return parseSessionReferenceText(flat);
    } catch {
      return undefined;
    }
  };
  const ours = await measure(3, parse);
  return { name: `parse 10 MB of ${name}`, goal: 'linear, never a RangeError', ours };
}

async function measureCandidates(): Promise<BenchResult> {
  const titles = Array.from(
    { length: 10_000 },
    (_, index) => `Fix the ${index % 7 === 0 ? 'Login' : 'build'} of part ${index}`,
  );
  const logs = titles.map((title, index) => {
    const header = { version: 0, id: `session-${index}`, createdAt: index, cwd: `/work/${index % 50}` };
    const events: SessionEvent[] = [{ type: 'session/title', seq: 0, data: { title } }];
    return { header, events };
  });
  const service = new SessionReferences(new MemorySessionStore(logs));
  const timings = await measureInTurn(21, {
    floor: () => findTitles(titles, 'part 9999'),
    ours: () => service.listCandidates({ id: 'target', cwd: '/work/1' }, 'part 9999'),
  });
  return {
    name: 'listCandidates, 10,000 sessions, one keystroke',
    goal: '≤ 3 × floor',
    ours: timings.ours,
    floor: { name: 'case-folded includes over the titles', timing: timings.floor },
  };
}

async function measureFile(name: string, goal: string, script: Script, chunks: number): Promise<BenchResult> {
  const { blob, messages } = createLogFile(64 << 20, script, chunks);
  const service = new SessionReferences(createFileQuery(blob));
  const timings = await measureInTurn(5, {
    floor: () => parseEveryLine(blob),
    ours: () => service.prepare({ id: 'target' }, [], [{ sessionId: 'source' }]),
  });
  return {
    name: `from bytes, a log of 64 MB, ${messages.toLocaleString('en')} messages, ${name}`,
    goal,
    ours: timings.ours,
    floor: { name: 'decode and parse every line', timing: timings.floor },
  };
}

/** Every case that runs in any runtime, one after the other. */
export async function* runCases(): AsyncGenerator<BenchResult> {
  const goal = '≤ 1.5 × floor';
  for (const [messages, runs] of [
    [10_000, 51],
    [100_000, 11],
  ] as const) {
    for (const script of ['plain', 'mixed'] as const) {
      const events = createEvents(messages, 580, script);
      yield await measurePrepare(
        `prepare, ${messages.toLocaleString('en')} messages × 580 B, ${script}`,
        goal,
        events,
        runs,
      );
    }
  }
  const scripts: readonly Script[] = ['plain', 'cjk', 'html'];
  for (const script of scripts) {
    const events = createLongMessage(64 << 20, script);
    yield await measurePrepare(`prepare, one message of 64 MB, ${script}`, goal, events, 7);
  }
  yield await measureFile('plain', '≤ 0.4 × floor', 'plain', 0);
  yield await measureFile('mixed scripts', '≤ 0.4 × floor', 'mixed', 0);
  yield await measureFile('mostly stream chunks', '≤ 0.2 × floor', 'plain', 40);
  yield await measureCandidates();
  yield await measureParsing('`@[`', '@[');
  yield await measureParsing('`@[](dsh-session:%`', '@[](dsh-session:%');
  yield await measureParsing('`@[\\`', '@[\\');
}
