import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { slowFiles } from './gate/slow-lane.ts';

// Runs what the gate runs in part, in full: every test file that proves by number, by a commit's turn or in the slow lane,
// and every journey by both hands. `npm run prove -- tests/server/store` narrows it to a folder, or to a file.
const place = process.argv[2] ?? 'tests';
const isProof = (file: string): boolean =>
  /from '(?:\.\.?\/)+(?:prove|gate\/turn)\.ts'/.test(readFileSync(file, 'utf8'));
const proofs = globSync(
  place.endsWith('.ts') ? place : `${place.replace(/\/$/, '')}/**/*.{test,spec}.ts`,
).filter((file) => file.endsWith('.spec.ts') || file in slowFiles || isProof(file));
const files = proofs.filter((file) => file.endsWith('.test.ts'));
const journeys = proofs.filter((file) => file.endsWith('.spec.ts'));
if (proofs.length === 0) {
  console.error(`No file below ${place} proves by number.`);
  process.exit(1);
}
const seed = process.env['PROVE_SEED'] ?? String(randomInt(2 ** 31));
console.log(`PROVE_SEED=${seed} (set it to run the same again)`);
const env = { ...process.env, PROVE: '1', PROVE_SEED: seed };
const run = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'inherit', env }).status === 0;
const held = files.length === 0 || run('vitest', 'run', '--testTimeout=1800000', ...files);
const seen =
  journeys.length === 0 ||
  run('playwright', 'test', '--config', 'tests/e2e/playwright.config.ts', ...journeys);
process.exit(held && seen ? 0 : 1);
