import { describe, expect, it } from 'vitest';
import { checkBuildMemory, readMemory } from '../../../src/server/boot/build-memory.ts';

const gigabyte = 2 ** 30;

describe('the memory that a build of the page needs', () => {
  it('stops a start on a machine or container that has less, before the build', () => {
    expect(() => checkBuildMemory({ total: gigabyte, free: gigabyte })).toThrow(
      /takes about 1\.7 GB of memory, and this machine or container has 1\.0 GB\.\nGive it more memory/,
    );
  });

  it('gives a warning where other programs use it', () => {
    expect(checkBuildMemory({ total: 4 * gigabyte, free: gigabyte / 2 })).toBe(
      'Building the page takes about 1.7 GB of memory, and 0.5 GB is free. If the build is killed, close other programs and start again.',
    );
  });

  it.each([2 * gigabyte, undefined])('gives no warning with %s bytes free', (free) => {
    expect(checkBuildMemory({ total: 4 * gigabyte, free })).toBeUndefined();
  });

  it('is compared with what this machine has', () => {
    const { total, free } = readMemory();
    expect(total).toBeGreaterThan(gigabyte / 4);
    expect(free ?? 0).toBeLessThanOrEqual(total);
  });
});
