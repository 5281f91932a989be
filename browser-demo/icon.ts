const SVG = 'http://www.w3.org/2000/svg';

/** The names of the shapes in `index.html`. A file of their own would be asked for each time, and come late. */
export type IconName =
  | 'new'
  | 'search'
  | 'import'
  | 'export'
  | 'theme'
  | 'menu'
  | 'more'
  | 'eye'
  | 'send'
  | 'stop'
  | 'close'
  | 'mention'
  | 'edit'
  | 'retry'
  | 'trash'
  | 'warning'
  | 'model'
  | 'folder'
  | 'earlier'
  | 'check';

/** An icon, hidden from assistive technology: what it stands for is said by its button. */
export function createIcon(name: IconName): SVGSVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('class', 'icon');
  icon.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#icon-${name}`);
  icon.append(use);
  return icon;
}
