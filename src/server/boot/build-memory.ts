import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { StartError } from '../kit/start-error.ts';

/** Memory that a build of the page takes at its peak, with the server that waits for it, MB. */
export const buildMegabytes = 1_700;

/** Memory of this machine or container, bytes. */
export interface Memory {
  /** All that processes may take, swap included. */
  readonly total: number;
  /** What is free for them now; undefined where the system does not say it reliably. */
  readonly free: number | undefined;
}

/**
 * Checks that a build of the page fits: the system kills a process that takes more memory than there is, without a word.
 * @returns a warning where the memory is there and in use by others; undefined where it is free
 * @throws StartError where it cannot fit
 */
export function checkBuildMemory({ total, free }: Memory): string | undefined {
  const needed = `Building the page takes about ${gigabytes(buildMegabytes * 2 ** 20)} of memory`;
  if (total < buildMegabytes * 2 ** 20)
    throw new StartError([
      `${needed}, and this machine or container has ${gigabytes(total)}.`,
      'Give it more memory or swap, run npm run build on another machine and copy its folder dist/page here, or use the container image, which has the page.',
    ]);
  if (free === undefined || free >= buildMegabytes * 2 ** 20) return undefined;
  return `${needed}, and ${gigabytes(free)} is free. If the build is killed, close other programs and start again.`;
}

/** The memory of this machine, or of its container where that has less. */
export function readMemory(): Memory {
  const limit = process.constrainedMemory();
  const isLimited = limit > 0 && limit < totalmem();
  if (isLimited) return { total: limit, free: undefined };
  // macOS calls little free that it would give at once.
  const free = process.platform === 'linux' ? freemem() + swapBytes('SwapFree') : undefined;
  return { total: totalmem() + swapBytes('SwapTotal'), free };
}

/** A value of Linux's /proc/meminfo; 0 elsewhere. */
function swapBytes(name: 'SwapTotal' | 'SwapFree'): number {
  try {
    const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/meminfo', 'utf8'));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`;
