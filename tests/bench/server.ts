import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '../../src/server/kit/config.ts';
import type { ShareLimits } from '../../src/server/kit/shares.ts';
import { openConsole } from '../../src/server/boot/console.ts';

/** What the server process holds. Bytes, after a collection. */
export interface ServerFigures {
  readonly rss: number;
  /** Of V8's heap, live and committed, and of what lies outside it. */
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly external: number;
  readonly live: {
    readonly sockets: number;
    readonly subscriptions: number;
    readonly reflectors: number;
    readonly objects: number;
  };
}

/** Messages of the server process to its parent. */
export type ServerReport =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'figures'; readonly figures: ServerFigures }
  /** CPU of the process since its start, microseconds; without a collection, which would be counted. */
  | { readonly type: 'cpu'; readonly cpu: number }
  | { readonly type: 'profiling' }
  | { readonly type: 'profiled' };

/** Messages of the parent to the server process; a profile goes on until it is given a file. */
export type ServerOrder =
  | 'figures'
  | 'cpu'
  | 'end'
  | { readonly profile: 'begin' }
  | { readonly profile: string };

/** The API host as a process of its own, without a page; answers `figures` and ends on `end` or with its parent. */
const { config, problems } = readConfig(process.env, process.argv.slice(2));
if (config === null) throw new Error(problems.join('\n'));
/** With BENCH_SHARES=off calls are worked on as they come, however many there are. */
const everything = Number.MAX_SAFE_INTEGER;
const unshared: ShareLimits = {
  alone: everything,
  together: everything,
  recent: 0,
  waiting: { person: everything, company: everything, all: everything },
};
const opened = await openConsole(config, {
  build: 'bench',
  pageDir: null,
  ...(process.env['BENCH_SHARES'] === 'off' ? { callShares: unshared } : {}),
});
const report = (message: ServerReport) => process.send?.(message);

async function figures(): Promise<ServerFigures> {
  // What is held, not what a past burst left uncollected.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await wait(50);
  }
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return { rss, heapUsed, heapTotal, external, live: opened.services.hub.stats() };
}

async function end(): Promise<void> {
  await opened.close();
  process.exit(0);
}

let inspector: Session | undefined;

/** Begins a CPU profile, or ends it and writes it to a file that Chrome's DevTools open. */
async function profile(order: string): Promise<void> {
  if (order === 'begin') {
    inspector = new Session();
    inspector.connect();
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.start');
    report({ type: 'profiling' });
    return;
  }
  const taken = await inspector?.post('Profiler.stop');
  inspector?.disconnect();
  await writeFile(order, JSON.stringify(taken?.profile));
  report({ type: 'profiled' });
}

process.on('message', (message: ServerOrder) => {
  if (message === 'end') void end();
  else if (message === 'cpu') {
    const { user, system } = process.cpuUsage();
    report({ type: 'cpu', cpu: user + system });
  } else if (message === 'figures') void figures().then((figures) => report({ type: 'figures', figures }));
  else void profile(message.profile);
});
process.on('disconnect', () => void end());
report({ type: 'ready', url: opened.address });
