/**
 * The text with every lone surrogate replaced by U+FFFD. Model APIs answer 400 to a prompt that holds one.
 *
 * @param text - any string.
 */
export function replaceLoneSurrogates(text: string): string {
  // In a `u` pattern a surrogate class matches only those that are no part of a pair.
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
