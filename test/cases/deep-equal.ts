/**
 * Whether two plain values are the same: same types, same keys, same values. Order of keys does not matter.
 *
 * @param one - plain data.
 * @param other - plain data.
 */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, otherKeys] = [Object.keys(one), Object.keys(other)];
  if (keys.length !== otherKeys.length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(other, key) &&
      isDeepEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  );
}

const SHOWN_CHARACTERS = 400;

/** @param value - anything, as it may stand in a report: bounded, and escaped so that nothing in it is invisible. */
export function describeValue(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  const visible = json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return visible.length > SHOWN_CHARACTERS ? `${visible.slice(0, SHOWN_CHARACTERS)}… (${visible.length})` : visible;
}
