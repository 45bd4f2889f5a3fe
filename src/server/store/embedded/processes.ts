import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether a process runs. A zombie counts as dead: where nobody reaps orphans (containers without an init),
 * it keeps its id for ever, and PostgreSQL would wait for it.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Not permitted to signal it: it exists.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  try {
    // The state follows the command's name, which is in parentheses and may hold any character.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    // No /proc on macOS; on Linux the process has just ended.
    return process.platform !== 'linux';
  }
}

/** The postmaster's note about itself in its data folder. */
export interface PostmasterNote {
  readonly pid: number;
  readonly socketDir: string | undefined;
}

/** Reads `postmaster.pid`; null when there is none. */
export function readPostmasterNote(cluster: string): PostmasterNote | null {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
  return Number.isInteger(pid) && pid > 1 ? { pid, socketDir: lines[4]?.trim() || undefined } : null;
}

/** Whether a process is the postmaster of a data folder: ids are used again, above all in containers. */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    const command =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes(cluster);
  } catch {
    return false;
  }
}

/**
 * Whether any process still works in a data folder (a killed postmaster's children leave a moment later).
 * PostgreSQL's processes have the data folder as their working directory.
 */
export function hasWorkers(cluster: string): boolean {
  if (process.platform !== 'linux') return false;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      try {
        return readlinkSync(`/proc/${name}/cwd`) === cluster && isAlive(Number(name));
      } catch {
        return false;
      }
    });
}
