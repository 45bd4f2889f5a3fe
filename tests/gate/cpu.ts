import { accessSync, constants, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/** Measures the processor time of one command and of all that it starts. */
export interface CpuMeter {
  /** What to spawn in place of the command. */
  wrap(command: readonly string[]): readonly string[];
  /** Seconds of processor time so far, user and system. */
  seconds(): number;
  close(): void;
}

/** How processor time is measured on this machine, for the report. */
export type CpuMethod = 'control groups: all processes' | 'the shell: processes that were waited for';

/** A hierarchy of control groups in which this process may make groups. */
interface Hierarchy {
  readonly folder: string;
  /** Reads the seconds that a group has used. */
  readonly read: (group: string) => number;
}

/** The group of this process by controller; the key of version 2 is empty. */
function ownGroups(): ReadonlyMap<string, string> {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, controllers = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      return controllers.split(',').map((controller): [string, string] => [controller, path]);
    }),
  );
}

const readVersion1 = (group: string): number =>
  Number(readFileSync(join(group, 'cpuacct.usage'), 'utf8')) / 1e9;
const readVersion2 = (group: string): number =>
  Number(/usage_usec (\d+)/.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))?.[1] ?? 0) / 1e6;

/** The hierarchy that counts processor time, where there is one that may be written to. */
function findHierarchy(): Hierarchy | undefined {
  try {
    const own = ownGroups();
    const candidates: readonly Hierarchy[] = [
      { folder: join('/sys/fs/cgroup/cpuacct', own.get('cpuacct') ?? '/'), read: readVersion1 },
      { folder: join('/sys/fs/cgroup', own.get('') ?? '/'), read: readVersion2 },
    ];
    return candidates.find((candidate) => isUsable(candidate));
  } catch {
    return undefined;
  }
}

function isUsable({ folder, read }: Hierarchy): boolean {
  const probe = join(folder, `wheelhouse-gate-${process.pid}`);
  try {
    mkdirSync(probe);
    accessSync(join(probe, 'cgroup.procs'), constants.W_OK);
    read(probe);
    return true;
  } catch {
    return false;
  } finally {
    removeGroup(probe);
  }
}

function removeGroup(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // It was never made, or a process that outlives its part is still in it.
  }
}

/** A control group for each part: everything that was started by it counts, whoever waits for it. */
function groupMeter({ folder, read }: Hierarchy, name: string): CpuMeter {
  const group = join(folder, `wheelhouse-gate-${process.pid}-${name}`);
  mkdirSync(group);
  return {
    wrap: (command) => ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group, ...command],
    seconds: () => read(group),
    close: () => removeGroup(group),
  };
}

/** The shell's own count of the processes that were waited for: one that its parent leaves behind is missing. */
function timesMeter(file: string): CpuMeter {
  return {
    wrap: (command) => ['sh', '-c', '"$@"; code=$?; times > "$0"; exit $code', file, ...command],
    seconds: () => {
      try {
        return secondsOfTimes(readFileSync(file, 'utf8'));
      } catch {
        return 0;
      }
    },
    close: () => undefined,
  };
}

/** Seconds in what the shell's `times` prints: user and system time of the shell, then of its children. */
export function secondsOfTimes(text: string): number {
  return [...text.matchAll(/(\d+)m(\d+(?:\.\d+)?)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

/** Chooses how to measure on this machine. @param folder for what is noted meanwhile */
export function createCpuMeters(folder: string): {
  readonly method: CpuMethod;
  meter(name: string): CpuMeter;
} {
  const hierarchy = process.platform === 'linux' ? findHierarchy() : undefined;
  return hierarchy === undefined
    ? {
        method: 'the shell: processes that were waited for',
        meter: (name) => timesMeter(join(folder, `${name}.times`)),
      }
    : { method: 'control groups: all processes', meter: (name) => groupMeter(hierarchy, name) };
}
