import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** Builds the page once, before any test measures or waits for a start. */
// oxlint-disable-next-line import/no-default-export -- what Playwright's globalSetup asks for
export default function buildPage(): void {
  const program = join(resolve(import.meta.dirname, '../..'), 'src/server/start.mjs');
  execFileSync(process.execPath, [program, '--build-only'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
