import type { FormatName } from '../src/formats/format-reader.ts';

/** What people call the formats. Not taken from the readers: the page shall not load them. */
const NAMES: Readonly<Record<FormatName, string>> = {
  'deepseek-harness': 'deepseek-harness',
  'ai-sdk': 'AI SDK',
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic Messages',
  'claude-code': 'Claude Code',
  codex: 'Codex CLI',
  chatgpt: 'ChatGPT export',
  'claude-ai': 'Claude.ai export',
  'gemini-cli': 'Gemini CLI',
  opencode: 'opencode',
  librechat: 'LibreChat',
  'open-webui': 'Open WebUI',
  'ag-ui': 'AG-UI',
  langgraph: 'LangGraph',
  cline: 'Cline',
  roo: 'Roo Code',
  pi: 'pi',
  sharegpt: 'ShareGPT',
  'qwen-code': 'Qwen Code',
  goose: 'goose',
  'copilot-cli': 'Copilot CLI',
  'kimi-code': 'Kimi Code',
};

/** The name of a format for people. */
export function nameFormat(format: FormatName | undefined): string {
  return format === undefined ? 'unknown' : NAMES[format];
}
