import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

// Runs every test file that proves by number, in full. `npm run prove -- tests/server/store` narrows it to a folder.
const folder = process.argv[2] ?? 'tests';
const files = globSync(`${folder.replace(/\/$/, '')}/**/*.test.ts`).filter((file) =>
  /from '(?:\.\.?\/)+prove\.ts'/.test(readFileSync(file, 'utf8')),
);
if (files.length === 0) {
  console.error(`No file below ${folder} proves by number.`);
  process.exit(1);
}
const seed = process.env['PROVE_SEED'] ?? String(randomInt(2 ** 31));
console.log(`PROVE_SEED=${seed} (set it to run the same again)`);
const { status } = spawnSync('vitest', ['run', '--testTimeout=1800000', ...files], {
  stdio: 'inherit',
  env: { ...process.env, PROVE: '1', PROVE_SEED: seed },
});
process.exit(status ?? 1);
