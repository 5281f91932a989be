import type { SessionReferenceError } from '../src/error.ts';
import { Caller } from './caller.ts';
import { type ChannelMessage, type Notice, PROTOCOL_VERSION, parseChannelMessage } from './protocol.ts';
import { workerFailed } from './worker-failed.ts';

/** A `SharedWorker`, by its shape: the type is not known where workers are compiled. */
export interface SharedWorkerLike extends EventTarget {
  readonly port: MessagePort;
}

/** What can be connected to: a worker, or the port of one that is shared or started elsewhere. */
export type WorkerLike = Worker | SharedWorkerLike | MessagePort;

/** How to start a connection, and how long to wait. */
export interface StartSettings {
  /** The arguments of the first call, `open`: what the worker shall work on. */
  readonly setup: readonly unknown[];
  /** Ports among them. */
  readonly transferred: readonly Transferable[];
  /** Time in ms within which the worker must have answered `open`. */
  readonly startTimeout: number;
  /** Silence in ms during a call after which the worker counts as dead. */
  readonly silenceTimeout: number;
  readonly onNotice: (notice: Notice) => void;
  /** Called when the connection ended by itself after it was made. */
  readonly onEnd: (error: SessionReferenceError) => void;
}

/** A connection that is being made, or was. */
export interface StartedWorker {
  /** Rejects with `WORKER_FAILED`, or with what the worker answered to `open`. */
  readonly caller: Promise<Caller>;
  /** End it at any time; a worker that was started here is terminated. */
  stop(error: SessionReferenceError): void;
}

/** The longest time in ms that a timer can wait; more would be no time at all. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1;

/**
 * Start a worker and connect to it. However it fails, this ends within `startTimeout`, and the worker is stopped.
 *
 * @param worker - what to connect to; a function starts it, and what it starts is terminated in the end.
 * @param settings - see {@link StartSettings}.
 */
export function startWorker(worker: WorkerLike | (() => WorkerLike), settings: StartSettings): StartedWorker {
  const listening = new AbortController();
  const listen: AddEventListenerOptions = { signal: listening.signal };
  const isOwn = typeof worker === 'function';
  const startTimeout = Math.min(settings.startTimeout, MAX_TIMER_MILLISECONDS);
  let channel: Worker | MessagePort | undefined;
  let caller: Caller | undefined;
  let isOpen = false;
  let rejectStart: (error: SessionReferenceError) => void = () => undefined;

  const stop = (error: SessionReferenceError): void => {
    if (listening.signal.aborted) return;
    listening.abort();
    clearTimeout(timer);
    caller?.end(error);
    // Must stop a worker that was started here: one that does not answer may still be busy.
    if (isOwn && channel !== undefined) 'terminate' in channel ? channel.terminate() : channel.close();
    rejectStart(error);
  };
  const fail = (message: string, cause?: unknown): void => {
    const error = workerFailed(message, cause);
    const wasOpen = isOpen;
    stop(error);
    if (wasOpen) settings.onEnd(error);
  };
  const timer = setTimeout(() => fail(`The worker did not start within ${startTimeout} ms.`), startTimeout);

  const opened = new Promise<Caller>((resolve, reject) => {
    rejectStart = reject;
    const connect = (): void => {
      if (caller !== undefined) return;
      const { port1, port2 } = new MessageChannel();
      const connected = new Caller(port1, {
        silenceTimeout: Math.min(settings.silenceTimeout, MAX_TIMER_MILLISECONDS),
        onEnd: ({ message }) => fail(message),
        onNotice: settings.onNotice,
      });
      caller = connected;
      channel?.postMessage({ sessionReference: 'connect' } satisfies ChannelMessage, [port2]);
      connected.call('open', settings.setup, { transferred: settings.transferred }).then(() => {
        isOpen = true;
        clearTimeout(timer);
        resolve(connected);
      }, stop);
    };
    const hear = ({ data }: MessageEvent<unknown>): void => {
      const message = parseChannelMessage(data);
      if (message?.sessionReference !== 'ready') return;
      if (message.version === PROTOCOL_VERSION) connect();
      else
        fail(`The worker speaks version ${message.version} and the page ${PROTOCOL_VERSION}: one of them is outdated.`);
    };
    try {
      const started = isOwn ? worker() : worker;
      const target = 'port' in started ? started.port : started;
      channel = target;
      // A script that a policy blocks ends here too, with an event that says nothing.
      const onError = (event: Event): void => {
        event.preventDefault();
        const { message } = event as ErrorEvent;
        fail(isOpen ? 'The worker crashed.' : 'The worker script could not be loaded or run.', message || undefined);
      };
      started.addEventListener('error', onError, listen);
      target.addEventListener('message', hear as EventListener, listen);
      target.addEventListener('messageerror', () => fail('A message of the worker could not be read.'), listen);
      if ('start' in target) target.start();
      target.postMessage({ sessionReference: 'hello' } satisfies ChannelMessage);
    } catch (cause) {
      fail('No worker can be started here.', cause);
    }
  });
  return { caller: opened, stop };
}
