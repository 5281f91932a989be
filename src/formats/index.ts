export { agUiReader } from './ag-ui.ts';
export { aiSdkReader } from './ai-sdk.ts';
export { anthropicReader } from './anthropic.ts';
export { chatgptReader } from './chatgpt.ts';
export { claudeAiReader } from './claude-ai.ts';
export { claudeCodeReader } from './claude-code.ts';
export { clineReader } from './cline.ts';
export { codexReader } from './codex.ts';
export { copilotCliReader } from './copilot-cli.ts';
export { deepseekHarnessReader } from './deepseek-harness.ts';
export type {
  FormatName,
  FormatReader,
  FormatReading,
  FormatSample,
  ReadContext,
  ReadWarning,
  ReadWarningCode,
  Row,
  RowLayout,
} from './format-reader.ts';
export { geminiCliReader } from './gemini-cli.ts';
export { gooseReader } from './goose.ts';
export { kimiCodeReader } from './kimi-code.ts';
export { langgraphReader } from './langgraph.ts';
export { librechatReader } from './librechat.ts';
export { openWebuiReader } from './open-webui.ts';
export { openaiChatReader } from './openai-chat.ts';
export { openaiResponsesReader } from './openai-responses.ts';
export { opencodeReader } from './opencode.ts';
export type { Decompress } from './packed-files.ts';
export { piReader } from './pi.ts';
export { qwenCodeReader } from './qwen-code.ts';
export { readSessions } from './read-any-sessions.ts';
export { readSessionConversation } from './read-conversation.ts';
export type { ReadSessionsOptions } from './read-sessions.ts';
export { FORMAT_READERS } from './readers.ts';
export { rooReader } from './roo.ts';
export { type MessageDetails, type NewSession, SessionLogBuilder, type ShadowedRange } from './session-log-builder.ts';
export { sharegptReader } from './sharegpt.ts';
