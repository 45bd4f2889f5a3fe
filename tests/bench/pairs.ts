import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { benchCheckout } from './checkout.ts';
import { aligned, type Figure, quantile, valueOf } from './report.ts';

const run = promisify(execFile);

/** Measures a part with a checkout's server and page, in a process of its own. Rejects with what the process printed. */
async function figuresOf(part: string, checkout: string): Promise<readonly Figure[]> {
  const args = [join(import.meta.dirname, 'run.ts'), '--only', part, '--json'];
  const { stdout } = await run(process.execPath, args, {
    cwd: benchCheckout,
    env: { ...process.env, BENCH_CHECKOUT: checkout },
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Figure);
}

/** The median of a figure over several turns. */
function medianOf(turns: readonly (readonly Figure[])[], name: string): number {
  return quantile(
    turns.flatMap((figures) => figures.filter((figure) => figure.name === name).map(({ value }) => value)),
    0.5,
  );
}

/**
 * Measures a part of two checkouts by turns, the other one first, so that a slow minute of the machine meets both. Gives
 * a table of the medians and of how this checkout compares with the other.
 */
export async function measurePairs(part: string, other: string, turns: number): Promise<string> {
  const before: (readonly Figure[])[] = [];
  const now: (readonly Figure[])[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    before.push(await figuresOf(part, other));
    now.push(await figuresOf(part, benchCheckout));
  }
  const lines = (now[0] ?? []).map(({ name, unit }) => {
    const [had, has] = [medianOf(before, name), medianOf(now, name)];
    const change =
      had === 0 ? '' : `${has >= had ? '+' : '−'}${Math.abs((has / had - 1) * 100).toFixed(1)} %`;
    return [name, valueOf({ value: had, unit }), valueOf({ value: has, unit }), change];
  });
  return aligned([['figure', 'other', 'this', 'change'], ...lines]);
}
