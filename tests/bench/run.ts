import { parseArgs } from 'node:util';
import { measureLive } from './live.ts';
import { measurePlayground } from './playground.ts';
import { isKept, table } from './report.ts';

const usage = `npm run bench -- [--pods 10000] [--subscribers 50] [--rate 200] [--seconds 10]
Exits 1 when a figure is over its budget; tests/bench/README.md says what each means.`;

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '10000' },
    subscribers: { type: 'string', default: '50' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    help: { type: 'boolean', default: false },
  },
});

function whole(option: 'pods' | 'subscribers' | 'rate' | 'seconds'): number {
  const text = values[option];
  if (!/^[1-9]\d*$/.test(text))
    throw new Error(`--${option} must be a positive whole number, not "${text}".`);
  return Number(text);
}

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const figures = await measureLive({
    pods: whole('pods'),
    subscribers: whole('subscribers'),
    rate: whole('rate'),
    seconds: whole('seconds'),
  });
  figures.push(...(await measurePlayground({ pods: 20_000, rate: 200, seconds: whole('seconds') })));
  process.stdout.write(`${table(figures)}\n`);
  if (!figures.every(isKept)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${usage}\n`,
  );
  process.exitCode = 1;
});
