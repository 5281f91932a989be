import { isRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import { toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { showField } from './foreign-fields.ts';

/** Elements that hold what the user typed. */
const TYPED_TAGS = ['task', 'feedback', 'user_message', 'answer'];

/** Tools whose input is meant for the user, and the field that is. */
const SPEAKING_TOOLS: ReadonlyMap<string, string> = new Map([
  ['attempt_completion', 'result'],
  ['ask_followup_question', 'question'],
  ['plan_mode_respond', 'response'],
]);

/** Tools that older versions called in the text of the answer, as elements of this name. */
const TOOLS: readonly string[] = [
  'access_mcp_resource',
  'apply_diff',
  'browser_action',
  'codebase_search',
  'condense',
  'execute_command',
  'fetch_instructions',
  'insert_content',
  'list_code_definition_names',
  'list_files',
  'load_mcp_documentation',
  'new_rule',
  'new_task',
  'read_file',
  'replace_in_file',
  'report_bug',
  'search_and_replace',
  'search_files',
  'switch_mode',
  'update_todo_list',
  'use_mcp_tool',
  'web_fetch',
  'write_to_file',
];

/**
 * What of a message in the role of the user the user typed. Cline sends results of tools, the state of the editor and
 * its own remarks in the same message, as text.
 *
 * @param content - of the message.
 * @returns the blocks with only the typed text as text; without any, nobody typed anything.
 */
export function readTypedText(content: unknown): readonly ContentBlock[] {
  const blocks = toContentBlocks(content);
  let isResult = false;
  const texts = blocks.map((block) => {
    if (block.type === 'tool_result') return { tagged: readResultText(block.content), plain: undefined };
    if (block.type !== 'text' || typeof block.text !== 'string') return undefined;
    const text = removeElements(block.text, ['environment_details']).trim();
    // What a tool returned follows the line that says so, in the same block or in the next ones.
    isResult ||= readResultHeading(text) !== undefined;
    const isRemark = isResult || text.startsWith('[TASK RESUMPTION]');
    return { tagged: readTagged(text), plain: isRemark || text === '' ? undefined : text };
  });
  const isTagged = texts.some((text) => text?.tagged !== undefined);
  return blocks.map((block, index) => {
    const found = texts[index];
    if (found === undefined) return block;
    const text = isTagged ? found.tagged : found.plain;
    return text === undefined
      ? toHiddenBlock(block.type === 'text' ? 'context' : block.type, block)
      : { type: 'text', text };
  });
}

/**
 * What of an answer the user was shown: its text, and what tools say to the user in its name.
 *
 * @param content - of the message.
 */
export function readAnswer(content: unknown): readonly ContentBlock[] {
  return toContentBlocks(content).flatMap((block) => {
    if (block.type === 'tool_use') {
      const field = SPEAKING_TOOLS.get(showField(block.name));
      const text = field !== undefined && isRecord(block.input) ? block.input[field] : undefined;
      return typeof text === 'string' ? [block, { type: 'text', text }] : [block];
    }
    if (block.type !== 'text' || typeof block.text !== 'string' || !block.text.includes('<')) return [block];
    const text = removeToolCalls(block.text);
    return text === block.text ? [block] : [{ type: 'text', text }, toHiddenBlock('original-text', block.text)];
  });
}

/** The words of the user can stand in the result of a tool that asked for them, or that they refused. */
function readResultText(content: unknown): string | undefined {
  const texts = toContentBlocks(content).flatMap(({ type, text }) => {
    return type === 'text' && typeof text === 'string' ? (readTagged(text.trim()) ?? []) : [];
  });
  return texts.length === 0 ? undefined : texts.join('\n');
}

/**
 * Must look only where Cline puts the elements: at the start, behind the heading of a result, or behind its own
 * remarks. A file that a tool read can hold the same elements.
 */
function readTagged(text: string): string | undefined {
  const body = readResultHeading(text) ?? text;
  const isRemark = body.startsWith('The user ') || body.startsWith('[TASK RESUMPTION]') || body.startsWith('New ');
  if (!isRemark && !TYPED_TAGS.some((tag) => body.startsWith(`<${tag}>`))) return undefined;
  const found = TYPED_TAGS.flatMap((tag) => readElement(body, tag) ?? []);
  return found.length === 0 ? undefined : found.join('\n');
}

/** `[read_file for 'x'] Result:` */
function readResultHeading(text: string): string | undefined {
  if (!/^\[\w/.test(text) || text.startsWith('[TASK RESUMPTION]')) return undefined;
  const end = text.indexOf('] Result:');
  return end < 0 ? undefined : text.slice(end + '] Result:'.length).trim();
}

function readElement(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = start < 0 ? -1 : text.lastIndexOf(`</${tag}>`);
  return start < 0 || end < start ? undefined : text.slice(start + tag.length + 2, end).trim();
}

/**
 * Text without elements of some names. What is not closed stays: nobody knows where it ends.
 *
 * @param text - the text.
 * @param tags - names of the elements, which may have attributes.
 */
export function removeElements(text: string, tags: readonly string[]): string {
  let kept = text;
  for (const tag of tags) kept = replaceElements(kept, tag, () => '');
  return kept;
}

function removeToolCalls(text: string): string {
  let kept = removeElements(text, ['thinking']);
  for (const tool of TOOLS) {
    if (kept.includes(`</${tool}>`)) kept = removeElements(kept, [tool]);
  }
  for (const [tool, field] of SPEAKING_TOOLS) {
    if (kept.includes(`</${tool}>`)) kept = replaceElements(kept, tool, (body) => readElement(body, field) ?? '');
  }
  return kept === text ? text : kept.trim();
}

/**
 * Text with elements of a name replaced.
 *
 * @param text - the text.
 * @param tag - name of the elements, which may have attributes.
 * @param replace - is given the body of an element and its attributes.
 */
export function replaceElements(
  text: string,
  tag: string,
  replace: (body: string, attributes: string) => string,
): string {
  let kept = '';
  let position = 0;
  for (let start = findOpening(text, tag, 0); start >= 0; start = findOpening(text, tag, position)) {
    const bodyStart = text.indexOf('>', start) + 1;
    const end = bodyStart === 0 ? -1 : text.indexOf(`</${tag}>`, bodyStart);
    if (end < 0) break;
    const attributes = text.slice(start + tag.length + 1, bodyStart - 1);
    kept += text.slice(position, start) + replace(text.slice(bodyStart, end), attributes);
    position = end + tag.length + 3;
  }
  return kept + text.slice(position);
}

function findOpening(text: string, tag: string, from: number): number {
  const opening = `<${tag}`;
  let start = text.indexOf(opening, from);
  // Must not take `<taskbar>` for `<task>`.
  while (start >= 0 && !/[\s>]/.test(text.charAt(start + opening.length))) start = text.indexOf(opening, start + 1);
  return start;
}

/**
 * The folder a task ran in, which Cline and Roo tell only the model.
 *
 * @param content - of a message of the user.
 */
export function findWorkingDirectory(content: unknown): string | undefined {
  for (const { text } of toContentBlocks(content)) {
    if (typeof text !== 'string') continue;
    const start = text.search(/# Current (?:Working|Workspace) Directory \(/);
    if (start >= 0) return /\(([^)\n]{1,4096})\)/.exec(text.slice(start, start + 4200))?.[1];
  }
  return undefined;
}
