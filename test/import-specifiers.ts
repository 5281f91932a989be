/** Comments, strings and templates, whole, and everything else a character at a time. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|[\w$]+|[^\s]/g;

/**
 * What a TypeScript source imports: static, dynamic and type imports, and re-exports.
 *
 * @param source - without regular expressions that hold an odd number of quotes.
 */
export function findImportSpecifiers(source: string): string[] {
  const tokens = (source.match(TOKEN) ?? []).filter((token) => !token.startsWith('//') && !token.startsWith('/*'));
  return tokens.flatMap((token, index) => {
    const isString = token.startsWith("'") || token.startsWith('"');
    const before = tokens[index - 1];
    const isImported = before === 'from' || before === 'import' || (before === '(' && tokens[index - 2] === 'import');
    return isString && isImported ? [token.slice(1, -1)] : [];
  });
}
