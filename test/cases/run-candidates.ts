import type { ReferencingAgent } from '../../src/reference.ts';
import { expectCode, expectEqual, expectValue, outcomeOf, type Report, runCases } from './case-report.ts';
import { signalOf } from './case-signal.ts';
import type { Subject } from './library.ts';
import { type TitledSession, titlesQuery } from './vector-query.ts';

interface CandidatesCase {
  readonly name: string;
  readonly config: unknown;
  readonly target: ReferencingAgent;
  readonly sessions: readonly TitledSession[];
  readonly query?: string;
  readonly limit?: number;
  readonly signal?: string;
  readonly expected: {
    readonly candidates?: readonly { readonly sessionId: string; readonly label: string }[];
    readonly mentions?: readonly string[];
    readonly errorCode?: string;
  };
}

/** @param cases - of `candidates.json`, or of our own. */
export function runCandidates({ library, createService }: Subject, cases: readonly unknown[]): Promise<Report> {
  return runCases(
    'candidates',
    cases as readonly CandidatesCase[],
    ({ name }) => name,
    async (entry) => {
      const service = createService(titlesQuery(entry.sessions), entry.config);
      const outcome = await outcomeOf(() =>
        service.listCandidates(entry.target, entry.query, entry.limit, signalOf(entry.signal)),
      );
      if (entry.expected.errorCode !== undefined) {
        expectCode(outcome, entry.expected.errorCode, library.isSessionReferenceError);
        return;
      }
      const found = expectValue(outcome);
      const bare = found.map(({ mention: _, ...candidate }) => candidate);
      expectEqual('the candidates', bare, entry.expected.candidates);
      const mentions = found.map(({ mention }) => mention);
      if (entry.expected.mentions !== undefined) expectEqual('the mentions', mentions, entry.expected.mentions);
      const references = mentions.flatMap((mention) => library.parseSessionReferenceText(mention).references);
      expectEqual(
        'what the mentions parse to',
        references,
        bare.map(({ sessionId, label }) => ({ sessionId, label })),
      );
    },
  );
}
