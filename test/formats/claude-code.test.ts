import { describe, expect, it } from 'vitest';
import { claudeCodeReader } from '../../src/formats/claude-code.ts';
import { codesOf, readRows, speak, titleOf } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Line {
  readonly [field: string]: unknown;
}

function line(uuid: string, parentUuid: string | null, fields: Line): Line {
  return { uuid, parentUuid, sessionId: 's', isSidechain: false, timestamp: '2026-01-02T03:04:05.000Z', ...fields };
}

function user(uuid: string, parentUuid: string | null, content: unknown, fields: Line = {}): Line {
  return line(uuid, parentUuid, { type: 'user', message: { role: 'user', content }, ...fields });
}

function answer(uuid: string, parentUuid: string | null, text: string, fields: Line = {}): Line {
  const message = { id: `msg-${uuid}`, role: 'assistant', content: [{ type: 'text', text }] };
  return line(uuid, parentUuid, { type: 'assistant', message, ...fields });
}

function boundary(uuid: string, logicalParentUuid: string | undefined, fields: Line = {}): Line {
  return line(uuid, null, { type: 'system', subtype: 'compact_boundary', logicalParentUuid, ...fields });
}

function summary(uuid: string, parentUuid: string, content: unknown = 'the summary'): Line {
  return user(uuid, parentUuid, content, { isCompactSummary: true });
}

function queued(prompt: unknown, fields: Line = {}, rest: Line = {}): Line {
  const attachment = { type: 'queued_command', prompt, commandMode: 'prompt', ...fields };
  return { type: 'attachment', sessionId: 's', attachment, ...rest };
}

function unqueue(content: string, fields: Line = {}): Line {
  return { type: 'queue-operation', operation: 'remove', sessionId: 's', content, ...fields };
}

function toolResult(uuid: string, parentUuid: string, beside: readonly unknown[] = []): Line {
  const content = [{ type: 'tool_result', tool_use_id: 't', content: 'secret' }, ...beside];
  return user(uuid, parentUuid, content, { toolUseResult: {} });
}

function sayText(text: string): Line {
  return { type: 'text', text };
}

const COMMAND =
  '<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>two words</command-args>';
const BARE_COMMAND = '<command-name>/clear</command-name>\n<command-args></command-args>';
const OUTPUT = '<local-command-stdout>printed</local-command-stdout>';
const MIXED = [user('u1', null, 'hi'), answer('a1', 'u1', 'hello')];

function kept(uuids: readonly string[], anchorUuid = 'cs'): Line {
  return { compactMetadata: { preservedMessages: { anchorUuid, uuids } } };
}

const COMPACTED = [...MIXED, user('u2', 'a1', 'next'), answer('a2', 'u2', 'done')];

describe('the Claude Code reader', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    ['a conversation', MIXED, ['u: hi', 'a: hello']],
    ['strings among blocks', [user('u1', null, ['one', sayText('two')])], ['u: one\ntwo']],
    [
      'the branch that was active last',
      [...MIXED, user('u2', 'a1', 'dropped'), answer('a2', 'u2', 'dropped too'), user('u3', 'a1', 'again')],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    [
      'a branch that ends in lines of no conversation',
      [
        ...MIXED,
        user('u2', 'a1', 'dropped'),
        user('u3', 'a1', 'kept'),
        line('x', 'u3', { type: 'system', subtype: 'turn_duration' }),
        user('m', 'x', 'injected', { isMeta: true }),
      ],
      ['u: hi', 'a: hello', 'u: kept'],
    ],
    [
      'parts of one answer as one',
      [
        user('u1', null, 'hi'),
        line('a1', 'u1', { type: 'assistant', message: { id: 'm', content: [sayText('one')] } }),
        line('a2', 'a1', { type: 'assistant', message: { id: 'm', content: [{ type: 'tool_use', id: 't' }] } }),
        toolResult('r1', 'a2'),
        line('a3', 'r1', { type: 'assistant', message: { id: 'm', content: [sayText('two')] } }),
        answer('a4', 'a3', 'three'),
      ],
      ['u: hi', 'a: one\ntwo', 'a: three'],
    ],
    [
      'the order of the file where there are no parents',
      [user('b', null, 'one'), answer('a', null, 'two'), user('c', 'gone', 'three')],
      ['u: one', 'a: two', 'u: three'],
    ],
    ['an export of log lines', [{ loglines: [{ type: 'user', message: { content: 'hi' } }, 7] }], ['u: hi']],
    [
      'what the command line prints',
      [
        { type: 'system', subtype: 'init', session_id: 's', uuid: '0' },
        { type: 'user', session_id: 's', uuid: '1', message: { role: 'user', content: 'hi' } },
        { type: 'assistant', session_id: 's', uuid: '2', parent_tool_use_id: 't', message: { content: 'aside' } },
        { type: 'assistant', session_id: 's', uuid: '3', parent_tool_use_id: null, message: { content: 'hello' } },
        { type: 'result', session_id: 's', result: 'hello' },
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'no sub-agents',
      [...MIXED, user('s1', null, 'task', { isSidechain: true }), answer('s2', 's1', 'did it', { isSidechain: true })],
      ['u: hi', 'a: hello'],
    ],
    ['no teammates', [...MIXED, user('s1', null, 'task', { teamName: 'x' })], ['u: hi', 'a: hello']],
    [
      'no messages of tasks and other agents',
      [
        ...MIXED,
        user('u2', 'a1', 'done', { origin: { kind: 'task-notification' } }),
        user('u3', 'u2', 'yes', { origin: { kind: 'human' } }),
      ],
      ['u: hi', 'a: hello', 'u: yes'],
    ],
    [
      'no errors of the network',
      [...MIXED, answer('a2', 'a1', 'API Error', { isApiErrorMessage: true })],
      ['u: hi', 'a: hello'],
    ],
    [
      'no answers that the tool wrote',
      [
        ...MIXED,
        line('a2', 'a1', { type: 'assistant', message: { model: '<synthetic>', content: 'No response requested.' } }),
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'user text beside a tool result',
      [...MIXED, toolResult('r', 'a1', [sayText('stop that')])],
      ['u: hi', 'a: hello', 'u: stop that'],
    ],
    [
      'no interruption beside a tool result',
      [...MIXED, toolResult('r', 'a1', [sayText('[Request interrupted by user for tool use]')])],
      ['u: hi', 'a: hello'],
    ],
    [
      'words without the reminders among them',
      [user('u1', null, '<system-reminder>a</system-reminder>\nhi<system-reminder>b</system-reminder>')],
      ['u: hi'],
    ],
    [
      'words beside what the editor has open',
      [user('u1', null, [sayText('<ide_opened_file>x.ts</ide_opened_file>'), sayText('fix it')])],
      ['u: fix it'],
    ],
    [
      'a reminder that is not closed',
      [user('u1', null, 'what is <system-reminder> for')],
      ['u: what is <system-reminder> for'],
    ],
    [
      'a command with arguments',
      [user('u1', null, COMMAND), user('m', 'u1', 'expanded', { isMeta: true }), answer('a1', 'm', 'ok')],
      ['u: /x two words', 'a: ok'],
    ],
    ['a command at the end', [user('u1', null, COMMAND)], ['u: /x two words']],
    [
      'no command without arguments',
      [user('c', null, BARE_COMMAND), user('u1', 'c', 'hi'), answer('a1', 'u1', 'hello')],
      ['u: hi', 'a: hello'],
    ],
    ['no local command', [user('c', null, COMMAND), user('o', 'c', OUTPUT), user('u1', 'o', 'hi')], ['u: hi']],
    [
      'no local command whose output is in a line of the system',
      [
        user('c', null, COMMAND),
        line('o', 'c', { type: 'system', subtype: 'local_command', content: OUTPUT }),
        user('u1', 'o', 'hi'),
      ],
      ['u: hi'],
    ],
    [
      'text that was typed while the answer was written',
      [...MIXED, queued('and this'), answer('a2', 'a1', 'both')],
      ['u: hi', 'a: hello', 'u: and this', 'a: both'],
    ],
    [
      'such text once',
      [...MIXED, queued('and this'), user('u2', 'a1', 'and this'), answer('a2', 'u2', 'both')],
      ['u: hi', 'a: hello', 'u: and this', 'a: both'],
    ],
    [
      'the same words said again later',
      [...MIXED, queued('go on'), answer('a2', 'a1', 'ok'), user('u2', 'a2', 'go on')],
      ['u: hi', 'a: hello', 'u: go on', 'a: ok', 'u: go on'],
    ],
    [
      'such text with a place in the tree',
      [...MIXED, queued('and this', {}, { uuid: 'q', parentUuid: 'a1' })],
      ['u: hi', 'a: hello', 'u: and this'],
    ],
    [
      'such text behind a result that ran side by side',
      [...MIXED, toolResult('r1', 'a1'), queued('and this'), answer('a2', 'a1', 'both')],
      ['u: hi', 'a: hello', 'u: and this', 'a: both'],
    ],
    [
      'no such text of a branch that was left',
      [...MIXED, user('u2', 'a1', 'left'), queued('left too'), user('u3', 'a1', 'again')],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    [
      'no text that was queued on a branch that was left, however much',
      [
        ...MIXED,
        user('u2', 'a1', 'left'),
        toolResult('r', 'u2'),
        queued('one'),
        queued('two'),
        user('u3', 'a1', 'again'),
      ],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    [
      'no notifications that were queued',
      [
        ...MIXED,
        queued('<task-notification>x</task-notification>'),
        queued('done', { commandMode: 'task-notification' }),
        queued('done', { origin: { kind: 'agent' } }),
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'text that was taken from the queue and stands nowhere else',
      [...MIXED, unqueue('and this'), answer('a2', 'a1', 'both')],
      ['u: hi', 'a: hello', 'u: and this', 'a: both'],
    ],
    [
      'such text once where it follows in an attachment',
      [...MIXED, unqueue('and this'), queued('and this'), answer('a2', 'a1', 'both')],
      ['u: hi', 'a: hello', 'u: and this', 'a: both'],
    ],
    [
      'such text once where it follows as a message',
      [...MIXED, unqueue('and this'), answer('a2', 'a1', 'ok'), user('u2', 'a2', 'and this')],
      ['u: hi', 'a: hello', 'a: ok', 'u: and this'],
    ],
    [
      'nothing that joined the queue, and no notification that left it',
      [...MIXED, unqueue('x', { operation: 'enqueue' }), unqueue('<task-notification>x</task-notification>')],
      ['u: hi', 'a: hello'],
    ],
    [
      'a compaction',
      [...COMPACTED, boundary('cb', 'a2'), summary('cs', 'cb'), user('u3', 'cs', 'more')],
      ['c: the summary', 'u: more'],
    ],
    [
      'an older compaction, which nobody flagged',
      [
        ...MIXED,
        user('cs', null, 'This session is being continued from a previous conversation that ran out of context.'),
        user('u3', 'cs', 'more'),
      ],
      ['c: This session is being continued from a previous conversation that ran out of context.', 'u: more'],
    ],
    [
      'two compactions',
      [
        ...COMPACTED,
        boundary('cb', 'a2'),
        summary('cs', 'cb', 'one'),
        user('u3', 'cs', 'more'),
        boundary('cc', 'u3'),
        summary('ct', 'cc', 'two'),
      ],
      ['c: two'],
    ],
    [
      'a compaction that kept messages',
      [...COMPACTED, boundary('cb', 'a2', kept(['u2', 'a2'])), summary('cs', 'cb'), user('u3', 'a2', 'more')],
      ['c: the summary', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'messages that were kept, where the conversation goes on behind the summary',
      [...COMPACTED, boundary('cb', 'a2', kept(['u2', 'a2'])), summary('cs', 'cb'), user('u3', 'cs', 'more')],
      ['c: the summary', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'messages that were kept, by their ends',
      [
        ...COMPACTED,
        boundary('cb', 'a2', {
          compactMetadata: { preservedSegment: { headUuid: 'u2', tailUuid: 'a2', anchorUuid: 'cs' } },
        }),
        summary('cs', 'cb'),
        user('u3', 'cs', 'more'),
      ],
      ['c: the summary', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'messages that were kept behind the boundary',
      [...COMPACTED, boundary('cb', 'a2', kept(['u2', 'a2'], 'cb')), summary('cs', 'cb'), user('u3', 'cs', 'more')],
      ['c: the summary', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'a compaction without a summary',
      [...COMPACTED, boundary('cb', 'a2'), user('u3', 'cb', 'more')],
      ['u: hi', 'a: hello', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'a compaction whose summary cannot be read',
      [...COMPACTED, boundary('cb', undefined), summary('cs', 'cb', [{ type: 'image' }]), user('u3', 'cs', 'more')],
      ['u: hi', 'a: hello', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'a message that was pinned',
      [...COMPACTED, { type: 'last-prompt', sessionId: 's', leafUuid: 'a1', explicit: true }],
      ['u: hi', 'a: hello'],
    ],
    [
      'a pin on a line that is no message',
      [
        ...MIXED,
        line('x', 'a1', { type: 'system' }),
        user('u2', 'x', 'next'),
        { type: 'last-prompt', sessionId: 's', leafUuid: 'x', explicit: true },
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'no pin that was taken back',
      [
        ...COMPACTED,
        { type: 'last-prompt', sessionId: 's', leafUuid: 'a1', explicit: true },
        { type: 'last-prompt', sessionId: 's', leafUuid: '', explicit: true },
      ],
      ['u: hi', 'a: hello', 'u: next', 'a: done'],
    ],
    [
      'no pin from before a message was written',
      [...MIXED, { type: 'last-prompt', sessionId: 's', leafUuid: 'u1' }, user('u2', 'a1', 'next')],
      ['u: hi', 'a: hello', 'u: next'],
    ],
    [
      'a pin that the user set, whatever was written elsewhere',
      [...COMPACTED, { type: 'last-prompt', sessionId: 's', leafUuid: 'a2', explicit: true }, user('u3', 'a1', 'late')],
      ['u: hi', 'a: hello', 'u: next', 'a: done'],
    ],
    [
      'no other pin once something was written elsewhere',
      [...COMPACTED, { type: 'last-prompt', sessionId: 's', leafUuid: 'a2' }, user('u3', 'a1', 'late')],
      ['u: hi', 'a: hello', 'u: late'],
    ],
    [
      'a conversation that began anew behind a line of the system',
      [...MIXED, line('x', null, { type: 'system', subtype: 'informational' }), user('u2', 'x', 'new')],
      ['u: new'],
    ],
    [
      'what was said behind the pinned message',
      [
        ...COMPACTED,
        { type: 'last-prompt', sessionId: 's', leafUuid: 'a1', explicit: true },
        user('u3', 'a1', 'again'),
      ],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    [
      'the first text of a message that is there twice',
      [...MIXED, user('u1', null, 'conflict')],
      ['u: hi', 'a: hello'],
    ],
    [
      'the last parent of a message that is there twice',
      [...MIXED, user('u2', null, 'next'), user('u2', 'a1', 'next')],
      ['u: hi', 'a: hello', 'u: next'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(claudeCodeReader.recognizes({ layout: 'lines', rows: [...rows, ...MIXED] })).toBe(true);
    expect(readRows(claudeCodeReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it.each([
    { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
    { type: 'custom-title', customTitle: 'x', sessionId: 's' },
    { type: 'summary', summary: 'x', leafUuid: 'y' },
    { type: 'system', subtype: 'informational', uuid: 'u', sessionId: 's' },
    { type: 'attachment', attachment: { type: 'todo' } },
  ])('knows a file by a line like %o', (row) => {
    expect(claudeCodeReader.recognizes({ layout: 'lines', rows: [row] })).toBe(true);
  });

  it.each([
    [
      'messages of Qwen Code',
      [{ type: 'user', sessionId: 's', uuid: 'u', parentUuid: null, message: { role: 'user', parts: [] } }],
    ],
    [
      'a header of another format',
      [
        { type: 'session', id: 's', version: 3 },
        { type: 'message', message: {} },
      ],
    ],
    ['plain messages', [{ role: 'user', content: 'hi' }, 3, 'user', null]],
  ])('does not claim %s', (_, rows) => {
    expect(claudeCodeReader.recognizes({ layout: 'lines', rows })).toBe(false);
  });

  it('keeps every line, and what a compaction replaced', () => {
    const rows = [...COMPACTED, user('dead', 'a1', 'left'), boundary('cb', 'a2'), summary('cs', 'cb'), { type: 'tag' }];
    const [log] = readRows(claudeCodeReader, rows).logs;
    expect(log?.events.filter(({ type }) => type !== 'session/title').length).toBe(rows.length);
    expect(JSON.stringify(log)).toContain('left');
  });

  it('takes the facts of a session from its lines', () => {
    const [log] = readRows(claudeCodeReader, [
      { type: 'mode', sessionId: 's' },
      user('u1', null, 'hi', { cwd: '/home/u', forkedFrom: { sessionId: 'parent', messageUuid: 'x' } }),
    ]).logs;
    expect(log?.header).toMatchObject({
      format: 'claude-code',
      id: 's',
      cwd: '/home/u',
      parentSession: 'parent',
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    });
  });

  it.each<[string, readonly Line[], string]>([
    [
      'what the user called it',
      [
        { type: 'ai-title', aiTitle: 'B' },
        { type: 'custom-title', customTitle: 'A' },
        { type: 'ai-title', aiTitle: 'C' },
      ],
      'A',
    ],
    [
      'what the model called it, the last',
      [
        { type: 'ai-title', aiTitle: 'B' },
        { type: 'ai-title', aiTitle: 'C' },
      ],
      'C',
    ],
    [
      'the last prompt',
      [
        { type: 'last-prompt', lastPrompt: 'do  that' },
        { type: 'summary', summary: 'S', leafUuid: 'a1' },
      ],
      'do that',
    ],
    ['a summary', [{ type: 'summary', summary: 'S', leafUuid: 'a1' }], 'S'],
    [
      'no summary of another file, but the first prompt',
      [{ type: 'summary', summary: 'S', leafUuid: 'elsewhere' }],
      'hi',
    ],
  ])('is called by %s', (_, lines, title) => {
    const [log] = readRows(claudeCodeReader, [...MIXED, ...lines]).logs;
    expect(log && titleOf(log)).toBe(title);
  });

  it('tells the sessions of one file apart, and follows parents in each', () => {
    const { logs } = readRows(claudeCodeReader, [
      { type: 'summary', summary: 'x', leafUuid: 'y' },
      ...MIXED,
      user('u1', null, 'other', { sessionId: 't' }),
      answer('a1', 'u1', 'reply', { sessionId: 't' }),
      user('u2', 'a1', 'next'),
    ]);
    expect(logs.map(({ header }) => header.id)).toEqual(['s', 't']);
    expect(logs.map(speak)).toEqual([
      ['u: hi', 'a: hello', 'u: next'],
      ['u: other', 'a: reply'],
    ]);
  });

  it('reads the file of a sub-agent as a session of its own', () => {
    const fields = { isSidechain: true, agentId: '7' };
    const [log] = readRows(claudeCodeReader, [user('u1', null, 'task', fields), answer('a1', 'u1', 'ok', fields)]).logs;
    expect(log?.header).toMatchObject({ id: 'agent-7', parentSession: 's' });
    expect(log && speak(log)).toEqual(['u: task', 'a: ok']);
  });

  it('takes the id from the name of the file where no line has one', () => {
    const rows = [{ type: 'user', message: { content: 'hi' } }];
    const idOf = (options: object): unknown => readRows(claudeCodeReader, rows, options).logs[0]?.header.id;
    expect(idOf({ fileName: '1234.jsonl' })).toBe('1234');
    expect(idOf({ fileName: '1234.jsonl', sessionId: 'mine' })).toBe('mine');
    expect(idOf({})).toMatch(/^claude-code-[0-9a-f]{16}$/);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(claudeCodeReader, [
      'text',
      42,
      [1],
      { silly: 'this' },
      user('u1', null, 'hi'),
      line('u2', 'u1', { type: 'user', message: 'error' }),
      line('u3', 'u2', { type: 'assistant', message: null }),
      { ...user('__proto__', 'u3', 'still'), constructor: 1 },
      boundary('cb', '__proto__', { compactMetadata: { preservedMessages: { uuids: ['gone', 3] } } }),
      user('u4', 'cb', 'here'),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'u: still', 'u: here']]);
    expect(codesOf(result)).toEqual([
      'UNREADABLE',
      'UNREADABLE',
      'UNREADABLE',
      'UNKNOWN',
      'BROKEN_COMPACTION',
      'UNREADABLE',
      'UNREADABLE',
    ]);
  });

  it.each([
    [
      'a parent that does not exist',
      [...MIXED, user('u2', 'gone', 'lost'), answer('a2', 'u2', 'found')],
      ['u: lost', 'a: found'],
    ],
    ['a cycle', [user('u1', 'a1', 'hi'), answer('a1', 'u1', 'hello')], ['u: hi', 'a: hello']],
  ])('reports %s', (_, rows, expected) => {
    const result = readRows(claudeCodeReader, rows);
    expect(result.logs.map(speak)).toEqual([expected]);
    expect(codesOf(result)).toEqual(['BROKEN_TREE']);
  });

  it('reads 20,000 messages that hang on each other, with branches, queued prompts and compactions, in linear time', () => {
    const rows: Line[] = [];
    for (let index = 0; index < 20_000; index += 1) {
      rows.push(user(`u${index}`, index === 0 ? null : `u${index - 1}`, `m${index}`));
      rows.push(toolResult(`r${index}`, `u${index}`), queued(`q${index}`));
    }
    const [log] = readRows(claudeCodeReader, rows).logs;
    expect(log && speak(log).length).toBe(40_000);
    const boundaries = rows.slice(0, 20_000).map((_, index) => {
      const compactMetadata = { preservedSegment: { headUuid: 'u0', tailUuid: 'u19999' } };
      return boundary(`b${index}`, 'u19999', { compactMetadata });
    });
    expect(readRows(claudeCodeReader, [...rows, ...boundaries]).logs.length).toBe(1);
  }, 20_000);

  testSamples(claudeCodeReader, [
    'claude-code/dag_compact_after_rewind_preserved.jsonl',
    'claude-code/edge_cases.jsonl',
    'claude-code/normalization_mixed.jsonl',
    'claude-code/queue_operation_steering.jsonl',
    'claude-code/queued_command_attachments.jsonl',
    'claude-code/inline_sidechains.jsonl',
  ]);
});
