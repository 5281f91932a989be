import { describe, expect, it } from 'vitest';
import { SessionReferences } from '../../src/index.ts';
import { isSessionReferenceSource, isSessionReferenceText } from '../../src/snapshot/recognize-context.ts';
import { sessionsQuery } from '../cases/vector-query.ts';

const SNAPSHOT = '{"sessionId":"s","conversation":[]}';

function frame(json: string, before = 'A warning.\n', after = 'Another warning.'): string {
  return `## Referenced sessions\n\n${before}\n<referenced-sessions>\n${json}\n</referenced-sessions>\n${after}`;
}

describe('a context message', () => {
  it('is known, as it was made', async () => {
    const session = { version: 0, id: 's', createdAt: 1 };
    const query = sessionsQuery([{ session, capturedThroughSeq: null, events: [] }]);
    const { additionalContext } = await new SessionReferences(query).prepare({ id: 't' }, [], [{ sessionId: 's' }]);
    const text = additionalContext?.content[0].text ?? '';
    expect(isSessionReferenceText(text)).toBe(true);
    expect(isSessionReferenceSource(additionalContext?.source)).toBe(true);
    expect(isSessionReferenceText(`\n ${text} \n`)).toBe(true);
    expect(isSessionReferenceText(frame(`[${SNAPSHOT}]`))).toBe(true);
    expect(isSessionReferenceText(frame(`[${SNAPSHOT},${SNAPSHOT}]`))).toBe(true);
  });

  it.each<[string, string]>([
    ['an empty text', ''],
    ['another heading', frame(`[${SNAPSHOT}]`).replace('##', '#')],
    ['words before it', `Look: ${frame(`[${SNAPSHOT}]`)}`],
    ['no opening tag', frame(`[${SNAPSHOT}]`).replace('<referenced-sessions>', '')],
    ['no closing tag', frame(`[${SNAPSHOT}]`).replace('</referenced-sessions>', '')],
    [
      'the tags in the other order',
      `## Referenced sessions\n\n</referenced-sessions>\n[${SNAPSHOT}]\n<referenced-sessions>\nx`,
    ],
    ['one tag for both', '## Referenced sessions\n\n<referenced-sessions>\n</referenced-sessions>\nx'],
    ['no closing line', frame(`[${SNAPSHOT}]`, 'A warning.\n', '')],
    ['two closing lines', frame(`[${SNAPSHOT}]`, 'A warning.\n', 'one\ntwo')],
    ['a tag in the closing line', frame(`[${SNAPSHOT}]`, 'A warning.\n', 'a <b> c')],
    ['a tag in the data', frame('[{"sessionId":"<","conversation":[]}]')],
    ['two frames', frame(`[${SNAPSHOT}]\n</referenced-sessions>\nx\n<referenced-sessions>\n[${SNAPSHOT}]`)],
    ['data of two lines', frame(`[${SNAPSHOT},\n${SNAPSHOT}]`)],
    ['data that is no JSON', frame(`[${SNAPSHOT}`)],
    ['data that is no list', frame(SNAPSHOT)],
    ['a list of something else', frame('[{"sessionId":"s"}]')],
    ['a list with something else', frame(`[${SNAPSHOT},{"conversation":[]}]`)],
    ['a list with nothing', frame('[]')],
  ])('is not %s', (_, text) => {
    expect(isSessionReferenceText(text)).toBe(false);
  });

  it.each<[unknown, boolean]>([
    [{ kind: 'session-reference', references: [] }, true],
    [{ kind: 'session-reference', references: {} }, false],
    [{ kind: 'session-reference' }, false],
    [{ kind: 'user', references: [] }, false],
    [null, false],
    ['session-reference', false],
  ])('has a record, and %j is one: %j', (value, isSource) => {
    expect(isSessionReferenceSource(value)).toBe(isSource);
  });
});

it('what is no text is no context', () => {
  expect(isSessionReferenceText(undefined as never)).toBe(false);
});
