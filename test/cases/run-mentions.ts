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
    else expectNoProblems(findReadableTextProblems(library, input, text, expected.references));
  });
}

/**
 * What is wrong with a readable text: the words around the mentions must be there untouched, and each label safe.
 *
 * @param references - what the input references, in order.
 */
export function findReadableTextProblems(
  library: Library,
  input: string,
  text: string,
  references: readonly NamedReference[],
): string[] {
  const labels = readLabels(input, text, mentionRanges(library, input, references));
  if (labels === undefined) return [`the text ${describeValue(text)} does not keep the words around the mentions`];
  return labels.flatMap((label, index) => findUnsafeLabelProblems(label, references[index]?.label ?? ''));
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the mentions stand: found by their URIs, and backwards from there. */
function mentionRanges(library: Library, input: string, references: readonly NamedReference[]): Range[] {
  const ranges: Range[] = [];
  let position = 0;
  for (const { sessionId, label } of references) {
    const uri = library.encodeSessionReferenceUri(sessionId);
    const uriStart = input.indexOf(uri, position);
    const isMarkdown = input.startsWith('](', uriStart - 2) && input.startsWith(')', uriStart + uri.length);
    const opening = isMarkdown ? findOpening(input, position, uriStart - 2, label) : undefined;
    const range =
      opening === undefined
        ? { start: uriStart, end: uriStart + uri.length }
        : { start: opening, end: uriStart + uri.length + 1 };
    ranges.push(range);
    position = range.end;
  }
  return ranges;
}

function findOpening(input: string, from: number, labelEnd: number, label: string): number | undefined {
  for (let start = input.indexOf('@[', from); start >= 0 && start < labelEnd; start = input.indexOf('@[', start + 1)) {
    if (input.slice(start + 2, labelEnd).replace(/\\([\s\S])/g, '$1') === label) return start;
  }
  return undefined;
}

/** The readable labels, in order, or `undefined` when the text is not the input with labels for mentions. */
function readLabels(input: string, text: string, ranges: readonly Range[]): string[] | undefined {
  let pattern = '^';
  let position = 0;
  for (const { start, end } of ranges) {
    // A space may keep a label apart from what follows it, where the two would spell a mention together.
    pattern += `${position === 0 ? '' : ' ?'}${escapePattern(input.slice(position, start))}@([^\\n]*?)`;
    position = end;
  }
  return new RegExp(`${pattern} ?${escapePattern(input.slice(position))}$`).exec(text)?.slice(1);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('\n', '\\n');
}

function nameOf(entry: { readonly name: string }): string {
  return entry.name;
}
