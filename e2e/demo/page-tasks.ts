import type { Page } from '@playwright/test';

/** What ran on the thread of a page, in ms. */
export interface PageTasks {
  /** The longest task of any kind, that of the browser included. */
  readonly longestTask: number;
  /** The longest run of a script of the page. */
  readonly longestScript: number;
}

/** An event of a trace (Trace Event Format): times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly url?: string; readonly isMainFrame?: boolean } };
}

/** Trace the page while something is done. */
export async function traceTasks(page: Page, work: () => Promise<unknown>): Promise<PageTasks> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser to trace.');
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const scripts = traceEvents.filter(isScriptOfPage);
  const threads = new Set(scripts.map(toThread));
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && threads.has(toThread(event)));
  return { longestTask: longest(tasks), longestScript: longest(scripts) };
}

/** Figures as one line of a report. */
export function describeTasks({ longestTask, longestScript }: PageTasks): string {
  return `longest task ${longestTask.toFixed(1)} ms, longest run of a script ${longestScript.toFixed(1)} ms`;
}

function isScriptOfPage({ name, args }: TraceEvent): boolean {
  return name === 'FunctionCall' && /\/(?:main|chunks\/[^/]+)\.js$/.test(args?.data?.url ?? '');
}

function toThread({ pid, tid }: TraceEvent): string {
  return `${pid}/${tid}`;
}

function longest(events: readonly TraceEvent[]): number {
  return events.reduce((most, { dur = 0 }) => Math.max(most, dur / 1000), 0);
}
