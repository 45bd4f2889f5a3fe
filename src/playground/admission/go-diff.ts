import { createRequire } from 'node:module';
import type * as Diff from 'diff';

/** What differs between two values as the server prints it under a refusal: their JSON, line by line. */
export function goDifference(then: unknown, now: unknown): string {
  const text = (value: unknown) => JSON.stringify(value, null, 1);
  // Loaded with the first such mistake: few ever make one.
  const { structuredPatch } = createRequire(import.meta.url)('diff') as typeof Diff;
  const { hunks } = structuredPatch('', '', text(then), text(now), '', '', { context: 3 });
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines, ''].join('\n'),
    )
    .join('');
}
