export { type AgUiContent, type AgUiUserMessage, toAgUiMessages } from './messages/ag-ui.ts';
export {
  type AiSdkModelContent,
  type AiSdkModelMessage,
  toAiSdkModelMessages,
} from './messages/ai-sdk-model.ts';
export { type AiSdkUiMessage, type AiSdkUiPart, toAiSdkUiMessages } from './messages/ai-sdk-ui.ts';
export {
  type AnthropicContent,
  type AnthropicMessage,
  type AnthropicSource,
  toAnthropicMessages,
} from './messages/anthropic.ts';
export { type DeliveryHost, deliverTogether } from './messages/deliver.ts';
export { type LangChainContent, type LangChainHumanMessage, toLangChainMessages } from './messages/lang-chain.ts';
export type { MessageOptions } from './messages/message-pair.ts';
export { type OpenAiChatContent, type OpenAiChatMessage, toOpenAiChatMessages } from './messages/openai-chat.ts';
export {
  type OpenAiResponsesContent,
  type OpenAiResponsesMessage,
  toOpenAiResponsesInput,
} from './messages/openai-responses.ts';
export { isSessionReferenceSource, isSessionReferenceText } from './snapshot/recognize-context.ts';
