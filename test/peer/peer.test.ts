import * as peerMentions from '@deepseek-ai/dsh-session-reference';
import { describe, expect, it } from 'vitest';
import {
  formatSessionReferenceMention,
  parseSessionReferenceText,
  type SessionReferenceContext,
} from '../../src/index.ts';
import {
  appendAssistant,
  appendCheckpoint,
  appendInjected,
  appendTitle,
  appendUser,
  createPeerHost,
  type PeerHost,
  type PeerSession,
  type ReferenceService,
} from './peer-host.ts';

const TARGET = { id: 'target', session: { id: 'target' } };

interface Quoted {
  readonly sessionId: string;
  readonly label: string;
  readonly conversation: readonly { readonly role: string; readonly text: string }[];
}

interface Answer {
  readonly data: readonly Quoted[];
  readonly json: string;
  readonly source: SessionReferenceContext['source'];
}

async function ask(
  service: ReferenceService,
  references: readonly { sessionId: string; label?: string }[],
): Promise<Answer> {
  const { additionalContext } = await service.prepare(TARGET, [{ type: 'text', text: 'see there' }], references);
  const text = additionalContext?.content[0].text ?? '';
  const json = text.slice(text.indexOf('<referenced-sessions>\n') + 22, text.indexOf('\n</referenced-sessions>'));
  return { data: JSON.parse(json) as Quoted[], json, source: additionalContext?.source as Answer['source'] };
}

/** Our answer and the peer's to the same question, over the same sessions of its own store. */
async function askBoth(config: object, write: (host: PeerHost) => void, references = [{ sessionId: 'source' }]) {
  const host = await createPeerHost(config);
  write(host);
  return { ours: await ask(host.ours, references), peer: await ask(host.peer, references) };
}

/** What a cut may leave unused by contract: one code point and a digit of the notice. */
const MAX_UNUSED = 16;

function writeTalk(session: PeerSession, turns: number, text: (turn: number) => string): void {
  for (let turn = 0; turn < turns; turn += 1) {
    appendUser(session, `question ${turn}: ${text(turn)}`);
    appendAssistant(session, [`answer ${turn}`, text(turn)], turn);
  }
}

const SAME = [
  {
    name: 'a short talk',
    write: ({ createSession }: PeerHost) => writeTalk(createSession('source', '/work'), 3, () => 'the build is green'),
  },
  {
    name: 'a session that steered, with a title and injected context',
    write: ({ createSession }: PeerHost) => {
      const session = createSession('source', '/work');
      appendUser(session, 'start');
      appendInjected(session, 'skills', { kind: 'plugin', plugin: 'skill-catalog' });
      appendAssistant(session, ['working'], 0);
      appendUser(session, 'rather the parser first');
      appendTitle(session, 'Parser first');
      appendAssistant(session, ['done'], 1);
    },
  },
  {
    name: 'a compacted session',
    write: ({ createSession }: PeerHost) => {
      const session = createSession('source');
      writeTalk(session, 2, () => 'old');
      appendCheckpoint(session, 'What happened so far', 0, 3);
      writeTalk(session, 1, () => 'new');
    },
  },
  {
    name: 'a session from which the oldest messages must go',
    config: { maxReferenceBytes: 2_000 },
    write: ({ createSession }: PeerHost) => writeTalk(createSession('source'), 20, (turn) => 'x'.repeat(50 + turn)),
  },
];

describe('our answer in a real host of the peer', () => {
  it.each(SAME)('is the same for $name', async ({ config = {}, write }) => {
    const { ours, peer } = await askBoth(config, write);
    expect(ours.json).toBe(peer.json);
    // The peer says besides how the message is meant to be shown.
    expect({ form: 'recall', ...ours.source }).toEqual({ form: 'recall', ...peer.source });
  });

  it('is the same for several sessions, mentioned twice', async () => {
    const references = [{ sessionId: 'b', label: 'B' }, { sessionId: 'a' }, { sessionId: 'b', label: 'again' }];
    const { ours, peer } = await askBoth(
      {},
      ({ createSession }) => {
        writeTalk(createSession('a'), 1, () => 'of a');
        writeTalk(createSession('b', '/b'), 1, () => 'of b');
      },
      references,
    );
    expect(ours.json).toBe(peer.json);
  });

  it('offers the same candidates, where the peer finds them', async () => {
    const host = await createPeerHost();
    appendTitle(host.createSession('one', '/work'), 'Fix the login');
    appendTitle(host.createSession('two', '/other'), 'Other work');
    host.createSession('three');
    for (const query of ['', 'LOGIN', '/other', 'three', 'nothing']) {
      const agent = { id: 'target', cwd: '/work', session: { id: 'target', header: { cwd: '/work' } } };
      const ours = await host.ours.listCandidates(agent, query);
      const peer = await host.peer.listCandidates(agent, query);
      expect(ours.map(({ mention: _, ...candidate }) => candidate)).toEqual(
        peer.map(({ sessionId, label, cwd, createdAt }) => ({
          sessionId,
          label,
          ...(cwd === undefined ? {} : { cwd }),
          createdAt,
        })),
      );
    }
  });
});

/** What NOTES of the project list as wrong in the peer, each with what a good answer has. */
const BETTER = [
  {
    name: 'a checkpoint and a newest message that are both too long keep their text',
    config: { maxReferenceBytes: 1_000 },
    write: ({ createSession }: PeerHost) => {
      const session = createSession('source');
      appendUser(session, 'old');
      appendCheckpoint(session, 'summary '.repeat(400), 0, 0);
      appendUser(session, 'newest '.repeat(400));
    },
    check: ({ data }: Answer) =>
      data[0]?.conversation.every(({ text }) => text.includes('omitted') && text.length > 200),
  },
  {
    name: 'a long page of HTML is cut, not emptied',
    config: {},
    write: ({ createSession }: PeerHost) => appendUser(createSession('source'), '<p class="x">\n'.repeat(20_000)),
    check: ({ data }: Answer) => (data[0]?.conversation[0]?.text.length ?? 0) > 20_000,
  },
  {
    name: 'the notice stands at the cut',
    config: { maxReferenceBytes: 600 },
    write: ({ createSession }: PeerHost) =>
      appendUser(createSession('source'), `Never deploy on Friday${' or so'.repeat(300)} we will deploy on Monday.`),
    check: ({ data }: Answer) =>
      /^Never.*\n\[… omitted \d+ UTF-8 bytes …\]\n.*Monday\.$/s.test(data[0]?.conversation[0]?.text ?? ''),
  },
  {
    name: 'U+FEFF at a cut is kept and counted',
    config: { maxReferenceBytes: 400 },
    write: ({ createSession }: PeerHost) => appendUser(createSession('source'), `a${'\ufeff'.repeat(500)}z`),
    check: ({ data, source }: Answer) => {
      const kept = (data[0]?.conversation[0]?.text.match(/\ufeff/g) ?? []).length;
      return kept > 0 && source.references[0]?.omittedBytes === 3 * (500 - kept);
    },
  },
  {
    name: 'an assistant message of empty blocks does not push out the newest one',
    config: { maxReferenceBytes: 700 },
    write: ({ createSession }: PeerHost) => {
      const session = createSession('source');
      appendUser(session, `the real newest ${'x'.repeat(2_000)}`);
      appendAssistant(session, ['', ''], 0);
    },
    check: ({ data }: Answer) =>
      data[0]?.conversation.length === 1 && data[0].conversation[0]?.text.startsWith('the real'),
  },
  {
    name: 'messages that do not fit are left out, where the fixed fields do fit',
    config: { maxReferenceBytes: 125 },
    write: ({ createSession }: PeerHost) => {
      const session = createSession('source');
      appendUser(session, 'old');
      appendCheckpoint(session, 'summary '.repeat(40), 0, 0);
      appendUser(session, 'newest '.repeat(40));
    },
    check: ({ data, source }: Answer) => data.length === 1 && (source.references[0]?.omittedBytes ?? 0) > 0,
  },
  {
    name: 'a lone surrogate of a cut text stays what it was',
    config: { maxReferenceBytes: 400 },
    write: ({ createSession }: PeerHost) => appendUser(createSession('source'), `\ud800${'x'.repeat(900)}`),
    check: ({ data }: Answer) => data[0]?.conversation[0]?.text.startsWith('\ud800') === true,
  },
  {
    name: 'several long texts share the room, none takes it all',
    config: { maxReferenceBytes: 1_200 },
    write: ({ createSession }: PeerHost) => {
      const session = createSession('source');
      appendUser(session, 'old');
      appendCheckpoint(session, '"quoted" <tag> '.repeat(200), 0, 0);
      appendUser(session, 'plain words '.repeat(200));
    },
    check: ({ data }: Answer) => {
      const sizes = (data[0]?.conversation ?? []).map(
        ({ text }) => JSON.stringify(text).replaceAll('<', '\\u003c').length,
      );
      return sizes.length === 2 && Math.abs((sizes[0] ?? 0) - (sizes[1] ?? 0)) <= 30;
    },
  },
];

describe('our mentions beat the peer', () => {
  it('refuse white space in a mention, of which the peer leaves half standing', () => {
    const text = '@[a](dsh-session:ImEi )';
    expect(() => parseSessionReferenceText(text)).toThrow(/canonical/);
    expect(peerMentions.parseSessionReferenceText(text).text).toBe('@[a](@a )');
  });

  it('keep line breaks and hidden characters of a title out of the message', () => {
    const mention = formatSessionReferenceMention({ sessionId: 'a', label: 'x\n## System\u202e' });
    expect(parseSessionReferenceText(mention).text).toBe('@x ## System');
    expect(peerMentions.parseSessionReferenceText(mention).text).toBe('@x\n## System\u202e');
  });

  it('take time in proportion, where the peer takes a square', () => {
    const time = (parse: (text: string) => unknown, length: number): number => {
      const text = '@['.repeat(length);
      const start = performance.now();
      parse(text);
      return performance.now() - start;
    };
    const peerGrowth =
      time(peerMentions.parseSessionReferenceText, 8_000) / time(peerMentions.parseSessionReferenceText, 2_000);
    expect(peerGrowth).toBeGreaterThan(8);
    expect(time(parseSessionReferenceText, 5_000_000)).toBeLessThan(
      time(peerMentions.parseSessionReferenceText, 8_000),
    );
  });
});

describe('our answer beats the peer', () => {
  it.each(BETTER)('$name', async ({ config, write, check }) => {
    const host = await createPeerHost(config);
    write(host);
    const ours = await ask(host.ours, [{ sessionId: 'source' }]);
    expect(check(ours)).toBe(true);
    const peer = await ask(host.peer, [{ sessionId: 'source' }]).catch(() => undefined);
    // Must hold the other way round too: once the peer is mended, the case belongs to the table above.
    expect(peer !== undefined && check(peer)).toBe(false);
    if (peer !== undefined) {
      expect(Buffer.byteLength(ours.json)).toBeGreaterThanOrEqual(Buffer.byteLength(peer.json) - MAX_UNUSED);
    }
  });

  it('finds final sigma, dotted I and sharp s', async () => {
    const host = await createPeerHost();
    for (const [id, title] of [
      ['a', 'ΟΔΟΣ'],
      ['b', 'İstanbul'],
      ['c', 'Straße'],
    ] as const) {
      appendTitle(host.createSession(id), title);
    }
    const found = async (query: string): Promise<string[]> =>
      (await host.ours.listCandidates(TARGET, query)).map(({ sessionId }) => sessionId);
    expect(await found('οδος')).toEqual(['a']);
    expect(await found('istanbul')).toEqual(['b']);
    expect(await found('STRASSE')).toEqual(['c']);
  });
});
