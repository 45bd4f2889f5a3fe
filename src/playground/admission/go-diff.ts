import { createRequire } from 'node:module';
import type * as Diff from 'diff';

/** The difference of two values as the server prints it in a refusal: a line diff of their JSON. */
export function goDifference(then: unknown, now: unknown): string {
  const text = (value: unknown) => JSON.stringify(value, null, 1);
  // Loaded on the first use, which is rare.
  const { structuredPatch } = createRequire(import.meta.url)('diff') as typeof Diff;
  const { hunks } = structuredPatch('', '', text(then), text(now), '', '', { context: 3 });
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines, ''].join('\n'),
    )
    .join('');
}
