/**
 * The signal that a case calls for.
 *
 * @param name - `aborted-before-call`, or nothing.
 */
export function signalOf(name: string | undefined): AbortSignal | undefined {
  if (name === undefined) return undefined;
  if (name !== 'aborted-before-call') throw new Error(`There is no signal called ${name}.`);
  const controller = new AbortController();
  controller.abort();
  return controller.signal;
}
