import type { DeletionEffect } from '../../../contract/objects.ts';
import { lowerFirst } from '../../data/live/freshness.ts';

/** What a deletion does to other objects, as the server tells it. */
export interface Deletion {
  readonly effects: readonly DeletionEffect[];
  /** There may be others that the person may not view. */
  readonly hasUnseen: boolean;
}

/** `1 pod`, `3 pods`, or `pods` where nobody knows how many. */
function counted({ kind, title, count }: DeletionEffect): string {
  if (count === null) return lowerFirst(title);
  return `${count} ${lowerFirst(count === 1 ? kind : title)}`;
}

/** `PersistentVolume pv-1`, or as `counted` if there are several. */
const nameOf = (effect: DeletionEffect): string =>
  isOne(effect) ? `${effect.kind} ${effect.names[0] ?? ''}`.trim() : counted(effect);

/** `a`, `a and b`, `a, b and c`. */
const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

const isOne = ({ count }: DeletionEffect): boolean => count === 1;

/** The claims by their names, as far as they are told. */
function claims(effect: DeletionEffect): string {
  const { count, names } = effect;
  if (count === null || count > names.length) return `the ${counted(effect)}`;
  return `the ${isOne(effect) ? 'claim' : 'claims'} ${listed(names)}`;
}

/**
 * What goes and what stays when objects are deleted, one sentence each.
 * @param propagation what becomes of what they own: `Background`, `Foreground` or `Orphan`
 */
export function deletionText({ effects, hasUnseen }: Deletion, propagation: unknown): readonly string[] {
  const of = (wanted: DeletionEffect['effect']) => effects.filter(({ effect }) => effect === wanted);
  const isKept = propagation === 'Orphan';
  const owned = of('owned');
  const gone = [...of('inside'), ...of('instances'), ...(isKept ? [] : owned)];
  const sentences = [
    ...(gone.length === 0 ? [] : [`Deletes ${listed(gone.map(counted))} as well.`]),
    ...(isKept && owned.length > 0
      ? [
          `${listed(owned.map(counted))} ${owned.length === 1 && owned.every(isOne) ? 'stays' : 'stay'}, without an owner.`,
        ]
      : []),
    ...of('claimsGone').map((one) => `Deletes ${claims(one)} as well, with the data.`),
    ...of('claims').map(
      (one) => `${upperFirst(claims(one))} ${isOne(one) ? 'stays' : 'stay'}, with the data.`,
    ),
    ...of('running').map((one) => {
      const subject = upperFirst(counted(one));
      const verb = isOne(one) ? 'runs on it and is lost' : 'run on it and are lost';
      return `${subject} ${verb}: controllers start theirs again on other nodes, others are gone.`;
    }),
    ...of('volumeGone').map(
      (one) => `Deletes ${nameOf(one)} as well, with the data: its reclaim policy says so.`,
    ),
    ...of('volumeKept').map((one) => `${nameOf(one)} ${isOne(one) ? 'stays' : 'stay'}, with the data.`),
    ...of('claimLost').map(
      (one) =>
        `${nameOf(one)} ${isOne(one) ? 'loses its volume' : 'lose their volumes'}, and the way to the data.`,
    ),
    ...of('maker').map((one) =>
      isOne(one)
        ? `${nameOf(one)} creates another in its place.`
        : `Controllers create others in place of ${one.count ?? 'some'}.`,
    ),
  ];
  const rest = hasUnseen ? ['Objects that you may not view may be deleted as well.'] : [];
  return sentences.length === 0 && !hasUnseen
    ? ['Nothing else is deleted with it.']
    : [...sentences, ...rest];
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
