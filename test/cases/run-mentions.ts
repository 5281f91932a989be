import {
  expectCode,
  expectEqual,
  expectNoProblems,
  expectValue,
  outcomeOf,
  type Report,
  runCases,
} from './case-report.ts';
import { describeValue } from './deep-equal.ts';
import type { Library, Subject } from './library.ts';
import { findUnsafeLabelProblems } from './safe-label.ts';

interface NamedReference {
  readonly sessionId: string;
  readonly label: string;
}

interface FormatCase {
  readonly reference: { readonly sessionId: string; readonly label?: string };
  readonly mention: string;
  readonly references: readonly NamedReference[];
}

interface ParseCase {
  readonly name: string;
  readonly input: string;
  readonly expected:
    | { readonly errorCode: string }
    /** Without `text`, the readable label differs from the one as written, because that one is not safe. */
    | { readonly errorCode?: undefined; readonly text?: string; readonly references: readonly NamedReference[] };
}

/** @param cases - of `uri-encode.json`. */
export function runUriEncode({ library }: Subject, cases: readonly unknown[]): Promise<Report> {
  const typed = cases as readonly { readonly id: string; readonly uri: string }[];
  return runCases(
    'uri-encode',
    typed,
    ({ id }) => describeValue(id),
    ({ id, uri }) => {
      expectEqual('the uri', library.encodeSessionReferenceUri(id), uri);
      expectEqual('the id read back', library.decodeSessionReferenceUri(uri), id);
    },
  );
}

interface DecodeCase {
  readonly name: string;
  readonly uri: string;
  readonly expected: { readonly id?: string; readonly errorCode?: string };
}

/** @param cases - of `uri-decode.json`. */
export function runUriDecode({ library }: Subject, cases: readonly unknown[]): Promise<Report> {
  return runCases('uri-decode', cases as readonly DecodeCase[], nameOf, async ({ uri, expected }) => {
    const outcome = await outcomeOf(() => library.decodeSessionReferenceUri(uri));
    if (expected.errorCode !== undefined) {
      expectCode(outcome, expected.errorCode, library.isSessionReferenceError);
      return;
    }
    expectEqual('the id', expectValue(outcome), expected.id);
    expectEqual('the uri written again', library.encodeSessionReferenceUri(expectValue(outcome)), uri);
  });
}

/** @param cases - of `mention-format.json`. */
export function runMentionFormat({ library }: Subject, cases: readonly unknown[]): Promise<Report> {
  return runCases(
    'mention-format',
    cases as readonly FormatCase[],
    ({ mention }) => describeValue(mention),
    ({ reference, mention, references }) => {
      expectEqual('the mention', library.formatSessionReferenceMention(reference), mention);
      expectEqual('what it parses to', library.parseSessionReferenceText(mention).references, references);
    },
  );
}

/** @param cases - of `mention-parse.json`, or of our own. */
export function runMentionParse({ library }: Subject, cases: readonly unknown[]): Promise<Report> {
  return runCases('mention-parse', cases as readonly ParseCase[], nameOf, async ({ input, expected }) => {
    const outcome = await outcomeOf(() => library.parseSessionReferenceText(input));
    if (expected.errorCode !== undefined) {
      expectCode(outcome, expected.errorCode, library.isSessionReferenceError);
      return;
    }
    const { text, references } = expectValue(outcome);
    expectEqual('the references', references, expected.references);
    expectEqual('the text parsed again', library.parseSessionReferenceText(text), { text, references: [] });
    if (expected.text !== undefined) expectEqual('the text', text, expected.text);
    else expectNoProblems(findReadableTextProblems(text, references, wordsAround(library, input, references)));
  });
}

/**
 * What is wrong with a readable text: the words around the mentions must be there untouched, and each label safe.
 *
 * @param text - what a message with mentions became.
 * @param references - what it references, in order.
 * @param words - what stands before, between and behind the mentions: one more than there are references.
 */
export function findReadableTextProblems(
  text: string,
  references: readonly NamedReference[],
  words: readonly string[],
): string[] {
  const [before = '', ...following] = words;
  if (text.startsWith(before)) return findLabelProblems(text, before.length, references, following);
  return [`the text ${describeValue(text)} does not keep the words before the mentions`];
}

/**
 * What is wrong with the labels from a position on. What a label holds can also be what follows it, so every way to
 * read the text is tried, and the one without problems wins.
 *
 * @param following - what stands behind each mention.
 */
function findLabelProblems(
  text: string,
  position: number,
  references: readonly NamedReference[],
  following: readonly string[],
): string[] {
  const [reference, ...laterReferences] = references;
  const [words, ...laterWords] = following;
  if (reference === undefined || words === undefined) return [];
  let problems = [`the text ${describeValue(text)} does not keep the words around the mentions`];
  if (text[position] !== '@') return problems;
  const earliest = laterReferences.length === 0 ? text.length - words.length : position + 1;
  for (let end = text.indexOf(words, earliest); end >= 0; end = text.indexOf(words, end + 1)) {
    // A space may keep a label apart from what follows it, where the two would spell a mention together.
    const label = text.slice(position + 1, end).replace(/ $/, '');
    problems = [
      ...findUnsafeLabelProblems(label, reference.label),
      ...findLabelProblems(text, end + words.length, laterReferences, laterWords),
    ];
    if (problems.length === 0 || end === text.length) break;
  }
  return problems;
}

/** The words around the mentions of a recorded input: the mentions are found by their URIs, and backwards from there. */
function wordsAround(library: Library, input: string, references: readonly NamedReference[]): string[] {
  const words: string[] = [];
  let position = 0;
  for (const { sessionId, label } of references) {
    const uri = library.encodeSessionReferenceUri(sessionId);
    const uriStart = input.indexOf(uri, position);
    const isMarkdown = input.startsWith('](', uriStart - 2) && input.startsWith(')', uriStart + uri.length);
    const opening = isMarkdown ? findOpening(input, position, uriStart - 2, label) : undefined;
    words.push(input.slice(position, opening ?? uriStart));
    position = uriStart + uri.length + (opening === undefined ? 0 : 1);
  }
  return [...words, input.slice(position)];
}

function findOpening(input: string, from: number, labelEnd: number, label: string): number | undefined {
  for (let start = input.indexOf('@[', from); start >= 0 && start < labelEnd; start = input.indexOf('@[', start + 1)) {
    if (input.slice(start + 2, labelEnd).replace(/\\([\s\S])/g, '$1') === label) return start;
  }
  return undefined;
}

function nameOf(entry: { readonly name: string }): string {
  return entry.name;
}
