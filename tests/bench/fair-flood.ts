import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** One call of a flood, as it is sent. */
export interface FloodCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Orders of the parent to the process that floods; it keeps on until `stop`. */
export type FloodOrder =
  | {
      readonly type: 'flood';
      readonly url: string;
      readonly call: FloodCall;
      /** Headers of each connection: the session of its person, or those of somebody signed out. */
      readonly connections: readonly Readonly<Record<string, string>>[];
    }
  /** Takes this share of a core, 0 to 1, and sends nothing. */
  | { readonly type: 'burn'; readonly share: number }
  | { readonly type: 'stop' };

/** The answer to `stop`. */
export interface FloodReport {
  /** Calls by the status of their answer; 0 for those without one. */
  readonly answers: Readonly<Record<string, number>>;
  /** Answers of 429 without Retry-After. */
  readonly withoutRetryAfter: number;
  readonly seconds: number;
  /** CPU of the process meanwhile, microseconds. */
  readonly cpu: number;
}

/** Aborted once the process is to stop. */
let stopping = new AbortController();
let running: Promise<unknown> = Promise.resolve();
let answers: Record<string, number> = {};
let withoutRetryAfter = 0;
let began = performance.now();
let cpuFrom = process.cpuUsage();

function sendOne(
  agent: Agent,
  url: URL,
  { method, path, body }: FloodCall,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  return new Promise((resolve) => {
    const count = (status: number) => {
      answers[status] = (answers[status] ?? 0) + 1;
      resolve();
    };
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      { host: url.hostname, port: url.port, method, path, agent, headers: { ...headers, ...length } },
      (answer) => {
        const status = answer.statusCode ?? 0;
        if (status === 429 && answer.headers['retry-after'] === undefined) withoutRetryAfter += 1;
        answer.resume();
        answer.once('close', () => count(status));
      },
    );
    sent.once('error', () => count(0));
    sent.end(body);
  });
}

async function flood({ url, call, connections }: Extract<FloodOrder, { type: 'flood' }>): Promise<void> {
  const place = new URL(url);
  await Promise.all(
    connections.map(async (headers) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!stopping.signal.aborted) await sendOne(agent, place, call, headers);
      agent.destroy();
    }),
  );
}

async function burn(share: number): Promise<void> {
  /** Pieces of work as long as handling an answer, ms. */
  const piece = 2;
  while (!stopping.signal.aborted) {
    const until = performance.now() + piece * share;
    while (performance.now() < until);
    await wait(piece * (1 - share));
  }
}

process.on('message', (order: FloodOrder) => {
  if (order.type === 'stop') {
    stopping.abort();
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpuFrom);
    const report: FloodReport = { answers, withoutRetryAfter, seconds, cpu: user + system };
    void running.then(() => process.send?.(report));
    return;
  }
  stopping = new AbortController();
  answers = {};
  withoutRetryAfter = 0;
  began = performance.now();
  cpuFrom = process.cpuUsage();
  running = order.type === 'flood' ? flood(order) : burn(order.share);
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
