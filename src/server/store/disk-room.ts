import { statfs } from 'node:fs/promises';
import { systemClock } from '../kit/clock.ts';
import { isDiskFull } from './problem.ts';

/** With less than this free, PostgreSQL finds no room for the next file of its log (16 MiB) and a table beside it, bytes. */
const minRoom = 32 * 1024 ** 2;
/** A refusal for want of room counts for this long, ms: the servers write every few seconds. */
const refusalTime = 60_000;

/** Whether the disk of the database has room, by what it refuses and, where its files are here, by what is free. */
export class DiskRoom {
  readonly #folder: string | null;
  readonly #now: () => number;
  #refusedAt = -Infinity;

  /** @param folder with the database's files; null where they are on another machine */
  constructor(folder: string | null, now: () => number = () => systemClock.now()) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Notes what failed. */
  note(error: unknown): void {
    if (isDiskFull(error)) this.#refusedAt = this.#now();
  }

  /** Whether nothing more can be written, or soon. Rejects where the file system cannot be asked. */
  async isFull(): Promise<boolean> {
    if (this.#now() - this.#refusedAt < refusalTime) return true;
    if (this.#folder === null) return false;
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize < minRoom;
  }
}
