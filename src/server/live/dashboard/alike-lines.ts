import type { AttentionCause, AttentionLine } from '../../../contract/dashboard.ts';
import { affectedOf } from './affected.ts';
import type { OwnLine } from './attention-lines.ts';

/**
 * Lines with one line for each cause that lies outside of the objects: that of the object whose place comes first in the
 * order of names, so that it stays the same while others come and go.
 */
export function foldAlike(lines: readonly OwnLine[]): readonly AttentionLine[] {
  const groups = new Map<string, OwnLine[]>();
  for (const line of lines) {
    const key = keyOf(line);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return [...groups.values()].map(joined);
}

/** The same for lines of one cause. */
function keyOf({ key, rule, tone, on, sharedCause }: OwnLine): string {
  if (sharedCause === undefined) return key;
  const { title, isInNamespace } = sharedCause;
  return [rule, tone, ...(isInNamespace ? [on.namespace] : []), title].join(' ');
}

/** A line as pages get it. */
export const toldLine = ({ sharedCause: _cause, ...line }: OwnLine): AttentionLine => line;

/**
 * The line of several that have one cause. Of a problem that has passed and is still shown nothing is left while others
 * have the cause.
 */
function joined(all: readonly OwnLine[]): AttentionLine {
  const lasting = all.filter(({ endedAt }) => endedAt === undefined);
  const lines = lasting.length === 0 ? all : lasting;
  const [first, ...others] = lines.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  if (first === undefined) throw new Error('A cause has a line.');
  if (others.length === 0) return toldLine(first);
  const { isSinceLatest: _isLatest, worseAt: _worse, isChronic: _isChronic, help, ...line } = toldLine(first);
  const isHelpOfAll = lines.every((one) => JSON.stringify(one.help) === JSON.stringify(help));
  return {
    ...line,
    title: first.sharedCause?.title ?? first.title,
    ...timesOf(lines),
    causes: sumOf(lines),
    // It would help the first object alone.
    action: null,
    ...(help === undefined || !isHelpOfAll ? {} : { help }),
    affected: affectedOf(
      'alike',
      others.map(({ on }) => on),
    ),
  };
}

/** It began when the first of the lines did, and got worse with each that is known to have begun after that. */
function timesOf(
  lines: readonly AttentionLine[],
): Pick<AttentionLine, 'since' | 'isSinceLatest' | 'worseAt'> {
  const since = Math.min(...lines.map((line) => line.since ?? Number.POSITIVE_INFINITY));
  const isSinceLatest = lines.some((line) => line.since === since && line.isSinceLatest === true);
  const news = lines.flatMap((line) => [
    ...(line.since === null || line.since === since || line.isSinceLatest === true ? [] : [line.since]),
    ...(line.worseAt === undefined ? [] : [line.worseAt]),
  ]);
  return {
    since: Number.isFinite(since) ? since : null,
    ...(isSinceLatest ? { isSinceLatest } : {}),
    ...(news.length === 0 ? {} : { worseAt: Math.max(...news) }),
  };
}

/** The causes of all lines with their extents in all. */
function sumOf(lines: readonly AttentionLine[]): readonly AttentionCause[] {
  const extents = new Map<string, number>();
  for (const { causes } of lines)
    for (const { rule, extent } of causes) extents.set(rule, (extents.get(rule) ?? 0) + extent);
  return [...extents].map(([rule, extent]) => ({ rule, extent }));
}
