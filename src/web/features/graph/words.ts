import { counted } from '../../../registry/counted.ts';
import { lowerFirst } from '../../data/live/freshness.ts';
import type { DrawnNode } from './draw.ts';
import type { Item } from './fold.ts';
import type { GraphNode } from './model.ts';

/** A group in words: `12 ConfigMaps, tied to nothing`. */
export function groupText({ sort, label, members }: Item): string {
  const text = counted(members.length, label);
  if (sort === 'loose') return `${text}, tied to nothing`;
  return sort === 'idle' ? `${text}, idle` : text;
}

/** The status of an object, as far as it is known. */
export function statusText({ status, known }: GraphNode): string {
  return status?.label ?? (known === 'named' ? 'Status not watched' : 'No status');
}

/** A drawn node in one line, for who cannot see it. */
export function nodeText({ item, more }: DrawnNode): string {
  if (more !== undefined) return `${counted(more, item.members[0]?.label ?? item.label)} more`;
  if (item.node === undefined) return `${groupText(item)}${toneText(item)}`;
  const folded = item.members.length === 0 ? '' : `, ${item.size - 1} in it`;
  return `${item.label} ${item.node.name}, ${lowerFirst(statusText(item.node))}${folded}`;
}

/** That something in a group is not well. */
const toneText = ({ tone }: Item): string =>
  tone === 'bad' ? ', some failing' : tone === 'warn' ? ', some degraded' : '';
