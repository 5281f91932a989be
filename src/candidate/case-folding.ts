/** Printable ASCII: nothing in it is composed, and nothing of it changes its length with its case. */
const PLAIN = /^[ -~]*$/;

/**
 * A text as it is compared: without regard to case and to how characters are composed, and the same on every machine.
 *
 * Upper case of lower case joins what either alone keeps apart (ß and SS, ς and σ), as the full case folding of Unicode
 * does (CaseFolding.txt, status F). The dot that İ keeps above its i goes, so that İstanbul is found by istanbul.
 *
 * @param text - any string.
 */
export function foldCase(text: string): string {
  // Most titles are plain, and a list folds thousands of them for one keystroke.
  if (PLAIN.test(text)) return text.toUpperCase();
  return text.normalize('NFC').toLowerCase().toUpperCase().replaceAll('I\u0307', 'I').normalize('NFC');
}
