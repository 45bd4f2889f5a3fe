import { createHash } from 'node:crypto';
import { isFull } from '../prove.ts';
import { turnVariable } from './turn.ts';

/**
 * Files that prove operation rather than code and take long: whole servers start, are killed and hand over, a page is
 * built, other programs are run. A commit runs a third of them in the gate, which their names and the commit choose;
 * `npm run prove` and every run beside the gate run them all.
 */
export const slowFiles: readonly string[] = [
  'tests/playground/helm.test.ts',
  'tests/playground/kubectl.test.ts',
  'tests/server/audit/million.test.ts',
  'tests/server/boot/page-build/page-build.test.ts',
  'tests/server/boot/start.test.ts',
  'tests/server/duties/hand-over.test.ts',
  'tests/server/helm/real-helm.test.ts',
  'tests/server/live/chaos.test.ts',
];

/** Number of commits within which each file has its turn, on average. */
const share = 3;

/** The slow files that this run leaves to `npm run prove`. */
export function filesLeftToProve(): readonly string[] {
  const turn = process.env[turnVariable];
  if (isFull || turn === undefined) return [];
  return slowFiles.filter((file) => {
    const draw = createHash('sha256').update(`${turn}\n${file}`).digest()[0] ?? 0;
    return draw % share !== 0;
  });
}
