import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../..');
/** Version N is what was there before the console could be installed by a chart. */
const firstOfNext = 'deploy/Dockerfile';

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.optional(z.string()) })),
});

/** A checkout of an earlier version, ready to start. */
export interface EarlierVersion {
  readonly commit: string;
  readonly folder: string;
  remove(): void;
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The commit before the first image. Throws with what to do where the history does not reach it. */
function commitBefore(): string {
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', firstOfNext);
    if (added === '') throw new Error('It is not in the history.');
    return git('rev-parse', '--verify', `${added}^`);
  } catch (error) {
    throw new Error(
      `The history of this checkout does not reach the commit before ${firstOfNext}, which is version N. Fetch all of it (git fetch --unshallow), or name another commit: npm run upgrade-test -- COMMIT`,
      { cause: error },
    );
  }
}

/** Whether every package of that lock file is installed here, in that version. */
function isInstalledHere(folder: string): boolean {
  const packagesOf = (file: string) => lockSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).packages;
  const here = packagesOf(join(root, 'package-lock.json'));
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
    ([path, { version }]) => path === '' || here[path]?.version === version,
  );
}

/**
 * Takes an earlier version out of the history into a temporary folder, with this checkout's packages where they are the
 * same and its own otherwise.
 * @param signal ends it
 * @param commit the one before the first image without it
 */
export async function checkOutEarlier(signal: AbortSignal, commit = commitBefore()): Promise<EarlierVersion> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-earlier-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    if (isInstalledHere(folder)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    else {
      const code = await runIn(folder, 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], signal);
      if (code !== 0) throw new Error(`The packages of ${commit} could not be installed.`);
    }
    return { commit, folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Builds the page of a checkout, where that is not done, as its server would. @param signal ends it */
export async function buildPageOf(folder: string, signal: AbortSignal): Promise<void> {
  const args = [join(folder, 'src/server/start.mjs'), '--build-only'];
  const code = await runIn(folder, process.execPath, args, signal);
  if (code !== 0) throw new Error(`The page of ${folder} could not be built: the build ended with ${code}.`);
}

/** Runs a program in a folder to its end, or until the signal is aborted; gives its exit code. */
async function runIn(
  folder: string,
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number | null> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  const end = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  process.once('exit', end);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  } finally {
    signal.removeEventListener('abort', end);
    process.off('exit', end);
  }
}
