import { mergeReports, type Report } from './case-report.ts';
import type { Subject } from './library.ts';
import { runCandidates } from './run-candidates.ts';
import { runConfig } from './run-config.ts';
import { runMentionFormat, runMentionParse, runUriDecode, runUriEncode } from './run-mentions.ts';
import { runPrepareExact, runPrepareInvariant } from './run-prepare.ts';
import { runSurfaceFold } from './run-surface-fold.ts';
import type { VectorFile } from './vector-file.ts';

type Runner = (subject: Subject, cases: readonly unknown[]) => Promise<Report>;

/** By the `kind` that a file of cases names. */
const RUNNERS: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ['uri-encode', runUriEncode],
  ['uri-decode', runUriDecode],
  ['mention-format', runMentionFormat],
  ['mention-parse', runMentionParse],
  ['config', runConfig],
  ['candidates', runCandidates],
  ['surface-fold', runSurfaceFold],
  ['prepare', runPrepareExact],
  ['prepare-invariant', runPrepareInvariant],
]);

/**
 * Run every case of several files.
 *
 * @param subject - what is proved.
 * @param files - the parsed files of `test/vectors`.
 */
export async function runConformance(subject: Subject, files: readonly VectorFile[]): Promise<Report> {
  const reports: Report[] = [];
  for (const { kind, cases } of files) {
    const run = RUNNERS.get(kind);
    if (run === undefined) throw new Error(`There is no runner for cases of the kind ${kind}.`);
    reports.push(await run(subject, cases));
  }
  return mergeReports(reports);
}
