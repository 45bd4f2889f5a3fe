import type { AttentionCause, AttentionLine } from '../../../contract/dashboard.ts';
import { affectedOf } from './affected.ts';

/**
 * Lines with one line for each cause that lies outside of the objects: that of the object whose place comes first in the
 * order of names, so that it stays the same while others come and go. A problem that has passed and is still shown has a
 * line of its own.
 */
export function foldAlike(lines: readonly AttentionLine[]): readonly AttentionLine[] {
  const groups = new Map<string, AttentionLine[]>();
  for (const line of lines) {
    const key =
      line.sharedCause === undefined || line.endedAt !== undefined
        ? line.key
        : `${line.rule} ${line.tone} ${line.sharedCause}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return [...groups.values()].map(joined);
}

/** The line of several that have one cause. */
function joined(lines: readonly AttentionLine[]): AttentionLine {
  const [first, ...others] = lines.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  if (first === undefined) throw new Error('A cause has a line.');
  if (others.length === 0) return first;
  return {
    ...first,
    ...timesOf(lines),
    causes: sumOf(lines),
    alike: affectedOf(others.map(({ on }) => on)),
  };
}

/** It began when the first of the lines did, and got worse with each that began after that. */
function timesOf(lines: readonly AttentionLine[]): Pick<AttentionLine, 'since' | 'worseAt'> {
  const begun = lines.flatMap(({ since }) => since ?? []);
  const since = begun.length === 0 ? null : Math.min(...begun);
  const later = begun.filter((one) => one > (since ?? 0));
  const worse = lines.flatMap(({ worseAt }) => worseAt ?? []);
  return { since, ...(later.length + worse.length === 0 ? {} : { worseAt: Math.max(...later, ...worse) }) };
}

/** The causes of all lines with their extents in all. */
function sumOf(lines: readonly AttentionLine[]): readonly AttentionCause[] {
  const extents = new Map<string, number>();
  for (const { causes } of lines)
    for (const { rule, extent } of causes) extents.set(rule, (extents.get(rule) ?? 0) + extent);
  return [...extents].map(([rule, extent]) => ({ rule, extent }));
}
