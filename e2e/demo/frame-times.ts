import type { Page } from '@playwright/test';

/** How long frames took, in ms. */
export interface FrameTimes {
  readonly frames: number;
  readonly median: number;
  readonly longest: number;
}

/** Measure the time from frame to frame while something is done. */
export async function measureFrames(page: Page, work: () => Promise<unknown>): Promise<FrameTimes> {
  await page.evaluate(() => {
    const times: number[] = [];
    let last = performance.now();
    const step = (now: number): void => {
      times.push(now - last);
      last = now;
      if (measuring.isOn) requestAnimationFrame(step);
    };
    const measuring = { isOn: true, times };
    Object.assign(globalThis, { measuring });
    requestAnimationFrame((now) => {
      last = now;
      requestAnimationFrame(step);
    });
  });
  await work();
  const times = await page.evaluate(() => {
    const { measuring } = globalThis as unknown as { measuring: { isOn: boolean; times: number[] } };
    measuring.isOn = false;
    return measuring.times;
  });
  const sorted = times.toSorted((one, other) => one - other);
  return { frames: times.length, median: sorted[sorted.length >> 1] ?? 0, longest: sorted.at(-1) ?? 0 };
}

/** Figures as one line of a report. */
export function describeFrames({ frames, median, longest }: FrameTimes): string {
  return `${frames} frames, median ${median.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`;
}
