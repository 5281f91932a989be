/** A piece of a message: words, or what stood in a code fence. */
export interface TextBlock {
  readonly kind: 'words' | 'code';
  readonly text: string;
}

/**
 * Split a message at its code fences (CommonMark 0.31, section 4.5); nothing else of Markdown is read. A fence that is
 * never closed goes to the end. Linear.
 */
export function splitCodeFences(text: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const flush = (kind: TextBlock['kind']): void => {
    if (lines.length > 0) blocks.push({ kind, text: lines.join('\n') });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && marker !== undefined) {
      flush('words');
      fence = marker;
    } else if (fence !== undefined && marker?.startsWith(fence) === true && line.trim() === marker) {
      flush('code');
      fence = undefined;
    } else {
      lines.push(line);
    }
  }
  flush(fence === undefined ? 'words' : 'code');
  return blocks;
}
