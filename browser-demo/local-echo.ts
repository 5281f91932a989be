import { isSessionReferenceText } from '../src/messages.ts';
import type { Assistant, ModelMessage } from './assistant.ts';

/** Time in ms between two words, so that an answer can be seen coming and be stopped. */
const WORD_PAUSE = 12;

/** Characters of the message that the echo repeats. */
const ECHO_LENGTH = 400;

/** An assistant without a model: it says that it is none, and what a model would have got. */
export const LOCAL_ECHO: Assistant = {
  name: 'Local echo',
  async answer(messages, onText, signal) {
    for (const word of compose(messages).match(/\S+\s*/g) ?? []) {
      if (signal.aborted) return;
      onText(word);
      await new Promise((resolve) => setTimeout(resolve, WORD_PAUSE));
    }
  },
};

function compose(messages: readonly ModelMessage[]): string {
  const [context, message] = messages.slice(-2);
  const echoed = (message ?? context)?.content ?? '';
  const short = echoed.length > ECHO_LENGTH ? `${echoed.slice(0, ECHO_LENGTH)}…` : echoed;
  const hasContext = message !== undefined && context?.role === 'user' && isSessionReferenceText(context.content);
  const received = hasContext
    ? 'A model would have received two user messages now: the snapshot of what you referenced, then your own words.'
    : 'A model would have received your message as it is, without any reference.';
  return `This is a local echo, no model was asked. ${received} Open “What the model sees” to read it.\n\nYou wrote: ${short}`;
}
