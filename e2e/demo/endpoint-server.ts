import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as it came over the wire. */
export interface WireMessage {
  readonly role: string;
  readonly content: string;
}

/** A request as it came over the wire. */
export interface WireRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly stream: boolean; readonly messages: readonly WireMessage[] };
}

/** What the server does with a request. */
export type Answer = (response: ServerResponse, request: WireRequest) => void | Promise<void>;

/** An OpenAI-compatible server on the loopback interface, with the CORS headers that local model servers send. */
export class EndpointServer {
  readonly requests: WireRequest[] = [];
  /** What the next requests are answered with. */
  answer: Answer = (response) => streamAnswer(response, ['Hello', ' from', ' the', ' model.']);
  /** Connections that were closed by the page before their answer was complete. */
  stopped = 0;
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  /** Start on a free port. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    let text = '';
    for await (const piece of request) text += String(piece);
    const { url = '', headers } = request;
    const wire: WireRequest = { path: url, authorization: headers.authorization, body: JSON.parse(text) };
    this.requests.push(wire);
    response.on('close', () => {
      if (!response.writableFinished) this.stopped += 1;
    });
    await this.answer(response, wire);
  }
}

/** Stream pieces as server-sent events, the way OpenAI does. Split in the middle of a character and of a line. */
export async function streamAnswer(response: ServerResponse, pieces: readonly string[], pause = 5): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of pieces) {
    const bytes = Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    const middle = bytes.length >> 1;
    response.write(bytes.subarray(0, middle));
    await wait(pause);
    response.write(bytes.subarray(middle));
  }
  const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
}

/** Start to stream, and then only keep the connection open. */
export function startStreaming(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`);
}

/** Refuse, with the body that OpenAI-compatible servers send. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'error' } }));
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
