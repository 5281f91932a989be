import { displayLabel } from '../../src/index.ts';
import { formatAge, formatFolder, formatMessageCount, formatMoment } from './session-facts.ts';

/** A session that can be referenced, with what helps to recognize it. Every text is untrusted. */
export interface MentionCandidate {
  readonly sessionId: string;
  readonly label: string;
  readonly cwd?: string | undefined;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms of the last change, where it is known. */
  readonly changedAt?: number | undefined;
  /** Messages that could be quoted, where it is known. */
  readonly messages?: number | undefined;
}

/** One row of the list: a heading, or a candidate in words that are safe to show. */
export type CandidateRow =
  | { readonly kind: 'heading'; readonly text: string }
  | {
      readonly kind: 'candidate';
      readonly candidate: MentionCandidate;
      /** Its place among the candidates, from 1. */
      readonly position: number;
      readonly title: string;
      /** Folder, age and size. */
      readonly details: readonly string[];
      /** What tells it from others of the same title; only where there are any. */
      readonly tellApart?: string;
    };

type Group = 'same' | 'none' | 'other';

const HEADINGS: Readonly<Record<Group, string>> = {
  same: 'Same folder',
  none: 'No folder',
  other: 'Other folders',
};

/**
 * What a list of candidates shows.
 *
 * @param candidates - in the order of `listCandidates`: same folder, no folder, other folders.
 * @param cwd - the folder of the session that is written in.
 * @param now - Unix ms.
 */
export function toCandidateRows(
  candidates: readonly MentionCandidate[],
  cwd: string | undefined,
  now: number,
): readonly CandidateRow[] {
  const titles = candidates.map(({ label }) => displayLabel(label));
  const tellApart = findDifferences(candidates, titles);
  const rows: CandidateRow[] = [];
  let group: Group | undefined;
  for (const [index, candidate] of candidates.entries()) {
    const own = groupOf(candidate, cwd);
    if (own !== group) rows.push({ kind: 'heading', text: HEADINGS[own] });
    group = own;
    const difference = tellApart.get(candidate);
    rows.push({
      kind: 'candidate',
      candidate,
      position: index + 1,
      title: titles[index] ?? '',
      details: listDetails(candidate, now, difference?.isFolder === true),
      ...(difference === undefined ? {} : { tellApart: difference.text }),
    });
  }
  return rows;
}

function groupOf(candidate: MentionCandidate, cwd: string | undefined): Group {
  if (candidate.cwd === undefined) return 'none';
  return candidate.cwd === cwd ? 'same' : 'other';
}

function listDetails(candidate: MentionCandidate, now: number, isFolderTold: boolean): readonly string[] {
  const { cwd, changedAt, createdAt, messages } = candidate;
  return [
    cwd === undefined || isFolderTold ? undefined : formatFolder(cwd),
    formatAge(changedAt ?? createdAt, now),
    messages === undefined ? undefined : formatMessageCount(messages),
  ].filter((detail) => detail !== undefined);
}

/** What tells a candidate from others of the same title. */
interface Difference {
  readonly text: string;
  readonly isFolder: boolean;
}

/** For each candidate whose title another one has too: the first fact in which all of them differ. */
function findDifferences(
  candidates: readonly MentionCandidate[],
  titles: readonly string[],
): ReadonlyMap<MentionCandidate, Difference> {
  const namesakes = new Map<string, MentionCandidate[]>();
  for (const [index, candidate] of candidates.entries()) {
    const title = titles[index] ?? '';
    const others = namesakes.get(title);
    if (others === undefined) namesakes.set(title, [candidate]);
    else others.push(candidate);
  }
  const differences = new Map<MentionCandidate, Difference>();
  for (const group of namesakes.values()) {
    if (group.length < 2) continue;
    const tell = FACTS.find((fact) => new Set(group.map(fact)).size === group.length) ?? tellId;
    for (const candidate of group) differences.set(candidate, { text: tell(candidate), isFolder: tell === tellFolder });
  }
  return differences;
}

function tellFolder({ cwd }: MentionCandidate): string {
  return cwd === undefined ? 'no folder' : `in ${formatFolder(cwd)}`;
}

function tellStart({ createdAt }: MentionCandidate): string {
  return `started ${formatMoment(createdAt)}`;
}

/** The end of an id: the start is often the same for all of one product. */
function tellId({ sessionId }: MentionCandidate): string {
  return `id …${displayLabel(sessionId.slice(-12))}`;
}

/** In the order in which people use them. */
const FACTS: readonly ((candidate: MentionCandidate) => string)[] = [tellFolder, tellStart];
