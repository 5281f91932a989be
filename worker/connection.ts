import { SessionReferenceError } from '../src/error.ts';
import { Peer, type PeerMethods } from './peer.ts';
import { type CallArguments, type ChannelMessage, PROTOCOL_VERSION, parseChannelMessage } from './protocol.ts';

/** What a connection can be made to. It is taken over: a worker is terminated in the end, a port is closed. */
export type WorkerLike = Worker | SharedWorker | MessagePort;

/** The longest time a timer can wait; more would be no time at all. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1;

/** How to start, and how long to wait. */
export interface ConnectionSettings {
  /** What the worker may call on the page. */
  readonly methods: PeerMethods;
  /** The arguments of the first call, `open`, which decides what the worker works on. */
  readonly setup: CallArguments;
  /** ms until the worker must have answered `open`. */
  readonly startTimeout: number;
  /** ms of silence during a call after which the worker is dead. */
  readonly silenceTimeout: number;
  /** Its abort, with a {@link SessionReferenceError} as reason, ends the connection at any stage. */
  readonly stop: AbortSignal;
  /** Called when the connection ends after it was made. */
  readonly onEnd: (error: SessionReferenceError) => void;
}

/**
 * Make a connection to a worker. Every way in which a worker can fail to start ends here in a rejection within
 * `startTimeout`, and every way in which it can die later in `onEnd`; the worker is terminated in both cases.
 *
 * @param openWorker - starts the worker; what it throws is the cause of the failure.
 * @param settings - see {@link ConnectionSettings}.
 * @throws SessionReferenceError `WORKER_FAILED`, the reason of `stop`, or what `open` rejects with.
 */
export function openConnection(openWorker: () => WorkerLike, settings: ConnectionSettings): Promise<Peer> {
  const { methods, setup, stop, onEnd } = settings;
  const startTimeout = Math.min(settings.startTimeout, MAX_TIMER_MILLISECONDS);
  const silenceTimeout = Math.min(settings.silenceTimeout, MAX_TIMER_MILLISECONDS);
  return new Promise((resolve, reject) => {
    let worker: WorkerLike | undefined;
    let channel: Worker | MessagePort | undefined;
    let peer: Peer | undefined;
    let isOpen = false;

    const end = (error: SessionReferenceError): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
      worker?.removeEventListener('error', onError);
      channel?.removeEventListener('message', onMessage);
      peer?.end(error);
      // Must also stop a worker that never answered: it may still be busy.
      if (channel !== undefined) 'terminate' in channel ? channel.terminate() : channel.close();
      reject(error);
      if (isOpen) onEnd(error);
    };
