import { type Callee, exposeMethods, type Methods } from './callee.ts';
import { type ChannelMessage, type Notice, PROTOCOL_VERSION, parseChannelMessage } from './protocol.ts';

/** Where a page can say hello: the scope of a dedicated worker, or a port. */
export interface ServedChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  start?(): void;
}

/** Sends a notice to the page of one connection. */
export type Notify = (notice: Notice) => void;

/** Makes the methods of one connection; what it needs to know comes with the first call, `open`. */
export type CreateMethods = (notify: Notify) => { readonly methods: Methods; close(): void };

/**
 * Answer every page that connects over a channel, each with methods of its own.
 *
 * @param channel - of which messages that are not for this library are left alone.
 * @param createMethods - called once per connection.
 */
export function serveChannel(channel: ServedChannel, createMethods: CreateMethods): void {
  const sayReady = (): void => {
    channel.postMessage({ sessionReference: 'ready', version: PROTOCOL_VERSION } satisfies ChannelMessage);
  };
  channel.addEventListener('message', ({ data, ports: [port] }) => {
    const message = parseChannelMessage(data);
    if (message?.sessionReference === 'hello') sayReady();
    if (message?.sessionReference !== 'connect' || port === undefined) return;
    // Must be assigned before anything can notify: methods run only after a message, and messages come later.
    let callee: Callee | undefined;
    const { methods, close } = createMethods((notice) => callee?.notify(notice));
    callee = exposeMethods(port, methods, close);
  });
  channel.start?.();
  sayReady();
}

/** The parts of a worker's scope that tell what kind of worker it is. */
interface WorkerScope extends Partial<ServedChannel> {
  onconnect?: unknown;
  addEventListener(type: string, listener: (event: never) => void): void;
}

/**
 * {@link serveChannel} for the worker that runs this: dedicated or shared.
 *
 * @param createMethods - called once per connection.
 */
export function serveScope(createMethods: CreateMethods): void {
  const scope = globalThis as unknown as WorkerScope;
  if (!('onconnect' in scope)) {
    serveChannel(scope as ServedChannel, createMethods);
    return;
  }
  scope.addEventListener('connect', ({ ports: [port] }: MessageEvent) => {
    if (port !== undefined) serveChannel(port as unknown as ServedChannel, createMethods);
  });
}
