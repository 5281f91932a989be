import { SessionReferenceError } from '../src/error.ts';
import { Peer, type PeerMethods } from './peer.ts';
import { type CallArguments, type ChannelMessage, PROTOCOL_VERSION, parseChannelMessage } from './protocol.ts';

/** What can be connected to. The connection takes it over: in the end a worker is terminated and a port closed. */
export type WorkerLike = Worker | SharedWorker | MessagePort;

/** How to start a connection, and how long to wait. */
export interface StartSettings {
  /** What the worker may call on the page. */
  readonly methods: PeerMethods;
  /** The arguments of the first call, `open`: what the worker shall work on. */
  readonly setup: CallArguments;
  /** Time in ms within which the worker must have answered `open`. */
  readonly startTimeout: number;
  /** Silence in ms during a call after which the worker counts as dead. */
  readonly silenceTimeout: number;
  /**
   * Aborted with a {@link SessionReferenceError} by whoever ends the connection: the host at any time, or, once the
   * connection was made, the worker by its death.
   */
  readonly stop: AbortController;
}

/** The longest time in ms that a timer can wait; more would be no time at all. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1;

/**
 * Start a worker and connect to it. However it fails, this ends within `startTimeout`, and the worker is stopped.
 *
 * @param openWorker - starts the worker; what it throws becomes the cause.
 * @param settings - see {@link StartSettings}.
 * @throws SessionReferenceError `WORKER_FAILED`, the reason of `stop`, or what the worker answers to `open`.
 */
export function startConnection(openWorker: () => WorkerLike, settings: StartSettings): Promise<Peer> {
  const { methods, setup, stop } = settings;
  const startTimeout = Math.min(settings.startTimeout, MAX_TIMER_MILLISECONDS);
  const silenceTimeout = Math.min(settings.silenceTimeout, MAX_TIMER_MILLISECONDS);
  return new Promise((resolve, reject) => {
    const listening = new AbortController();
    const listen: AddEventListenerOptions = { signal: listening.signal };
    let channel: Worker | MessagePort | undefined;
    let peer: Peer | undefined;
    let isOpen = false;

    const end = (error: SessionReferenceError): void => {
      if (listening.signal.aborted) return;
      listening.abort();
      clearTimeout(timer);
      peer?.end(error);
      // Must stop the worker too: one that does not answer may still be busy.
      if (channel !== undefined) 'terminate' in channel ? channel.terminate() : channel.close();
      reject(error);
      if (isOpen) stop.abort(error);
    };

    const connect = (target: Worker | MessagePort): void => {
      const { port1, port2 } = new MessageChannel();
      peer = new Peer(port1, methods, end, silenceTimeout);
      target.postMessage({ sessionReference: 'connect' } satisfies ChannelMessage, [port2]);
      peer.call('open', setup).then(() => {
        isOpen = true;
        clearTimeout(timer);
        resolve(peer as Peer);
      }, end);
    };

    const timer = setTimeout(() => end(failed(`The worker did not start within ${startTimeout} ms.`)), startTimeout);
    stop.signal.addEventListener('abort', () => end(stop.signal.reason), listen);
    try {
      const worker = openWorker();
      channel = 'port' in worker ? worker.port : worker;
      worker.addEventListener('error', (event) => {
        const message = isOpen ? 'The worker crashed.' : 'The worker script could not be loaded or run.';
        end(failed(message, (event as ErrorEvent).message))
      }, listen);
      channel.addEventListener('message', ...)
      if ('start' in channel) channel.start();
      channel.postMessage({ sessionReference: 'hello' } satisfies ChannelMessage);
    } catch (cause) {
      end(failed('No worker can be started here.', cause));
    }
  });
}
