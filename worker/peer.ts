import { untilCancelled } from '../src/cancellation.ts';
import { SessionReferenceError } from '../src/error.ts';
import { fromErrorData, toErrorData } from './error-data.ts';
import { copyPlain } from './plain-copy.ts';
import { type CallArguments, type CallMessage, type PortMessage, parsePortMessage } from './protocol.ts';

/** What a method gets beside its arguments. */
export interface CallContext {
  /** Aborts when the caller cancels, and when the connection ends. */
  readonly signal: AbortSignal;
  /** Tell the caller how far the work has come. */
  readonly onProgress: (progress: unknown) => void;
}

/** Something the other side may call. Its arguments are of unknown shape. */
export type PeerMethod = (args: CallArguments, context: CallContext) => unknown;

/** What the other side may call, by name. A map, so that no name reaches a prototype. */
export type PeerMethods = ReadonlyMap<string, PeerMethod>;

/** How to call the other side. */
export interface CallOptions {
  /** Cancels at once. If it is aborted already the call is made all the same: other faults of it come first. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: unknown) => void) | undefined;
}

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: unknown) => void) | undefined;
}

/** Unanswered pings in a row that make the other side dead. Counted, not timed: a page that slept counts one. */
const MAX_SILENT_PINGS = 4;

/**
 * One end of a private port over which each side calls methods of the other. No call stays unanswered: it ends with a
 * result, an error, its signal, the end of the connection, or the silence of the other side.
 */
export class Peer {
  readonly #port: MessagePort;
  readonly #methods: PeerMethods;
  readonly #onEnd: (error: SessionReferenceError) => void;
  readonly #silenceTimeout: number | undefined;
  readonly #pending = new Map<number, PendingCall>();
  readonly #running = new Map<number, AbortController>();
  #lastId = 0;
  #silentPings = 0;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #end: SessionReferenceError | undefined;

  /**
   * @param port - used by nothing else; it is started and closed here.
   * @param methods - what the other side may call.
   * @param onEnd - called once, when the connection ended.
   * @param silenceTimeout - ms without a sign of life after which a pending call ends the connection. Default: never.
   */
  constructor(
    port: MessagePort,
    methods: PeerMethods,
    onEnd: (error: SessionReferenceError) => void,
    silenceTimeout?: number,
  ) {
    this.#port = port;
    this.#methods = methods;
    this.#onEnd = onEnd;
    this.#silenceTimeout = silenceTimeout;
    port.onmessage = ({ data }: MessageEvent<unknown>): void => {
      const message = parsePortMessage(data);
      if (message !== undefined) this.#receive(message);
    };
    port.onmessageerror = (): void => {
      this.#post({ kind: 'unreadable' });
      this.#ping();
    };
  }

  /**
   * Call a method of the other side.
   *
   * @param method - its name.
   * @param args - its arguments by name. What cannot be cloned is copied plainly, or refused with its path.
   * @param options - a signal, and where to report progress.
   * @returns what the method returned, of unknown shape.
   * @throws what the method threw as far as it survives the border, `CANCELLED`, or why the connection ended.
   */
  async call(method: string, args: CallArguments, { signal, onProgress }: CallOptions = {}): Promise<unknown> {
    if (this.#end !== undefined) throw this.#end;
    const id = ++this.#lastId;
    const call: CallMessage = { kind: 'call', id, method, value: args };
    const wasAborted = signal?.aborted;
    this.#postCopying(wasAborted ? { ...call, aborted: { reason: toErrorData(signal?.reason) } } : call);
    const answer = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject, onProgress }));
    this.#watch();
    if (wasAborted) return answer;
    const abort = (): void => {
      this.#pending.delete(id);
      this.#post({ kind: 'abort', id, value: toErrorData(signal?.reason) });
    };
    signal?.addEventListener('abort', abort);
    return untilCancelled(answer, signal).finally(() => signal?.removeEventListener('abort', abort));
  }

  /**
   * End the connection: pending calls reject, what runs here is aborted, the other side is told and the port closed.
   *
   * @param error - what pending and later calls reject with.
   */
  end(error: SessionReferenceError): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    this.#post({ kind: 'bye' });
    this.#port.onmessage = this.#port.onmessageerror = null;
    this.#port.close();
    clearInterval(this.#pinging);
    for (const { reject } of this.#pending.values()) reject(error);
    for (const running of this.#running.values()) running.abort(error);
    this.#pending.clear();
    this.#onEnd(error);
  }

  #receive(message: PortMessage): void {
    this.#silentPings = 0;
    switch (message.kind) {
      case 'call':
        void this.#serve(message);
        break;
      case 'result':
        this.#settle(message.id)?.resolve(message.value);
        break;
      case 'error':
        this.#settle(message.id)?.reject(fromErrorData(message.value));
        break;
      case 'progress':
        this.#pending.get(message.id)?.onProgress?.(message.value);
        break;
      case 'abort':
        this.#running.get(message.id)?.abort(fromErrorData(message.value));
        break;
      case 'ping':
        this.#post({ kind: 'pong' });
        this.#reportLost(message.value);
        break;
      case 'unreadable':
        this.#ping();
        break;
      case 'bye':
        this.end(failed('The other side ended the connection.'));
    }
  }

  async #serve({ id, method, value, aborted }: CallMessage): Promise<void> {
    if (this.#running.has(id)) return;
    const controller = new AbortController();
    if (aborted !== undefined) controller.abort(fromErrorData(aborted.reason));
    this.#running.set(id, controller);
    try {
      const run = this.#methods.get(method);
      if (run === undefined) throw failed('The other side has no such method.');
      const onProgress = (progress: unknown): void => this.#post({ kind: 'progress', id, value: progress });
      this.#postCopying({ kind: 'result', id, value: await run(value, { signal: controller.signal, onProgress }) });
    } catch (error) {
      this.#post({ kind: 'error', id, value: toErrorData(error) });
    }
    this.#running.delete(id);
  }

  #settle(id: number): PendingCall | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  /** Look whether the other side lives for as long as anything is pending: a killed worker says nothing. */
  #watch(): void {
    if (this.#silenceTimeout === undefined || this.#pinging !== undefined) return;
    this.#silentPings = 0;
    this.#pinging = setInterval(() => {
      if (this.#pending.size === 0) {
        clearInterval(this.#pinging);
        this.#pinging = undefined;
      } else if (this.#silentPings++ < MAX_SILENT_PINGS) {
        this.#ping();
      } else {
        this.end(failed(`The worker gave no sign of life for ${this.#silenceTimeout} ms.`));
      }
    }, this.#silenceTimeout / MAX_SILENT_PINGS);
  }

  #ping(): void {
    this.#post({ kind: 'ping', value: [...this.#pending.keys()] });
  }

  /** Messages keep their order, so a call that is neither running nor answered never arrived. */
  #reportLost(ids: readonly unknown[]): void {
    for (const id of ids) {
      if (typeof id !== 'number' || this.#running.has(id)) continue;
      this.#post({ kind: 'error', id, value: toErrorData(unsendable()) });
    }
  }

  #post(message: PortMessage): void {
    this.#port.postMessage(message);
  }

  #postCopying(message: Extract<PortMessage, { readonly kind: 'call' | 'result' }>): void {
    try {
      this.#post(message);
    } catch {
      const copy = { ...message, value: copyPlain(message.value) } as PortMessage;
      try {
        this.#post(copy);
      } catch (cause) {
        throw unsendable(cause);
      }
    }
  }
}

function failed(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_WORKER_FAILED', message);
}

function unsendable(cause?: unknown): SessionReferenceError {
  const message = 'The data cannot be sent to the worker: it is nested too deeply or too large.';
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message, { cause });
}
