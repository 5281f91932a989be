import { displayLabel } from '../../src/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: readonly (readonly [size: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [365 * DAY, 'year'],
  [30 * DAY, 'month'],
  [7 * DAY, 'week'],
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
];

// Made on first use: a formatter is dear, and nothing may happen at import time.
let relative: Intl.RelativeTimeFormat | undefined;
let moment: Intl.DateTimeFormat | undefined;

/** How long ago something was: `3 hr. ago`, `yesterday`, `just now`. A time to come is `just now` as well. */
export function formatAge(time: number, now: number): string {
  const age = now - time;
  const unit = UNITS.find(([size]) => age >= size);
  if (unit === undefined) return 'just now';
  relative ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
  return relative.format(-Math.floor(age / unit[0]), unit[1]);
}

/** A point in time, to the second: `Nov 24, 2026, 10:03:20`. */
export function formatMoment(time: number): string {
  moment ??= new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
  // Must not throw on a time that no calendar has.
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? moment.format(time) : 'at an unknown time';
}

/** The end of a path, by which people know a folder: `projects/shop-api`. Untrusted text made safe. */
export function formatFolder(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '');
  return displayLabel(parts.slice(-2).join('/') || path);
}

/** `1 message`, `1,204 messages`. */
export function formatMessageCount(count: number): string {
  return count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`;
}
