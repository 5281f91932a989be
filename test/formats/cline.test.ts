import { describe, expect, it } from 'vitest';
import { clineReader } from '../../src/formats/cline.ts';
import { codesOf, converse, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Fields {
  readonly [field: string]: unknown;
}

const START = 1_767_225_600_000;
const DETAILS = '<environment_details>\n# Current Working Directory (/home/u/x) Files\na.ts\n</environment_details>';

function text(...texts: readonly string[]): Fields[] {
  return texts.map((one) => ({ type: 'text', text: one }));
}

function user(...content: readonly (string | Fields)[]): Fields {
  return {
    role: 'user',
    content: content.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block)),
  };
}

function answer(...content: readonly (string | Fields)[]): Fields {
  return { ...user(...content), role: 'assistant' };
}

const TASK = user('<task>\nhi\n</task>', DETAILS);

function useTool(name: string, input: Fields): Fields {
  return { type: 'tool_use', id: 't', name, input };
}

function toolResult(content: unknown): Fields {
  return { type: 'tool_result', tool_use_id: 't', content };
}

function line(type: 'say' | 'ask', kind: string, content?: string, fields: Fields = {}): Fields {
  return { ts: START, type, [type]: kind, text: content, ...fields };
}

function sdk(messages: readonly unknown[], fields: Fields = {}): Fields {
  return { version: 1, updated_at: '2026-01-02T03:04:05.000Z', agent: 'lead', sessionId: 's', messages, ...fields };
}

const SDK_TALK = [
  { id: 'm1', role: 'user', content: text('hi'), ts: START },
  { id: 'm2', role: 'assistant', content: text('hello'), ts: START + 1 },
];

describe('the Cline reader', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    ['a task', [TASK, answer('hello')], ['u: hi', 'a: hello']],
    [
      'a task with the state of the editor in the same text',
      [user(`<task>\nhi\n</task>\n\n${DETAILS}`), answer('hello')],
      ['u: hi', 'a: hello'],
    ],
    [
      'what the user says later',
      [TASK, answer('hello'), user('and now?', DETAILS)],
      ['u: hi', 'a: hello', 'u: and now?'],
    ],
    [
      'no results that are text',
      [TASK, user("[read_file for 'a.ts'] Result:", '<answer>file', 'more of it', DETAILS)],
      ['u: hi'],
    ],
    ['no results that begin in the line', [TASK, user('[execute_command] Result:\nfiles', DETAILS)], ['u: hi']],
    ['no results that are blocks', [TASK, user(toolResult('x'), DETAILS)], ['u: hi']],
    [
      'the answer to a question',
      [TASK, user("[ask_followup_question for 'a?'] Result:", '<answer>\nyes\n</answer>', DETAILS)],
      ['u: hi', 'u: yes'],
    ],
    ['the answer in a block', [TASK, user(toolResult(text('<answer>\nyes\n</answer>')))], ['u: hi', 'u: yes']],
    [
      'feedback on a tool',
      [
        TASK,
        user(
          '[write_to_file] Result:\nThe user denied this operation and provided the following feedback:\n<feedback>\nnot so\n</feedback>',
        ),
      ],
      ['u: hi', 'u: not so'],
    ],
    [
      'a message on resuming a task',
      [
        TASK,
        user(
          '[TASK RESUMPTION] It was interrupted.',
          'New message to respond to:\n<user_message>\ngo on\n</user_message>',
          DETAILS,
        ),
      ],
      ['u: hi', 'u: go on'],
    ],
    ['a resumption without a message', [TASK, user('[TASK RESUMPTION] It was interrupted.', DETAILS)], ['u: hi']],
    ['words that look like a heading', [TASK, user('a ] Result: b', DETAILS)], ['u: hi', 'u: a ] Result: b']],
    ['words beside a block of results', [TASK, user(toolResult('x'), 'stop')], ['u: hi', 'u: stop']],
    [
      'no file that holds the elements of a message',
      [TASK, user('[read_file] Result:\nif (x) <feedback>no</feedback>'), user(toolResult('see <task>x</task>'))],
      ['u: hi'],
    ],
    [
      'what tools say to the user',
      [
        TASK,
        answer('so', useTool('attempt_completion', { result: 'done' })),
        answer(useTool('ask_followup_question', { question: 'which?' })),
        answer(useTool('plan_mode_respond', { response: 'a plan' })),
        answer(useTool('read_file', { path: 'x' })),
      ],
      ['u: hi', 'a: so\ndone', 'a: which?', 'a: a plan'],
    ],
    [
      'tools that were called in the text',
      [
        TASK,
        answer('<thinking>hm</thinking>\n\nLet me look.\n<read_file>\n<path>x</path>\n</read_file>'),
        answer('<attempt_completion>\n<result>\ndone\n</result>\n</attempt_completion>'),
        answer('use <thinking> or <read_file> so'),
      ],
      ['u: hi', 'a: Let me look.', 'a: done', 'a: use <thinking> or <read_file> so'],
    ],
    [
      'content that is a text',
      [
        { role: 'user', content: '<task>hi</task>' },
        { role: 'assistant', content: 'hello' },
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'what was shown',
      [
        line('say', 'task', 'hi'),
        line('say', 'api_req_started', '{}'),
        line('say', 'reasoning', 'hm'),
        line('say', 'text', 'hello'),
        line('ask', 'followup', '{"question":"which?","options":["a"]}'),
        line('say', 'user_feedback', 'a'),
        line('say', 'text', 'unfin', { partial: true }),
        line('ask', 'plan_mode_respond', 'a plan'),
        line('ask', 'tool', '{}'),
        line('say', 'completion_result', 'doneHAS_CHANGES'),
        line('ask', 'completion_result', ''),
      ],
      ['u: hi', 'a: hello', 'a: which?', 'u: a', 'a: a plan', 'a: done'],
    ],
    ['a task that is not marked', [line('say', 'text', 'hi'), line('say', 'text', 'hello')], ['u: hi', 'a: hello']],
    ['a session of the SDK', [sdk(SDK_TALK)], ['u: hi', 'a: hello']],
    [
      'its wrappers',
      [
        sdk([
          {
            role: 'user',
            content: text(
              '<mode_notice>now in act</mode_notice><user_input mode="act">hi</user_input>\n<file_content path="x">secret</file_content>',
            ),
          },
          {
            role: 'user',
            content: text('<user_input mode="act">System-delivered teammate async run updates: x</user_input>'),
          },
          { role: 'user', content: [toolResult('x')] },
        ]),
      ],
      ['u: hi'],
    ],
    [
      'commands',
      [
        sdk([
          { role: 'user', content: text('<user_command slash="review">Review carefully</user_command> this file') },
          { role: 'user', content: text('<user_command slash="team">ask them</user_command>') },
        ]),
      ],
      ['u: /review this file', 'u: /team ask them'],
    ],
    [
      'a compaction of the SDK',
      [
        sdk([
          ...SDK_TALK,
          { role: 'user', content: text('Context summary: x'), metadata: { kind: 'compaction_summary' } },
          ...SDK_TALK,
        ]),
      ],
      ['c: Context summary: x', 'u: hi', 'a: hello'],
    ],
    [
      'a compaction whose summary is beside it',
      [sdk([...SDK_TALK, { role: 'user', content: [], metadata: { kind: 'compaction_summary', summary: 'x' } }])],
      ['c: x'],
    ],
    [
      'a compaction without a summary',
      [sdk([...SDK_TALK, { role: 'user', content: [], metadata: { kind: 'compaction_summary' } }])],
      ['u: hi', 'a: hello'],
    ],
    [
      'notices of a basic compaction',
      [
        sdk([
          {
            role: 'user',
            content: text('hi', '<SYSTEM_NOTICE>12 removed</SYSTEM_NOTICE>'),
            metadata: { kind: 'compaction' },
          },
        ]),
      ],
      ['u: hi'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(clineReader.recognizes({ layout: 'array', rows })).toBe(true);
    expect(readRows(clineReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it.each([
    ['messages', [{ role: 'user', content: 'hi' }]],
    ['messages of Roo', [TASK, { role: 'user', content: 'x', isSummary: true }]],
    ['Anthropic messages', [user(toolResult('x'))]],
    ['a Gemini CLI session', { sessionId: 's', projectHash: 'p', messages: [] }],
    ['a session of something else', { version: 1, agent: 'lead', messages: [] }],
    ['a list of something else', { version: 1, agent: 'lead', sessionId: 's' }],
    ['nothing', 3],
  ])('does not claim %s', (_, value) => {
    expect(clineReader.recognizes(toSample(value))).toBe(false);
  });

  it('takes id and time of a task from its folder, and the folder it ran in from its first message', () => {
    const [log] = readRows(clineReader, [TASK], { fileName: `tasks/${START}/api_conversation_history.json` }).logs;
    expect(log?.header).toMatchObject({ format: 'cline', id: String(START), createdAt: START, cwd: '/home/u/x' });
    expect(log && titleOf(log)).toBe('hi');
    const named = readRows(clineReader, [line('say', 'task', 'hi')], {
      fileName: 'x/ui_messages.json',
      sessionId: 'mine',
    });
    expect(named.logs[0]?.header).toMatchObject({ id: 'mine', createdAt: START });
  });

  it('takes the time of a task from the first message that has one', () => {
    const rows = [TASK, { ...answer('hello'), ts: START }, { ...answer('again'), ts: START + 5 }];
    expect(readRows(clineReader, rows, { fileName: 'x/api_conversation_history.json' }).logs[0]?.header).toMatchObject({
      id: 'x',
      createdAt: START,
    });
  });

  it('takes id and time of a session from itself', () => {
    expect(readRows(clineReader, [sdk(SDK_TALK)]).logs[0]?.header).toMatchObject({ id: 's', createdAt: START });
    expect(readRows(clineReader, [sdk([])]).logs[0]?.header.createdAt).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
  });

  it('keeps what is no part of the conversation', () => {
    const rows = [TASK, user(toolResult('result!'), DETAILS), answer('<thinking>thought!</thinking>')];
    const kept = JSON.stringify(readRows(clineReader, rows).logs);
    for (const word of ['result!', 'thought!', 'a.ts']) expect(kept).toContain(word);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(clineReader, [
      7,
      {},
      TASK,
      { role: 'future', content: 'x' },
      sdk([3, ...SDK_TALK, { role: 'user', metadata: { kind: 'compaction_summary' } }]),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: hello'], ['u: hi']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'BROKEN_COMPACTION', 'UNKNOWN']);
  });

  it.each(['<task', '<thinking>', '</read_file><read_file>', '<user_command slash="', '[a', '<environment_details>'])(
    'reads many %s in linear time',
    (piece) => {
      const long = piece.repeat(200_000);
      expect(converse(clineReader, [TASK, user(long), answer(long), sdk([user(long)])]).length).toBe(2);
    },
    10_000,
  );

  testSamples(clineReader, [
    'cline/agentic.compaction.json',
    'cline/session.messages.json',
    'cline/legacy/tasks/1767225600000/api_conversation_history.json',
  ]);
});
