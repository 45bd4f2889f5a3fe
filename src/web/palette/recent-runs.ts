import { readRuns, type RecentRun, storeRuns, withRun } from '../../registry/recents.ts';

const keyFor = (userId: number) => `wheelhouse.runs.${userId}`;

/** What one person ran from the palette of this browser. */
export const runsStore = {
  read: (storage: Pick<Storage, 'getItem'>, userId: number): readonly RecentRun[] =>
    readRuns(storage.getItem(keyFor(userId))),
  note: (storage: Pick<Storage, 'getItem' | 'setItem'>, userId: number, run: RecentRun): void =>
    storage.setItem(keyFor(userId), storeRuns(withRun(readRuns(storage.getItem(keyFor(userId))), run))),
};
