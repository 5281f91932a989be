/**
 * Freeze plain data all the way down.
 *
 * @param root - without cycles through thousands of levels: what this library made.
 */
export function deepFreeze(root: unknown): void {
  if (typeof root !== 'object' || root === null || Object.isFrozen(root)) return;
  Object.freeze(root);
  for (const value of Object.values(root)) deepFreeze(value);
}
