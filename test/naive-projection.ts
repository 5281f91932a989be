import type { SurfaceEvent } from '../src/session/session.ts';

/** One message of a source, as DESIGN §5 projects it. */
export interface SourceUnit {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly checkpoint: boolean;
}

interface LooseMessage {
  readonly content?: unknown;
  readonly source?: { readonly kind?: unknown; readonly plugin?: unknown };
  readonly envelope?: { readonly displayContent?: unknown };
}

/**
 * The projection of DESIGN §5, written from the contract alone.
 *
 * @param events - a folded surface.
 */
export function naiveProjection(events: readonly SurfaceEvent[]): SourceUnit[] {
  return events.flatMap((event) => {
    const unit = projectOne(event);
    return unit === undefined || unit.text.trim() === '' ? [] : [unit];
  });
}

function projectOne({ type, data }: SurfaceEvent): SourceUnit | undefined {
  const holder = data as { readonly message?: LooseMessage } & LooseMessage;
  const message: LooseMessage = holder.message ?? holder;
  const isDirect = message.source?.kind === 'user';
  const isCompact = message.source?.kind === 'plugin' && message.source.plugin === 'compact';
  if (type === 'assistant/message') return { role: 'assistant', text: joinText(message.content), checkpoint: false };
  if (isDirect && (type === 'user/message' || type === 'steering/message')) {
    return { role: 'user', text: joinText(message.envelope?.displayContent ?? message.content), checkpoint: false };
  }
  if (isCompact && type === 'user/message') return { role: 'user', text: joinText(message.content), checkpoint: true };
  return undefined;
}

function joinText(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? (content as readonly { type?: unknown; text?: unknown }[]) : [];
  return blocks
    .filter(({ type, text }) => type === 'text' && typeof text === 'string')
    .map(({ text }) => text)
    .join('\n');
}
