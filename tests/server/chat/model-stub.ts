import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { completions, messages, type StubCalls, type StubTurn } from './model-forms.ts';

/** What the stub answers to one request, in the form that its path asks for: a text or calls in a stream, or a failure. */
export type StubAnswer =
  | StubTurn
  /** Events as they are written, whatever the form. */
  | { readonly raw: readonly string[] }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** A provider on loopback that speaks `/v1/chat/completions` and `/v1/messages` by a script. */
export interface ModelStub {
  readonly url: URL;
  /** Every body that was received, as text. */
  readonly received: string[];
  /** The headers of each. */
  readonly headers: IncomingHttpHeaders[];
  /** What it answers, request by request; the last one again and again. */
  script: readonly StubAnswer[];
  close(): Promise<void>;
}

/** A text, in fragments of three characters. `person #2` is the second person that the model was told of. */
export const said = (text: string): StubAnswer => ({ text });

/** Calls of tools, their arguments in fragments. */
export const asks = (...calls: StubCalls): StubAnswer => ({ calls });

/** A text, and then nothing more for as long as the connection lasts. */
export const stalling = (text: string): StubAnswer => ({ text, end: 'stalls' });

/** A text, and then an event that says that the provider failed. */
export const breaking = (text: string): StubAnswer => ({ text, end: 'fails' });

/** An answer with the stand-ins of a request in place of their places. */
function namingPeople(answer: StubAnswer, request: string): StubAnswer {
  if (!('text' in answer) || answer.text === undefined) return answer;
  const people = [...new Set(request.match(/\bperson \d{6}\b/g))];
  return {
    ...answer,
    text: answer.text.replaceAll(/person #(\d)/g, (_, place) => people[Number(place) - 1] ?? 'nobody'),
  };
}

/** Starts a stub on a free port of 127.0.0.1. */
export async function startModelStub(): Promise<ModelStub> {
  const received: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const stub = { script: [said('Nothing.')] as readonly StubAnswer[] };
  let served = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const part of request) body += String(part);
    received.push(body);
    headers.push(request.headers);
    const answer = namingPeople(
      stub.script[Math.min(served, stub.script.length - 1)] ?? said('Nothing.'),
      body,
    );
    served += 1;
    if ('status' in answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end('{"error":{"message":"canary of the provider"}}');
      return;
    }
    const form = request.url === '/v1/messages' ? messages : completions;
    if (!body.includes('"stream":true') && !('raw' in answer)) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(form.whole(answer)));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const text of 'raw' in answer ? answer.raw : form.events(answer)) {
      // Half lines: each in two writes.
      const half = Math.floor(text.length / 2);
      response.write(text.slice(0, half));
      response.write(text.slice(half));
    }
    if ('raw' in answer || answer.end !== 'stalls') response.end();
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/v1`),
    received,
    headers,
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
