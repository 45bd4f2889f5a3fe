import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureChangingPage } from './changing-page.ts';
import { measureDefinitions } from './definitions.ts';
import { measureFair } from './fair.ts';
import { measureFirstVisit } from './first-visit.ts';
import { measureLive } from './live.ts';
import { measureLogs } from './logs.ts';
import { measureLargePage, measurePage } from './page.ts';
import { measurePalette } from './palette.ts';
import { measurePlayground } from './playground.ts';
import { measurePairs } from './pairs.ts';
import { asQuick, longTaskLimit, measureSlowness, slownessSentence } from './reference.ts';
import { measureWeight } from './weight.ts';
import { type Figure, isKept, statedFor, table } from './report.ts';

const usage = `npm run bench -- [--pods 10000] [--subscribers 200] [--rate 200] [--seconds 20] [--profile FOLDER]
npm run bench -- --only palette [--names 100000]
npm run bench -- --only fair [--rounds 4] [--flood search]
npm run bench -- --only live|playground|definitions|fair|palette|page|first-visit|weight|large-page|changing-page|logs
npm run bench -- --against FOLDER [--only page|first-visit|weight|large-page|changing-page|logs|palette] [--turns 4]
--against runs the page of another checkout (built, with its packages) and this one by turns over the same cluster.
Exits 1 when a figure is over its budget; tests/bench/README.md says what each means.`;

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '10000' },
    subscribers: { type: 'string', default: '200' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    names: { type: 'string', default: '100000' },
    /** Pairs of a control and a flood. */
    rounds: { type: 'string', default: '4' },
    /** One sort of flood; all without it. */
    flood: { type: 'string' },
    /** Folder for CPU profiles, which DevTools open. */
    profile: { type: 'string' },
    /** A part of `parts` below; everything without it. */
    only: { type: 'string' },
    /** Folder of another checkout, whose page is measured by turns with this one's. */
    against: { type: 'string' },
    /** Turns of each in a paired run. */
    turns: { type: 'string', default: '4' },
    /** A figure a line, for a paired run. */
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function whole(option: 'pods' | 'subscribers' | 'rate' | 'seconds' | 'names' | 'rounds' | 'turns'): number {
  const text = values[option];
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`--${option} must be a positive whole number, not "${text}".`);
  return Number(text);
}

/** Parts that measure the page alone: the page and server of another checkout can stand in for this one's. */
const pagesOnly = ['palette', 'page', 'first-visit', 'weight', 'large-page', 'logs', 'changing-page'];

const parts: Readonly<Record<string, (longTask: number) => Promise<readonly Figure[]>>> = {
  live: () =>
    measureLive({
      pods: whole('pods'),
      subscribers: whole('subscribers'),
      rate: whole('rate'),
      seconds: whole('seconds'),
      ...(values.profile === undefined ? {} : { profile: resolve(values.profile) }),
    }),
  playground: () => measurePlayground({ pods: 20_000, rate: 200, seconds: whole('seconds') }),
  definitions: async () => [
    ...(await measureDefinitions({ definitions: 219, withObjects: 59 })),
    ...(await measureDefinitions({ definitions: 900, withObjects: 200 })),
  ],
  fair: () =>
    measureFair({
      rounds: whole('rounds'),
      seconds: 3,
      flood: values.flood,
      ...(values.profile === undefined ? {} : { profile: resolve(values.profile) }),
    }),
  palette: () => measurePalette({ names: whole('names') }),
  'first-visit': () => measureFirstVisit(),
  weight: () => measureWeight(),
  page: (longTask) => measurePage({ pods: 10_000, longTask }),
  'large-page': (longTask) => measureLargePage({ pods: 50_000, longTask }),
  logs: () => measureLogs({ rate: 20_000, lines: 1_000_000 }),
  'changing-page': (longTask) =>
    measureChangingPage({ pods: 50_000, rate: 2_000, seconds: whole('seconds'), longTask }),
};

/** Measures the parts one after the other; each prints its figures when it ends, and one that fails takes no other with it. */
async function measureParts(names: readonly string[]): Promise<boolean> {
  let isGood = true;
  for (const name of names) {
    try {
      // A shared machine is as slow as its minute: each part is preceded by the tasks that its budgets are stated by.
      const slowness = await measureSlowness();
      const figures = ((await parts[name]?.(longTaskLimit(slowness))) ?? []).map((figure) =>
        statedFor(figure, slowness),
      );
      process.stdout.write(`\n${name}\n${slownessSentence(slowness)}\n${table(figures)}\n`);
      isGood &&= figures.every(isKept);
    } catch (error) {
      isGood = false;
      process.stderr.write(`\n${name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  return isGood;
}

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const { only, against, json } = values;
  if (only !== undefined && !(only in parts))
    throw new Error(`--only must be one of ${Object.keys(parts).join(', ')}.`);
  const names = only === undefined ? Object.keys(parts) : [only];
  if (json) {
    for (const name of names)
      for (const figure of (await parts[name]?.(longTaskLimit(asQuick))) ?? [])
        process.stdout.write(`${JSON.stringify(figure)}\n`);
  } else if (against !== undefined) {
    const pairable = names.filter((name) => pagesOnly.includes(name));
    if (pairable.length === 0) throw new Error(`--against measures ${pagesOnly.join(', ')}.`);
    for (const name of pairable)
      process.stdout.write(`\n${name}\n${await measurePairs(name, resolve(against), whole('turns'))}\n`);
  } else if (!(await measureParts(names))) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${usage}\n`,
  );
  process.exitCode = 1;
});
