import type { DiffLine } from './diff.ts';

/** The difference between two similar lines: where it begins in both, and where it ends in each. */
export interface WordMark {
  readonly start: number;
  readonly endBefore: number;
  readonly endAfter: number;
}

/** Characters that part words: what differs is marked from one to the next. */
const boundary = /[\s:/=,"'@]/;

/**
 * The difference between a line and the line that replaces it, by whole words; undefined if they have nothing in
 * common.
 */
export function wordMark(before: string, after: string): WordMark | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let rest = 0;
  while (rest < most - start && before.at(-1 - rest) === after.at(-1 - rest)) rest += 1;
  while (start > 0 && !boundary.test(before[start - 1] ?? '')) start -= 1;
  while (rest > 0 && !boundary.test(before.at(-rest) ?? '')) rest -= 1;
  const same = before.slice(0, start).trim() + before.slice(before.length - rest).trim();
  if (same === '') return undefined;
  return { start, endBefore: before.length - rest, endAfter: after.length - rest };
}

/** For each line of a difference the stretch of it that differs, as `[from, to]`; undefined for what is equal or wholly other. */
export function wordMarksOf(
  lines: readonly DiffLine[],
): readonly (readonly [from: number, to: number] | undefined)[] {
  const marks: (readonly [number, number] | undefined)[] = lines.map(() => undefined);
  const textAt = (type: 'added' | 'removed', at: number) => {
    const line = lines[at];
    return line?.type === type ? line.text : undefined;
  };
  for (let at = 0; at < lines.length; at += 1) {
    let went = 0;
    while (textAt('removed', at + went) !== undefined) went += 1;
    for (let index = 0; index < went; index += 1) {
      const before = textAt('removed', at + index) ?? '';
      const after = textAt('added', at + went + index);
      if (after === undefined) break;
      const mark = wordMark(before, after);
      if (mark === undefined) continue;
      marks[at + index] = [mark.start, mark.endBefore];
      marks[at + went + index] = [mark.start, mark.endAfter];
    }
    at += Math.max(0, went - 1);
  }
  return marks;
}
