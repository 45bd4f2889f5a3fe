import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureChangingPage } from './changing-page.ts';
import { measureLive } from './live.ts';
import { measureLogs } from './logs.ts';
import { measureLargePage, measurePage } from './page.ts';
import { measurePalette } from './palette.ts';
import { measurePlayground } from './playground.ts';
import { type Figure, isKept, table } from './report.ts';

const usage = `npm run bench -- [--pods 10000] [--subscribers 200] [--rate 200] [--seconds 20] [--profile FOLDER]
npm run bench -- --only palette [--names 100000]
npm run bench -- --only live|playground|palette|page|large-page|changing-page|logs
Exits 1 when a figure is over its budget; tests/bench/README.md says what each means.`;

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '10000' },
    subscribers: { type: 'string', default: '200' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    names: { type: 'string', default: '100000' },
    /** Folder for CPU profiles, which DevTools open. */
    profile: { type: 'string' },
    /** A part of `parts` below; everything without it. */
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function whole(option: 'pods' | 'subscribers' | 'rate' | 'seconds' | 'names'): number {
  const text = values[option];
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`--${option} must be a positive whole number, not "${text}".`);
  return Number(text);
}

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  live: () =>
    measureLive({
      pods: whole('pods'),
      subscribers: whole('subscribers'),
      rate: whole('rate'),
      seconds: whole('seconds'),
      ...(values.profile === undefined ? {} : { profile: resolve(values.profile) }),
    }),
  playground: () => measurePlayground({ pods: 20_000, rate: 200, seconds: whole('seconds') }),
  palette: () => measurePalette({ names: whole('names') }),
  page: () => measurePage({ pods: 10_000 }),
  'large-page': () => measureLargePage({ pods: 50_000 }),
  logs: () => measureLogs({ rate: 20_000, lines: 1_000_000 }),
  'changing-page': () => measureChangingPage({ pods: 50_000, rate: 2_000, seconds: whole('seconds') }),
};

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const { only } = values;
  if (only !== undefined && !(only in parts))
    throw new Error(`--only is one of ${Object.keys(parts).join(', ')}.`);
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (only === undefined || only === name) figures.push(...(await measure()));
  }
  process.stdout.write(`${table(figures)}\n`);
  if (!figures.every(isKept)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${usage}\n`,
  );
  process.exitCode = 1;
});
