/**
 * The session log: an immutable header and an append-only list of events, as deepseek-harness writes it
 * (`packages/core/session`, MIT). Its JSONL files are read as they are.
 */

/** What never changes about a session. Fields a source adds beyond these are kept as they are. */
export interface SessionHeader {
  /** Version of the log format; 0 so far. */
  readonly version: number;
  /** Any JavaScript string, also empty or with lone surrogates. */
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly createdAt: number;
  /** The working directory or project the session belongs to. */
  readonly cwd?: string;
  /** The id of the session this one was forked or delegated from. */
  readonly parentSession?: string;
  readonly [field: string]: unknown;
}

/** How an event changes the surface: it joins the end, or takes the place of the inclusive range `start`…`end`. */
export type SurfaceOperation = 'append' | { readonly op: 'replace'; readonly start: number; readonly end: number };

/** One entry of a session log. Types this library does not know are kept and ignored. */
export interface SessionEvent {
  /** `user/message`, `assistant/message`, `session/title`, … */
  readonly type: string;
  /** Position in the log; contiguous from 0. */
  readonly seq: number;
  /** Unix time in milliseconds. */
  readonly time?: number;
  /** What the event carries; its shape depends on `type` and is narrowed where it is read. */
  readonly data: unknown;
  /** Only on events that can be seen by the model. Missing on such an event means `'append'`. */
  readonly surfaceOp?: SurfaceOperation;
  /** The events this one was made from. */
  readonly sourceEventSeqs?: readonly number[];
}

/** An event that is on the surface: part of what the model would see if the session went on. */
export interface SurfaceEvent {
  /** One of `user/message`, `steering/message`, `assistant/message`, `tool/result`. */
  readonly type: string;
  /** Position in the log it was folded from. Surface order is not seq order once something was replaced. */
  readonly seq: number;
  /** Unix time in milliseconds. */
  readonly time?: number;
  /** The message, or a wrapper whose `message` is the message. */
  readonly data: unknown;
}

/** A whole session: what readers yield and stores take. */
export interface SessionLog {
  readonly header: SessionHeader;
  /** All events, `seq` contiguous from 0. */
  readonly events: readonly SessionEvent[];
}

/** One piece of a message's content. Only `type: 'text'` blocks with a string `text` are ever quoted. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}
