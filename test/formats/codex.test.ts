import { describe, expect, it } from 'vitest';
import { codexReader } from '../../src/formats/codex.ts';
import { codesOf, readRows, speak, titleOf } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Line {
  readonly [field: string]: unknown;
}

const TIME = '2026-01-02T03:04:05.000Z';

function wrap(type: string, payload: Line): Line {
  return { timestamp: TIME, type, payload };
}

function meta(fields: Line = {}): Line {
  return wrap('session_meta', { id: 'c1', timestamp: TIME, cwd: '/home/u', source: 'cli', ...fields });
}

function message(role: string, ...texts: readonly string[]): Line {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return { type: 'message', role, content: texts.map((text) => ({ type, text })) };
}

function item(role: string, ...texts: readonly string[]): Line {
  return wrap('response_item', message(role, ...texts));
}

function event(type: string, fields: Line): Line {
  return wrap('event_msg', { type, ...fields });
}

function typed(text: string): Line {
  return event('user_message', { message: text });
}

function shown(text: string): Line {
  return event('agent_message', { message: text });
}

function completed(type: string, text: string): Line {
  return event('item_completed', { item: { type, content: [{ type: 'Text', text }] } });
}

const TALK = [item('user', 'hi'), typed('hi'), shown('hello'), item('assistant', 'hello')];

describe('the Codex reader', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    ['messages that are written down twice', [meta(), ...TALK], ['u: hi', 'a: hello']],
    ['a log without events', [item('user', 'hi'), item('assistant', 'hello')], ['u: hi', 'a: hello']],
    ['a log of events only', [typed('hi'), shown('hello')], ['u: hi', 'a: hello']],
    [
      'completed items, beside the history and the older events',
      [
        item('user', 'hi'),
        completed('UserMessage', 'hi'),
        typed('hi'),
        completed('AgentMessage', 'hello'),
        ...TALK.slice(2),
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'bare items of the first versions',
      [
        { id: 'x', timestamp: TIME, instructions: null },
        { record_type: 'state' },
        message('user', 'hi'),
        message('assistant', 'hello'),
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'what `codex exec` prints, completed items only',
      [
        { type: 'thread.started', thread_id: 't' },
        { type: 'item.updated', item: { type: 'agent_message', text: 'hel' } },
        { type: 'item.completed', item: { type: 'agent_message', text: 'hello' } },
        { type: 'item.completed', item: { type: 'command_execution', text: 'ls' } },
      ],
      ['a: hello'],
    ],
    ['the same words said again', [...TALK, ...TALK], ['u: hi', 'a: hello', 'u: hi', 'a: hello']],
    [
      'the same words said twice in one turn',
      [typed('go'), item('assistant', 'ok'), shown('ok'), shown('ok'), item('assistant', 'ok')],
      ['u: go', 'a: ok', 'a: ok'],
    ],
    [
      'several messages of the user in one turn',
      [typed('one'), typed('two'), shown('ok')],
      ['u: one', 'u: two', 'a: ok'],
    ],
    [
      'commentary',
      [
        typed('hi'),
        wrap('response_item', { ...message('assistant', 'looking'), phase: 'commentary' }),
        item('assistant', 'done'),
      ],
      ['u: hi', 'a: looking', 'a: done'],
    ],
    [
      'a file the user had open apart from the request',
      [typed('# Context from my IDE setup:\n\n## Active file: x\n\n## My request for Codex:\nfix it')],
      ['u: fix it'],
    ],
    [
      'talk about such a request',
      [typed('what is "## My request for Codex:" for')],
      ['u: what is "## My request for Codex:" for'],
    ],
    [
      'no context in the name of the user',
      [
        item('user', 'hi'),
        item('user', '# AGENTS.md instructions for /x\n<INSTRUCTIONS>', '<environment_context></environment_context>'),
        item('user', '<turn_aborted>'),
      ],
      ['u: hi'],
    ],
    [
      'no instructions of other programs',
      [
        item('user', '<system_instruction>x</system_instruction>\nhi'),
        item('user', '<system_instruction>x</system_instruction>'),
      ],
      ['u: hi'],
    ],
    ['no marks around images', [item('user', '<image name="1">', 'look', '</image>')], ['u: look']],
    ['no words where there is only an image', [item('user', '<image name="1">', '</image>')], []],
    [
      'no context that is shown as a message',
      [
        item('user', 'hi'),
        event('user_message', { message: '<environment_context></environment_context>', kind: 'environment_context' }),
      ],
      ['u: hi'],
    ],
    [
      'words beside an image',
      [
        wrap('response_item', {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_image', image_url: 'x', text: '<skill>' },
            { type: 'input_text', text: 'look' },
          ],
        }),
      ],
      ['u: look'],
    ],
    ['no developer and system messages', [item('developer', 'x'), item('system', 'y'), item('user', 'hi')], ['u: hi']],
    [
      'no replays of the history',
      [typed('hi'), wrap('compacted', { message: 'sum' }), item('user', 'hi'), typed('more')],
      ['c: sum', 'u: more'],
    ],
    [
      'a compaction',
      [
        ...TALK,
        wrap('compacted', { message: 'sum', replacement_history: [message('user', 'hi')] }),
        event('context_compacted', {}),
        typed('more'),
      ],
      ['c: sum', 'u: more'],
    ],
    [
      'the summary that the new history hands on',
      [
        ...TALK,
        wrap('compacted', {
          message: '',
          replacement_history: [
            message('user', 'hi'),
            message('user', 'Another language model started to solve this problem and produced a summary of it: x'),
          ],
        }),
      ],
      ['c: Another language model started to solve this problem and produced a summary of it: x'],
    ],
    [
      'a compaction that cannot be read',
      [
        ...TALK,
        wrap('compacted', { message: '', replacement_history: [{ type: 'compaction', encrypted_content: 'x' }] }),
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'turns that were rolled back',
      [
        ...TALK,
        typed('two'),
        shown('second'),
        typed('three'),
        event('thread_rolled_back', { num_turns: 2 }),
        typed('four'),
      ],
      ['u: hi', 'a: hello', 'u: four'],
    ],
    [
      'more turns rolled back than there are',
      [...TALK, event('thread_rolled_back', { num_turns: 9 }), typed('four')],
      ['u: four'],
    ],
    [
      'no turns rolled back',
      [...TALK, event('thread_rolled_back', { num_turns: -1 }), event('thread_rolled_back', { num_turns: 'x' })],
      ['u: hi', 'a: hello'],
    ],
    [
      'a rollback to before a compaction',
      [
        typed('one'),
        shown('first'),
        typed('two'),
        wrap('compacted', { message: 'sum' }),
        event('thread_rolled_back', { num_turns: 1 }),
      ],
      ['u: one', 'a: first'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(codexReader.recognizes({ layout: 'lines', rows })).toBe(true);
    expect(readRows(codexReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it.each([
    ['Responses items', [message('user', 'hi')]],
    [
      'a header of another format',
      [
        { type: 'session', id: 's', timestamp: TIME },
        { type: 'message', message: {} },
      ],
    ],
    [
      'a record with a time',
      [
        { id: 'x', timestamp: TIME },
        { role: 'user', content: 'hi' },
      ],
    ],
    ['nothing', [null, 3, 'x', {}]],
  ])('does not claim %s', (_, rows) => {
    expect(codexReader.recognizes({ layout: 'lines', rows })).toBe(false);
  });

  it('takes the facts of a session from its first header', () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: 'p' } } };
    const [log] = readRows(codexReader, [
      meta({ source }),
      meta({ id: 'parent', cwd: '/else' }),
      typed('say \n hi'),
    ]).logs;
    expect(log?.header).toMatchObject({ id: 'c1', cwd: '/home/u', parentSession: 'p', createdAt: Date.parse(TIME) });
    expect(log && titleOf(log)).toBe('say hi');
    expect(readRows(codexReader, [meta({ forked_from_id: 'f' })]).logs[0]?.header.parentSession).toBe('f');
  });

  it('is called by the latest name', () => {
    const names = ['A', 'B'].map((name) => event('thread_name_updated', { thread_name: name }));
    const [log] = readRows(codexReader, [typed('hi'), ...names]).logs;
    expect(log && titleOf(log)).toBe('B');
  });

  it.each([
    [[wrap('turn_context', { cwd: '/a' }), wrap('turn_context', { cwd: '/b' })], '/a'],
    [[message('user', '<environment_context>\n<cwd>/c</cwd></environment_context>')], '/c'],
    [[message('user', '<environment_context>\n\nCurrent working directory: /d\nx')], '/d'],
  ])('finds the folder without a header', (rows, cwd) => {
    expect(readRows(codexReader, rows).logs[0]?.header.cwd).toBe(cwd);
  });

  it('takes the id from the name of the file where no line has one', () => {
    const uuid = '11111111-2222-4333-8444-555555555555';
    const options = { fileName: `rollout-2026-01-02T03-04-05-${uuid}.jsonl` };
    expect(readRows(codexReader, TALK, options).logs[0]?.header.id).toBe(uuid);
    expect(readRows(codexReader, TALK, { ...options, sessionId: 'mine' }).logs[0]?.header.id).toBe('mine');
  });

  it('keeps every line', () => {
    const rows = [
      meta(),
      ...TALK,
      typed('two'),
      wrap('response_item', { type: 'function_call_output', output: 'secret' }),
      event('thread_rolled_back', { num_turns: 1 }),
    ];
    const [log] = readRows(codexReader, rows).logs;
    expect(log?.events.filter(({ type }) => type !== 'session/title').length).toBe(rows.length);
    expect(JSON.stringify(log)).toContain('secret');
  });

  it('takes what it knows without a word', () => {
    const rows = [
      meta(),
      wrap('turn_context', { cwd: '/x' }),
      wrap('world_state', {}),
      ...['reasoning', 'function_call', 'custom_tool_call', 'function_call_output', 'token_count'].map((type) =>
        wrap('response_item', { type }),
      ),
      event('token_count', {}),
      event('item_completed', { item: { type: 'Reasoning' } }),
      ...TALK,
      event('turn_aborted', { num_turns: 1 }),
    ];
    expect(readRows(codexReader, rows).warnings).toEqual([]);
    expect(readRows(codexReader, rows).logs.map(speak)).toEqual([['u: hi', 'a: hello']]);
  });

  it('takes the time from the first line where there is no header', () => {
    expect(readRows(codexReader, TALK).logs[0]?.header.createdAt).toBe(Date.parse(TIME));
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(codexReader, [
      7,
      'x',
      wrap('future', {}),
      {},
      ...TALK,
      wrap('compacted', {}),
      wrap('response_item', { type: 'compaction' }),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: hello']]);
    expect(codesOf(result)).toEqual([
      'UNREADABLE',
      'UNREADABLE',
      'UNKNOWN',
      'UNKNOWN',
      'BROKEN_COMPACTION',
      'BROKEN_COMPACTION',
    ]);
  });

  it('reads 20,000 turns that are rolled back one by one', () => {
    const turns = Array.from({ length: 20_000 }, (_, index) => typed(`m${index}`));
    const rollbacks = turns.map(() => event('thread_rolled_back', { num_turns: 1 }));
    expect(readRows(codexReader, [...turns, ...rollbacks]).logs.map(speak)).toEqual([[]]);
  }, 10_000);

  testSamples(codexReader, [
    'codex/codex-session-agent-lifecycle.jsonl',
    'codex/compacted_interleaved.jsonl',
    'codex/compaction-mid-turn.jsonl',
    'codex/exec-events-abort.jsonl',
    'codex/legacy-bare-rollout-44444444.jsonl',
    'codex/rollout-2026-01-02T03-04-05-11111111-1111-4111-8111-111111111111.jsonl',
  ]);
});
