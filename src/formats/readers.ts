import { agUiReader } from './ag-ui.ts';
import { aiSdkReader } from './ai-sdk.ts';
import { anthropicReader } from './anthropic.ts';
import { chatgptReader } from './chatgpt.ts';
import { claudeAiReader } from './claude-ai.ts';
import { claudeCodeReader } from './claude-code.ts';
import { clineReader } from './cline.ts';
import { codexReader } from './codex.ts';
import { copilotCliReader } from './copilot-cli.ts';
import { deepseekHarnessReader } from './deepseek-harness.ts';
import type { FormatReader } from './format-reader.ts';
import { geminiCliReader } from './gemini-cli.ts';
import { gooseReader } from './goose.ts';
import { kimiCodeReader } from './kimi-code.ts';
import { langgraphReader } from './langgraph.ts';
import { librechatReader } from './librechat.ts';
import { openWebuiReader } from './open-webui.ts';
import { openaiChatReader } from './openai-chat.ts';
import { openaiResponsesReader } from './openai-responses.ts';
import { opencodeReader } from './opencode.ts';
import { piReader } from './pi.ts';
import { qwenCodeReader } from './qwen-code.ts';
import { rooReader } from './roo.ts';
import { sharegptReader } from './sharegpt.ts';

/** Every reader, the most specific first: the first that recognizes a file reads it. A new format is one line here. */
export const FORMAT_READERS: readonly FormatReader[] = [
  deepseekHarnessReader,
  claudeCodeReader,
  codexReader,
  piReader,
  geminiCliReader,
  opencodeReader,
  clineReader,
  rooReader,
  qwenCodeReader,
  gooseReader,
  copilotCliReader,
  kimiCodeReader,
  chatgptReader,
  claudeAiReader,
  openWebuiReader,
  librechatReader,
  agUiReader,
  langgraphReader,
  sharegptReader,
  aiSdkReader,
  openaiResponsesReader,
  anthropicReader,
  openaiChatReader,
];
