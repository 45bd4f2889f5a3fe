import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import type { Playground } from '../../src/playground/server.ts';

/** What a playground answered. */
export interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** undefined: the administrator's; null: none. */
  readonly token?: string | null;
}

/** A stream being read line by line. */
export interface Stream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly lines: string[];
  /** Resolves once so many lines arrived, the stream ended, or so many milliseconds (5,000) went by. */
  until(count: number, patience?: number): Promise<void>;
  readonly ended: Promise<void>;
  close(): void;
}

type Target = Pick<Playground, 'port' | 'authority' | 'token'>;

/** Connections kept between single requests; streams have their own. */
const kept = new Agent({ keepAlive: true });

function open(target: Target, { method, path, headers = {}, body, token }: Request, agent: Agent | false) {
  const bearer = token === undefined ? target.token : token;
  const sent = request({
    host: '127.0.0.1',
    port: target.port,
    ca: target.authority,
    method,
    path: path.replaceAll(' ', '%20'),
    agent,
    headers: {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  });
  sent.end(body);
  return sent;
}

/** Sends one request and reads the whole answer. */
export function send(target: Target, wanted: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = open(target, wanted, kept);
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
  });
}

/** Sends JSON and parses JSON. */
export async function json<T = Record<string, unknown>>(
  target: Target,
  method: string,
  path: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<T> {
  const answer = await send(target, {
    method,
    path,
    headers: { 'content-type': contentType },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return JSON.parse(answer.text) as T;
}

/** Opens a stream (watch, log) and reads its lines as they come. */
export function stream(target: Target, wanted: Request): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const sent = open(target, wanted, false);
    sent.on('error', reject);
    sent.on('response', (response) => {
      const lines: string[] = [];
      const waiting = new Set<() => void>();
      let rest = '';
      let over = false;
      const wake = () => {
        for (const call of waiting) call();
      };
      response.on('data', (chunk: Buffer) => {
        const parts = (rest + chunk.toString('utf8')).split('\n');
        rest = parts.pop() ?? '';
        lines.push(...parts);
        wake();
      });
      const ended = new Promise<void>((done) => {
        const end = () => {
          if (rest !== '') lines.push(rest);
          rest = '';
          over = true;
          wake();
          done();
        };
        response.on('end', end);
        response.on('error', end);
        response.on('close', end);
      });
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        lines,
        ended,
        until: (count, patience = 5_000) =>
          new Promise((done) => {
            const finish = () => {
              clearTimeout(timer);
              waiting.delete(check);
              done();
            };
            const timer = setTimeout(finish, patience);
            const check = () => {
              if (lines.length >= count || over) finish();
            };
            waiting.add(check);
            check();
          }),
        close: () => sent.destroy(),
      });
    });
  });
}
