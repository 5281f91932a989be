import { type Endpoint, type Remote, releaseProxy, transfer, wrap } from 'comlink';
import { untilCancelled } from '../src/cancellation.ts';
import { SessionReferenceError } from '../src/error.ts';
import { fromErrorData, toErrorData } from './error-data.ts';
import { copyPlain } from './plain-copy.ts';
import { type Answer, type Call, type Notice, parseNotice, type RunApi } from './protocol.ts';
import { workerFailed } from './worker-failed.ts';

/** How to make a call. */
export interface CallOptions {
  /** Cancels at once. If it is aborted already the call is made all the same: other faults of it come first. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: unknown) => void) | undefined;
  /** Buffers, streams and ports that are handed over, not copied. */
  readonly transferred?: readonly Transferable[];
}

/** Pings without an answer, one after the other, that make the other side dead. Counted, not timed: a page that slept
 * counts one. */
const MAX_SILENT_PINGS = 5;

/**
 * One end of a private port over which methods of the other side are called. No call stays unanswered: it ends with a
 * result, an error, its signal, the end of the connection, or the silence of the other side.
 */
export class Caller {
  readonly #port: MessagePort;
  // Must be kept: Comlink releases what nobody holds.
  readonly #remote: Remote<RunApi>;
  readonly #onNotice: (notice: Notice) => void;
  readonly #onEnd: (error: SessionReferenceError) => void;
  readonly #silenceTimeout: number;
  readonly #pending = new Map<number, { reject(error: unknown): void; onProgress: CallOptions['onProgress'] }>();
  #end: SessionReferenceError | undefined;
  #sending: { args: readonly unknown[] } | undefined;
  #lastId = 0;
  #silentPings = 0;
  #pinging: ReturnType<typeof setInterval> | undefined;

  /**
   * @param port - used by nothing else; started here.
   * @param settings - `silenceTimeout`: ms without a sign of life during a call after which the other side counts as
   *   dead. `onEnd`: called once, when the connection ended by itself. `onNotice`: called for notices about no call.
   */
  constructor(
    port: MessagePort,
    settings: {
      readonly silenceTimeout: number;
      readonly onEnd: (error: SessionReferenceError) => void;
      readonly onNotice?: (notice: Notice) => void;
    },
  ) {
    this.#port = port;
    this.#silenceTimeout = settings.silenceTimeout;
    this.#onEnd = settings.onEnd;
    this.#onNotice = settings.onNotice ?? ((): void => undefined);
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#hear(data));
    port.addEventListener('messageerror', () => this.fail('An answer of the worker could not be read.'));
    this.#remote = wrap<RunApi>(this.#createEndpoint());
    port.start();
  }

  /**
   * Call a method of the other side. It is sent at once: what its arguments hold now is what the other side gets.
   *
   * @param method - its name.
   * @param args - its arguments. What cannot be cloned is copied plainly, or refused with its path.
   * @param options - see {@link CallOptions}.
   * @returns what the method returned, of unknown shape.
   * @throws what the method threw as far as it survives the border, `CANCELLED`, or why the connection ended.
   */
  async call(method: string, args: readonly unknown[], options: CallOptions = {}): Promise<unknown> {
    const { signal, onProgress, transferred = [] } = options;
    if (this.#end !== undefined) throw this.#end;
    this.#lastId += 1;
    const id = this.#lastId;
    const isAborted = signal?.aborted === true;
    const call: Call & { args: readonly unknown[] } = {
      id,
      method,
      args,
      ...(isAborted ? { aborted: { reason: toErrorData(signal.reason) } } : {}),
    };
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#pending.set(id, { reject, onProgress });
      this.#sending = call;
      this.#remote.run(transfer(call, [...transferred])).then(resolve, reject);
      this.#sending = undefined;
    }).finally(() => this.#pending.delete(id));
    this.#watch();
    const abort = (): void => {
      if (this.#end === undefined) this.#port.postMessage({ notice: 'abort', id, reason: toErrorData(signal?.reason) });
    };
    if (!isAborted) signal?.addEventListener('abort', abort, { once: true });
    try {
      const result = await (isAborted ? answer : untilCancelled(answer, signal));
      if (result.ok) return result.value;
      throw fromErrorData(result.error);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * End the connection: pending calls reject, and the other side aborts what it does for them.
   *
   * @param error - what pending and later calls reject with.
   */
  end(error: SessionReferenceError): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    clearInterval(this.#pinging);
    this.#port.postMessage({ notice: 'bye' } satisfies Notice);
    this.#remote[releaseProxy]();
    this.#port.close();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  /** {@link Caller.end} because the other side failed. */
  fail(message: string, cause?: unknown): void {
    if (this.#end !== undefined) return;
    const error = workerFailed(message, cause);
    this.end(error);
    this.#onEnd(error);
  }

  /** The port, as Comlink uses it: what structured clone refuses goes out as a plain copy. */
  #createEndpoint(): Endpoint {
    const port = this.#port;
    return {
      addEventListener: port.addEventListener.bind(port),
      removeEventListener: port.removeEventListener.bind(port),
      postMessage: (message: unknown, transferred: Transferable[] = []): void => {
        try {
          port.postMessage(message, transferred);
        } catch (cause) {
          const call = this.#sending;
          if (call === undefined) throw cause;
          // Must copy only now: what structured clone can copy by itself, it copies fastest and best. The message holds
          // this call.
          call.args = copyPlain(call.args, transferred) as readonly unknown[];
          postOrRefuse(port, message, transferred);
        }
      },
    };
  }

  #hear(data: unknown): void {
    this.#silentPings = 0;
    const notice = parseNotice(data);
    if (notice === undefined) return;
    if (notice.notice === 'progress') this.#pending.get(notice.id)?.onProgress?.(notice.value);
    else if (notice.notice === 'bye') this.fail('The worker ended the connection.');
    else this.#onNotice(notice);
  }

  /** Look whether the other side lives for as long as anything is pending: a worker that was killed says nothing. */
  #watch(): void {
    if (this.#pinging !== undefined) return;
    this.#silentPings = 0;
    this.#pinging = setInterval(() => {
      if (this.#pending.size === 0) {
        clearInterval(this.#pinging);
        this.#pinging = undefined;
      } else if (this.#silentPings < MAX_SILENT_PINGS) {
        this.#silentPings += 1;
        this.#port.postMessage({ notice: 'ping' } satisfies Notice);
      } else {
        this.fail(`The worker gave no sign of life for ${this.#silenceTimeout} ms.`);
      }
    }, this.#silenceTimeout / MAX_SILENT_PINGS);
  }
}

function postOrRefuse(port: MessagePort, message: unknown, transferred: Transferable[]): void {
  try {
    port.postMessage(message, transferred);
  } catch (cause) {
    const text = 'A buffer, stream or port cannot be handed over to the worker.';
    throw new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', text, { cause });
  }
}
