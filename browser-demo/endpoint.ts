import { displayLabel } from '../src/index.ts';
import { isRecord } from '../src/record.ts';
import type { Assistant, ModelMessage } from './assistant.ts';
import { readServerSentData } from './server-sent-data.ts';

/** Where a model answers, as it is entered in the dialog. */
export interface EndpointSettings {
  /** The address of an OpenAI-compatible API: `http://localhost:11434/v1`. */
  readonly address: string;
  readonly model: string;
  /** Sent as a bearer token. Kept in memory only. */
  readonly key?: string | undefined;
}

/** A failure of an endpoint, in words for people. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
}

const PATH = '/chat/completions';

const BROKEN_OFF = 'The connection ended in the middle of the answer.';
const NOT_COMPATIBLE = 'The answer of the endpoint is not in the form of an OpenAI-compatible API.';

/** An assistant behind an OpenAI-compatible endpoint. Answers are streamed where the endpoint can. */
export function createEndpointAssistant(settings: EndpointSettings): Assistant {
  return {
    name: settings.model,
    async answer(messages, onText, signal) {
      const response = await request(settings, messages, signal);
      if (!response.ok) throw await toFailure(response);
      const type = response.headers.get('content-type') ?? '';
      let hasAnswered = false;
      const add = (text: string): void => {
        hasAnswered ||= text !== '';
        onText(text);
      };
      try {
        if (response.body === null || type.includes('application/json'))
          add(readWhole(parseJson(await response.text())));
        else await readStream(response.body, add);
      } catch (cause) {
        throw cause instanceof EndpointError ? cause : new EndpointError(BROKEN_OFF, { cause });
      }
      if (!hasAnswered) throw new EndpointError('The model answered nothing.');
    },
  };
}

/** The address that requests go to. Accepts the base of an API and the whole path. */
export function toEndpointUrl(address: string): URL | undefined {
  try {
    const url = new URL(address.trim());
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
    const path = url.pathname.replace(/\/+$/, '');
    url.pathname = path.endsWith(PATH) ? path : path + PATH;
    return url;
  } catch {
    return undefined;
  }
}

async function request(
  { address, model, key }: EndpointSettings,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<Response> {
  const url = toEndpointUrl(address);
  if (url === undefined) throw new EndpointError('The address of the endpoint is not valid.');
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const body = JSON.stringify({ model, messages, stream: true });
  try {
    return await fetch(url, { method: 'POST', headers, body, signal, referrerPolicy: 'no-referrer' });
  } catch (cause) {
    if (signal.aborted) throw cause;
    const words = `${url.origin} cannot be reached. Check that it is running and that it allows requests from this page (CORS).`;
    throw new EndpointError(words, { cause });
  }
}

async function readStream(body: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<void> {
  let isDone = false;
  let hasData = false;
  for await (const data of readServerSentData(body)) {
    hasData = true;
    if (data === '[DONE]') {
      isDone = true;
      break;
    }
    const { text, finished, error } = readPiece(data);
    if (error !== undefined) throw new EndpointError(`The model stopped with an error: ${displayLabel(error)}`);
    if (text !== '') onText(text);
    isDone ||= finished;
  }
  if (!isDone) throw new EndpointError(hasData ? BROKEN_OFF : NOT_COMPATIBLE);
}

function readPiece(data: string): { readonly text: string; readonly finished: boolean; readonly error?: string } {
  const value = parseJson(data);
  if (isRecord(value) && value.error !== undefined)
    return { text: '', finished: false, error: readErrorText(value) ?? 'unknown' };
  const choice = firstChoice(value);
  const text = isRecord(choice?.delta) && typeof choice.delta.content === 'string' ? choice.delta.content : '';
  return { text, finished: typeof choice?.finish_reason === 'string' };
}

function readWhole(value: unknown): string {
  const message = firstChoice(value)?.message;
  if (isRecord(message) && typeof message.content === 'string') return message.content;
  throw new EndpointError(NOT_COMPATIBLE);
}

function firstChoice(value: unknown): { readonly [field: string]: unknown } | undefined {
  const choice: unknown = isRecord(value) && Array.isArray(value.choices) ? value.choices[0] : undefined;
  return isRecord(choice) ? choice : undefined;
}

async function toFailure(response: Response): Promise<EndpointError> {
  const text = await response.text().catch(() => '');
  const said = readErrorText(parseJson(text.slice(0, 100_000)));
  const words = describeStatus(response.status);
  return new EndpointError(said === undefined ? words : `${words} It says: ${displayLabel(said)}`);
}

function describeStatus(status: number): string {
  if (status === 400) return 'The endpoint did not accept the request.';
  if (status === 401 || status === 403) return 'The endpoint refused the key.';
  if (status === 404) return 'The endpoint has no such address or model.';
  if (status === 413) return 'The conversation is too long for this endpoint.';
  if (status === 429) return 'The endpoint is busy or its limit is used up. Try again later.';
  return status >= 500 ? `The endpoint failed (${status}).` : `The endpoint answered ${status}.`;
}

function readErrorText(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const { error } = value;
  if (typeof error === 'string') return error;
  return isRecord(error) && typeof error.message === 'string' ? error.message : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
