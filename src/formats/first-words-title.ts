/** Characters of a title that is made from a message. */
const LENGTH = 80;

/**
 * A title for a session that nobody named, made from what the user said first, as the tools themselves list it.
 *
 * @param words - of the user.
 * @returns one line of at most 80 code points; `undefined` where there are no words.
 */
export function firstWordsTitle(words: string | undefined): string | undefined {
  // Must cut first: a pasted log of megabytes is a message too.
  const start = words
    ?.slice(0, LENGTH * 8)
    .trimStart()
    .slice(0, LENGTH * 3)
    // Must not match single spaces: most texts have nothing else, and there are as many texts as conversations.
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim();
  if (start === undefined || start === '') return undefined;
  if (start.length <= LENGTH) return start;
  const characters = Array.from(start.slice(0, 2 * LENGTH + 2));
  return characters.length > LENGTH ? `${characters.slice(0, LENGTH - 1).join('')}…` : start;
}
