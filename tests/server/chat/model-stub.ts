import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the stub answers to one request: chunks of the stream as they are written, or a failure. */
export type StubAnswer =
  | { readonly chunks: readonly (string | object)[]; readonly stalls?: boolean }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** A provider on loopback that speaks `/v1/chat/completions` by a script. */
export interface ModelStub {
  readonly url: URL;
  /** Every body that was received, as text. */
  readonly received: string[];
  /** What it answers, request by request; the last one again and again. */
  script: readonly StubAnswer[];
  close(): Promise<void>;
}

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'stub',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** A text, in fragments of three characters. */
export const said = (text: string): StubAnswer => ({
  chunks: [
    ...(text.match(/[\s\S]{1,3}/g) ?? []).map((content) => chunk({ content })),
    chunk({}, 'stop'),
    { ...chunk({}), choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } },
  ],
});

/** Calls of tools, their arguments in fragments. */
export const asks = (...calls: readonly (readonly [name: string, args: string])[]): StubAnswer => ({
  chunks: [
    ...calls.flatMap(([name, args], index) => [
      chunk({
        tool_calls: [
          {
            index,
            id: `call-${name}-${index}-${args.length}`,
            type: 'function',
            function: { name, arguments: '' },
          },
        ],
      }),
      ...(args.match(/[\s\S]{1,5}/g) ?? []).map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]),
    chunk({}, 'tool_calls'),
    { ...chunk({}), choices: [], usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 } },
  ],
});

/** A text, and then nothing more for as long as the connection lasts. */
export const stalling = (text: string): StubAnswer => ({ chunks: [chunk({ content: text })], stalls: true });

/** Starts a stub on a free port of 127.0.0.1. */
export async function startModelStub(): Promise<ModelStub> {
  const received: string[] = [];
  const stub = { script: [said('Nothing.')] as readonly StubAnswer[] };
  let served = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const part of request) body += String(part);
    received.push(body);
    const answer = stub.script[Math.min(served, stub.script.length - 1)] ?? said('Nothing.');
    served += 1;
    if ('status' in answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end('{"error":{"message":"canary of the provider"}}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const one of answer.chunks) {
      const text = typeof one === 'string' ? one : `data: ${JSON.stringify(one)}\n\n`;
      // Half lines: each in two writes.
      const half = Math.floor(text.length / 2);
      response.write(text.slice(0, half));
      response.write(text.slice(half));
    }
    if (answer.stalls !== true) response.end('data: [DONE]\n\n');
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/v1`),
    received,
    get script() {
      return stub.script;
    },
    set script(next) {
      served = 0;
      stub.script = next;
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
