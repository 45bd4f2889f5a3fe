import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

const usage = `npm run flaky -- FILE [TITLE] [--times 10] [--load N]
Runs the tests of a file (tests/….test.ts or NAME.spec.ts), or those whose name contains TITLE, n times beside N busy
loops (twice the cores of the machine) and says how often they failed. Exits 1 when they failed once.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '10' },
    load: { type: 'string', default: String(availableParallelism() * 2) },
  },
});
const [file, title] = positionals;
const [times, load] = [Number(values.times), Number(values.load)];
if (file === undefined || !Number.isInteger(times) || !Number.isInteger(load)) {
  console.error(usage);
  process.exit(1);
}

const isJourney = file.endsWith('.spec.ts');
const command = isJourney
  ? ['playwright', 'test', '--config', 'tests/e2e/playwright.config.ts', '--trace', 'retain-on-failure', file]
  : ['vitest', 'run', file];
if (title !== undefined) command.push(isJourney ? '-g' : '-t', title);

const loops: readonly ChildProcess[] = Array.from({ length: load }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
);
const endLoops = (): void => {
  for (const loop of loops) loop.kill('SIGKILL');
};
process.once('exit', endLoops);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

let failures = 0;
for (let time = 1; time <= times; time += 1) {
  const { status } = spawnSync('npx', command, { stdio: 'inherit' });
  if (status !== 0) failures += 1;
  console.log(`Run ${time} of ${times} beside ${load} busy loops: ${failures} failed so far.`);
}
process.exit(failures === 0 ? 0 : 1);
