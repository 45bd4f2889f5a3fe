import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { turnVariable } from './turn.ts';
import { createCpuMeters } from './cpu.ts';
import {
  countLines,
  type Figures,
  failuresText,
  figuresTable,
  type PartFigures,
  readFigures,
  readPageBytes,
  slowestTests,
} from './figures.ts';
import { OrderedOutput } from './output.ts';
import { type Part, partsDue, type PartState } from './plan.ts';
import { readTimes, resultsFolder, root, timesVariable, writeResult } from './results.ts';
import { filesLeftToProve } from './slow-lane.ts';
import { unitTailFile } from './unit-reporter.ts';

const usage = `npm test
npm test -- --only types,lint,audit,page,unit,e2e   some parts
npm test -- --unit tests/registry --e2e lists.spec.ts   some files of the two halves
Exits 1 when a part fails; the other parts are run all the same.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    unit: { type: 'string', multiple: true, default: [] },
    e2e: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

/** A part that takes longer hangs: it is ended, and has failed. Milliseconds. */
const partLimit = 45 * 60_000;
/** Pause between two looks at what may begin, ms. */
const lookPause = 200;

/** The checkers are written in Go: fewer collections take a sixth of their time. */
const fewerCollections = { GOGC: '400', GOMEMLIMIT: '4GiB' };

function commitOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

const commit = commitOf();
/** The commit chooses each journey's hand and the slow files, unless another one is to be repeated. */
const turn = process.env[turnVariable] ?? commit;

const parts: readonly Part[] = [
  { name: 'types', command: ['npm', 'run', '--silent', 'types'], after: [], env: fewerCollections },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'], after: ['types'], env: fewerCollections },
  { name: 'audit', command: ['npm', 'run', '--silent', 'audit'], after: ['lint'] },
  { name: 'page', command: ['npm', 'run', '--silent', 'build'], after: [] },
  {
    name: 'unit',
    command: ['npx', 'vitest', 'run', ...values.unit],
    after: ['page'],
    env: { [turnVariable]: turn },
  },
  {
    name: 'e2e',
    command: ['npm', 'run', '--silent', 'e2e', '--', ...values.e2e],
    after: ['page', 'audit'],
    // When fewer test files are left than cores have room for.
    isDue: () => ended.has('unit') || !wanted.has('unit') || existsSync(join(resultsFolder, unitTailFile)),
    env: { [turnVariable]: turn },
  },
];
const wanted = new Set<string>(values.only?.split(',') ?? parts.map(({ name }) => name));
const chosen = parts.filter(({ name }) => wanted.has(name));
if (chosen.length === 0) {
  console.error(`No part has this name.\n${usage}`);
  process.exit(1);
}

const ended = new Map<string, { readonly passed: boolean; readonly figures: PartFigures }>();
const running = new Map<string, ChildProcess>();
const stateOf = (name: Part['name']): PartState | undefined => {
  if (!wanted.has(name)) return undefined;
  if (ended.has(name)) return 'ended';
  return running.has(name) ? 'running' : 'waiting';
};

mkdirSync(resultsFolder, { recursive: true });
for (const name of [unitTailFile, 'unit.json', 'e2e.json', 'figures.json'])
  rmSync(join(resultsFolder, name), { force: true });
const cpuMeters = createCpuMeters(resultsFolder);
const output = new OrderedOutput(
  chosen.map(({ name }) => name),
  (text) => process.stdout.write(text),
);
const begun = Date.now();
const secondsSince = (from: number): number => (Date.now() - from) / 1000;

function start({ name, command, env }: Part): void {
  const from = Date.now();
  const cpu = cpuMeters.meter(name);
  const [program = '', ...args] = cpu.wrap(command);
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, [timesVariable]: '1', ...env },
  });
  running.set(name, child);
  const limit = setTimeout(() => {
    output.add(name, `\nThe part did not end within ${partLimit / 60_000} minutes and was ended.\n`);
    child.kill('SIGTERM');
  }, partLimit);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => output.add(name, text));
  }
  child.once('error', (error) => output.add(name, `${error.message}\n`));
  child.once('close', (code) => {
    clearTimeout(limit);
    const figures = { cpu: cpu.seconds(), wall: secondsSince(from) };
    cpu.close();
    running.delete(name);
    ended.set(name, { passed: code === 0, figures });
    output.add(
      name,
      `${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${Math.round(figures.wall)} s, ${Math.round(figures.cpu)} s of CPU\n`,
    );
    output.end(name);
    if (code !== 0) process.stderr.write(`\n${name} FAILED; the other parts go on.\n`);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running.values()) child.kill(signal);
    process.exit(1);
  });
}

while (ended.size < chosen.length) {
  for (const part of partsDue(chosen, stateOf)) start(part);
  await new Promise((done) => setTimeout(done, lookPause));
}

const figures: Figures = {
  commit,
  parts: Object.fromEntries([...ended].map(([name, one]) => [name, one.figures])),
  total: {
    cpu: [...ended.values()].reduce((sum, one) => sum + one.figures.cpu, 0),
    wall: secondsSince(begun),
  },
  page: await readPageBytes(),
  lines: countLines(),
};
writeResult('figures.json', figures);
const times = readTimes();
console.log(`\n── The gate ──\n${figuresTable(figures, readFigures())}`);
console.log(`CPU seconds by ${cpuMeters.method}.`);
if (times.length > 0) console.log(`Slowest tests\n${slowestTests(times)}`);
if (wanted.has('e2e'))
  console.log(
    `Each journey by one hand, chosen by its title and ${turn}; ${turnVariable}=${turn} npm run e2e repeats it, npm run prove does both.`,
  );
process.env[turnVariable] = turn;
if (wanted.has('unit'))
  console.log(`Left to npm run prove by ${turn}:\n${filesLeftToProve().join('\n') || 'nothing'}`);
// Last, since whoever stores the output may keep its end alone.
const failures = times.flatMap((one) => one.failures);
if (failures.length > 0) console.log(failuresText(failures));
const failed = [...ended].filter(([, { passed }]) => !passed).map(([name]) => name);
console.log(failed.length === 0 ? 'Everything passed.' : `FAILED: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
