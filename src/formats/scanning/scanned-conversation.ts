import { SessionReferenceError } from '../../error.ts';
import { isRecord, type UnknownRecord } from '../../record.ts';
import type { SessionConversationSnapshot } from '../../session/query.ts';
import type { SessionEvent, SessionHeader, SurfaceEvent } from '../../session/session.ts';
import { readSurfaceStep, SurfaceFold } from '../../session/surface.ts';
import { projectEvent } from '../../snapshot/projection.ts';
import { parseJson } from '../json-lines.ts';
import { ConversationEnd, isBlank, type SurfaceItem } from './conversation-end.ts';
import { ENTRY, ENTRY_LENGTH, KIND, type LogTexts, type ScanListener } from './log-scanner.ts';

/** A surface event, and where what may be quoted of it stands. */
interface ScannedEvent extends SurfaceEvent {
  readonly data: SurfaceItem;
}

/** Folds what a scanner tells into a surface, and hands out its end. */
export class ScannedConversation implements ScanListener {
  /** What the last replacement left. */
  readonly #fold = new SurfaceFold();
  /** What joined the end of the surface since then, in order: all of it, in most logs. */
  #appended: (Float64Array | ScannedEvent)[] = [];
  #nextSeq = 0;
  #hasSeqs: boolean | undefined;
  #header: SessionHeader | undefined;

  onEntries(entries: Float64Array, texts: LogTexts): void {
    for (let at = 0; at < entries.length; at += ENTRY_LENGTH) {
      this.#expect(entries[at + ENTRY.seq] ?? -1);
      entries[at + ENTRY.seq] = this.#nextSeq;
      this.#nextSeq += entries[at + ENTRY.count] ?? 1;
      const isQuoted = (entries[at + ENTRY.kind] ?? 0) > KIND.hidden;
      if (isQuoted && !texts.isSurelyVisible(entries[at + ENTRY.text] ?? 0) && isBlank(entries, at, texts)) {
        entries[at + ENTRY.kind] = KIND.hidden;
      }
    }
    this.#appended.push(entries);
  }

  onUnread(line: Uint8Array): void {
    const row = parseJson(new TextDecoder().decode(line));
    // A line that cannot be read costs that line, as in `readSessions`.
    if (!isRecord(row) || typeof row.type !== 'string') return;
    if (row.type === 'session') this.#addHeader(row);
    else this.#addEvent(row);
  }

  /**
   * The end of the conversation.
   *
   * @param bytes - how much text is wanted.
   * @param texts - of the scanner that told the rows.
   * @returns `undefined` when texts that are wanted have been forgotten.
   */
  finish(bytes: number, texts: LogTexts): SessionConversationSnapshot | undefined {
    if (this.#header === undefined) throw invalid('The log has no header.');
    const end = new ConversationEnd(bytes, texts);
    for (const part of this.#appended.reverse()) {
      if (part instanceof Float64Array) end.addEntries(part);
      else end.add(part.data);
    }
    for (const event of this.#fold.surface().reverse()) end.add((event as ScannedEvent).data);
    if (end.isForgotten) return undefined;
    const capturedThroughSeq = this.#nextSeq === 0 ? null : this.#nextSeq - 1;
    return { session: this.#header, capturedThroughSeq, ...end.read() };
  }

  #addHeader(row: UnknownRecord): void {
    if (this.#header !== undefined) throw invalid('The file holds more than one session.');
    const { type: _, version = 0, id = '', createdAt = 0, ...rest } = row;
    this.#header = { ...rest, version, id, createdAt } as SessionHeader;
  }

  #addEvent(row: UnknownRecord): void {
    this.#expect(typeof row.seq === 'number' ? row.seq : -1);
    const event = { ...row, seq: this.#nextSeq } as unknown as SessionEvent;
    const step = readSurfaceStep(event, this.#nextSeq);
    this.#nextSeq += 1;
    if (step === undefined) return;
    const scanned = { ...event, data: { unit: projectEvent(event) } };
    if (step === 'append') {
      this.#appended.push(scanned);
      return;
    }
    this.#foldAppended();
    this.#passTo(event.seq);
    this.#fold.apply([scanned]);
  }

  /** Must be done before a replacement, which may be of any of them. */
  #foldAppended(): void {
    for (const part of this.#appended) {
      if (part instanceof Float64Array) this.#foldEntries(part);
      else this.#foldEvent(part);
    }
    this.#appended = [];
  }

  #foldEntries(entries: Float64Array): void {
    for (let at = 0; at < entries.length; at += ENTRY_LENGTH) {
      if (entries[at + ENTRY.kind] === KIND.passed) continue;
      this.#foldEvent({ type: 'scanned', seq: entries[at + ENTRY.seq] ?? 0, data: { entries, at } });
    }
  }

  #foldEvent(event: ScannedEvent): void {
    this.#passTo(event.seq);
    this.#fold.append(event);
  }

  #passTo(seq: number): void {
    this.#fold.pass(seq - ((this.#fold.capturedThroughSeq ?? -1) + 1));
  }

  #expect(seq: number): void {
    this.#hasSeqs ??= seq >= 0;
    if (!this.#hasSeqs && seq < 0) return;
    if (seq === this.#nextSeq) return;
    throw invalid(
      `The log has a gap: seq ${this.#nextSeq} was expected, ${seq < 0 ? 'none' : `seq ${seq}`} was found.`,
    );
  }
}

function invalid(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}
