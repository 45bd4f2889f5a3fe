import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcriptVariable } from './transcript.ts';

// Asks the forty questions of the test of the chat's rules, and prints what they answer.
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-transcript-'));
const file = join(folder, 'transcript.txt');
try {
  const { status } = spawnSync('npx', ['vitest', 'run', 'tests/server/chat/forty-questions.test.ts'], {
    env: { ...process.env, [transcriptVariable]: file },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.stdout.write(readFileSync(file, 'utf8'));
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
