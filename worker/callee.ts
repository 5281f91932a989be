import { type Endpoint, expose } from 'comlink';
import { SessionReferenceError } from '../src/error.ts';
import { isRecord } from '../src/record.ts';
import { fromErrorData, toErrorData } from './error-data.ts';
import { copyPlain } from './plain-copy.ts';
import { type Answer, type Call, type Notice, parseCall, parseNotice } from './protocol.ts';
import { workerFailed } from './worker-failed.ts';

/** What a method gets beside its arguments. */
export interface CallContext {
  /** Aborts when the caller cancels, and when the connection ends. */
  readonly signal: AbortSignal;
  /** Tell the caller how far the work has come. */
  readonly onProgress: (progress: unknown) => void;
}

/** Something the other side may call. Its arguments are of unknown shape. */
export type Method = (args: readonly unknown[], context: CallContext) => unknown;

/** What the other side may call, by name. A map, so that no name reaches a prototype. */
export type Methods = ReadonlyMap<string, Method>;

/** One end of a private port, of which the other side calls methods. */
export interface Callee {
  /** Tell the other side something that no call asked for. */
  notify(notice: Notice): void;
  /** Abort what runs, and close the port. */
  end(): void;
}

/** The path that Comlink sends for `remote.run(…)`. */
const RUN_PATH = 'run';

/**
 * Let the other side of a port call methods.
 *
 * @param port - used by nothing else.
 * @param methods - what may be called, and nothing else.
 * @param onBye - called when the other side ends the connection.
 */
export function exposeMethods(port: MessagePort, methods: Methods, onBye: () => void = () => undefined): Callee {
  const running = new Map<number, AbortController>();
  const end = (): void => {
    for (const controller of running.values()) controller.abort();
    running.clear();
    port.close();
  };
  const notify = (notice: Notice): void => port.postMessage(notice);

  // Must be registered before Comlink's own listener, so that nothing but a call of `run` ever reaches it.
  port.addEventListener('message', (event: MessageEvent<unknown>) => {
    const notice = parseNotice(event.data);
    if (notice === undefined && isRunMessage(event.data)) return;
    event.stopImmediatePropagation();
    if (notice?.notice === 'ping') notify({ notice: 'pong' });
    if (notice?.notice === 'abort') running.get(notice.id)?.abort(fromErrorData(notice.reason));
    if (notice?.notice !== 'bye') return;
    end();
    onBye();
  });

  const run = async (value: unknown): Promise<Answer> => {
    const call = parseCall(value);
    if (call === undefined) return { ok: false, error: toErrorData(workerFailed('The call is malformed.')) };
    const controller = new AbortController();
    if (call.aborted !== undefined) controller.abort(fromErrorData(call.aborted.reason));
    running.set(call.id, controller);
    const answer = await answerCall(call, methods, {
      signal: controller.signal,
      onProgress: (progress) => notify({ notice: 'progress', id: call.id, value: progress }),
    });
    running.delete(call.id);
    return answer;
  };
  expose({ run }, createEndpoint(port));
  port.start();
  return { notify, end };
}

async function answerCall({ method, args }: Call, methods: Methods, context: CallContext): Promise<Answer> {
  try {
    const implementation = methods.get(method);
    if (implementation === undefined) throw workerFailed('The worker has no such method.');
    return { ok: true, value: await implementation(args, context) };
  } catch (error) {
    return { ok: false, error: toErrorData(error) };
  }
}

/** A message as Comlink sends it for a call of `run`, and no other operation of Comlink. */
function isRunMessage(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const { type, path, argumentList } = data as { readonly [field: string]: unknown };
  const isRun = type === 'APPLY' && Array.isArray(path) && path.length === 1 && path[0] === RUN_PATH;
  // Must be plain values: Comlink would make a proxy, or throw, of anything that names a handler.
  return isRun && Array.isArray(argumentList) && argumentList.every((one) => isRecord(one) && one.type === 'RAW');
}

/** The port, as Comlink uses it: an answer that structured clone refuses goes out as a plain copy. */
function createEndpoint(port: MessagePort): Endpoint {
  return {
    addEventListener: port.addEventListener.bind(port),
    removeEventListener: port.removeEventListener.bind(port),
    postMessage: (message: { readonly value: Answer }, transferred: Transferable[] = []): void => {
      try {
        port.postMessage(message, transferred);
      } catch {
        port.postMessage({ ...message, value: copyAnswer(message.value) } satisfies typeof message);
      }
    },
  };
}

function copyAnswer(answer: Answer): Answer {
  try {
    return { ok: true, value: copyPlain(answer.ok ? answer.value : undefined) };
  } catch (cause) {
    const message = 'What the session query answered cannot be sent: it must be plain data.';
    return {
      ok: false,
      error: toErrorData(new SessionReferenceError('SESSION_REFERENCE_READ_FAILED', message, { cause })),
    };
  }
}
