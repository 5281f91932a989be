import type { ContentBlock } from '../session/session.ts';
import { toHiddenBlock } from './foreign-content.ts';

/** What Codex and tools around it tell the model in the name of the user begins with one of these. */
const CONTEXT_STARTS: readonly string[] = [
  '# AGENTS.md instructions for ',
  '<environment_context>',
  '<user_instructions>',
  '<extension_context>',
  '<skill>',
  '<user_shell_command>',
  '<turn_aborted>',
  '<subagent_notification>',
  '<goal_context>',
  '<hook_prompt',
  '<recommended_plugins>',
  '<permissions instructions>',
  '<collaboration_mode>',
  '<skills_instructions>',
  '<personality_spec>',
  '<model_switch>',
  '<token_budget>',
];

const INSTRUCTION = { opening: '<system_instruction>', closing: '</system_instruction>' } as const;

/** Editors put this between what they have open and what the user typed. */
const REQUEST_HEADING = '## My request for Codex:';

const SUMMARY_START = 'Another language model started to solve this problem and produced a summary';

/**
 * Whether a message in the role of the user is one that no person typed.
 *
 * @param blocks - its content; one text of the kind is enough.
 */
export function isContext(blocks: readonly ContentBlock[]): boolean {
  return blocks.some(({ type, text }) => {
    if (type !== 'text' || typeof text !== 'string') return false;
    const start = text.trimStart();
    return (
      CONTEXT_STARTS.some((marker) => start.startsWith(marker)) || (start !== '' && removeInstruction(start) === '')
    );
  });
}

/**
 * Whether a text is the summary of a compaction, as it is handed on to the next model.
 *
 * @param text - of a message.
 */
export function isSummary(text: string): boolean {
  return text.trimStart().startsWith(SUMMARY_START);
}

/**
 * What of a message the user typed.
 *
 * @param blocks - the content of the message.
 * @returns `undefined` where it is all of it.
 */
export function readTypedBlocks(blocks: readonly ContentBlock[]): readonly ContentBlock[] | undefined {
  let isChanged = false;
  const typed = blocks.map((block) => {
    if (block.type !== 'text' || typeof block.text !== 'string') return block;
    const text = readTyped(block.text);
    if (text === block.text) return block;
    isChanged = true;
    return text === '' ? toHiddenBlock('context', block.text) : { type: 'text', text };
  });
  return isChanged ? typed : undefined;
}

function readTyped(text: string): string {
  // Texts that mark where an image begins and ends.
  if (text === '</image>' || (text.startsWith('<image') && /^<image(?:\s[^<>]{0,1000})?>$/.test(text))) return '';
  const words = removeInstruction(text);
  const heading = findHeading(words);
  return heading < 0 ? words : words.slice(heading + REQUEST_HEADING.length).trim();
}

function removeInstruction(text: string): string {
  if (!text.trimStart().startsWith(INSTRUCTION.opening)) return text;
  const end = text.indexOf(INSTRUCTION.closing);
  return end < 0 ? '' : text.slice(end + INSTRUCTION.closing.length).trim();
}

/** Must be at the start of a line: in the middle of one somebody writes about it. */
function findHeading(text: string): number {
  if (text.startsWith(REQUEST_HEADING)) return 0;
  const position = text.indexOf(`\n${REQUEST_HEADING}`);
  return position < 0 ? position : position + 1;
}
