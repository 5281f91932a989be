/**
 * An element of `index.html`.
 *
 * @param id - its id.
 * @param type - what it must be.
 */
export function requireElement<Type extends Element>(id: string, type: { new (): Type }): Type {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new TypeError(`index.html has no ${type.name} with the id ${id}.`);
}
