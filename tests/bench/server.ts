import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '../../src/server/config.ts';
import { openConsole } from '../../src/server/console.ts';

/** What the server process says of itself. Bytes; CPU in microseconds since its start. */
export interface ServerFigures {
  readonly rss: number;
  readonly cpu: number;
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
  | { readonly type: 'figures'; readonly figures: ServerFigures };

/** The API host as a process of its own, without a page; answers `figures` and ends on `end` or with its parent. */
const { config, problems } = readConfig(process.env, process.argv.slice(2));
if (config === null) throw new Error(problems.join('\n'));
const opened = await openConsole(config, { build: 'bench', pageDir: null });
const report = (message: ServerReport) => process.send?.(message);

async function figures(): Promise<ServerFigures> {
  // What is held, not what a past burst left uncollected.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await wait(50);
  }
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { rss, cpu: user + system, live: opened.services.hub.stats() };
}

async function end(): Promise<void> {
  await opened.close();
  process.exit(0);
}

process.on('message', (message) => {
  if (message === 'end') void end();
  else void figures().then((figures) => report({ type: 'figures', figures }));
});
process.on('disconnect', () => void end());
report({ type: 'ready', url: opened.address });
