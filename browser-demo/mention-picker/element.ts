/** What an element gets besides its children. */
export interface ElementDetails {
  readonly class?: string;
  readonly id?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: (event: MouseEvent) => void;
}

/**
 * Make an element. Strings become text nodes, so nothing of a session is ever read as HTML.
 *
 * @param tag - its name.
 * @param details - class, id, attributes, what a click does.
 * @param children - elements and texts.
 */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  details: ElementDetails = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (details.class !== undefined) element.className = details.class;
  if (details.id !== undefined) element.id = details.id;
  for (const [name, value] of Object.entries(details.attributes ?? {})) element.setAttribute(name, value);
  const { onClick } = details;
  if (onClick !== undefined) element.onclick = onClick;
  element.append(...children.filter((child) => child !== undefined));
  return element;
}
