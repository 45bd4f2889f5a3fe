import type { DataPort } from '../data/port.ts';
import { membersOf, parseStored } from '../core/state/stored.ts';

/** How many namespaces have a number: 1 to 9. */
const numbers = 9;

/** A namespace that somebody chose, and the number it got. */
export interface Chosen {
  readonly name: string;
  /** From 1. */
  readonly number: number;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * The namespaces with a number, the first being number 1. A chosen namespace keeps its number as long as it exists;
 * unused numbers go to the other namespaces in their order.
 * @param names the namespaces there are; empty while they are not known
 */
export function numbered(
  chosen: readonly Chosen[],
  names: readonly string[],
): readonly (string | undefined)[] {
  const kept = present(chosen, names);
  const others = names.filter((name) => !kept.some((one) => one.name === name));
  return Array.from(
    { length: numbers },
    (_, at) => kept.find(({ number }) => number === at + 1)?.name ?? others.shift(),
  );
}

/** Those that are still there: the number of a namespace that was deleted is free again. */
const present = (chosen: readonly Chosen[], names: readonly string[]): readonly Chosen[] =>
  names.length === 0 ? chosen : chosen.filter(({ name }) => names.includes(name));

/**
 * Records that a namespace was chosen. One without a number gets the first unused one, else that of the namespace whose
 * last choice is the oldest.
 */
export function withChosen(
  chosen: readonly Chosen[],
  names: readonly string[],
  name: string,
  at: number,
): readonly Chosen[] {
  const kept = present(chosen, names);
  const has = numbered(kept, names).indexOf(name) + 1;
  const free = Array.from({ length: numbers }, (_, index) => index + 1).find(
    (number) => !kept.some((one) => one.number === number),
  );
  const [oldest] = [...kept].sort((a, b) => a.at - b.at);
  const number = has > 0 ? has : (free ?? oldest?.number ?? 1);
  return [...kept.filter((one) => one.number !== number), { name, number, at }];
}

const version = 1;

/** Reads the stored choices; invalid ones are dropped. */
export function readChosen(text: string | null): readonly Chosen[] {
  const stored = parseStored(text);
  // Before there were versions they were stored as a bare list.
  const chosen = Array.isArray(stored) ? stored : membersOf(stored, version).chosen;
  if (!Array.isArray(chosen)) return [];
  const read = chosen.flatMap((one: unknown): Chosen[] => {
    if (typeof one !== 'object' || one === null) return [];
    const { name, number, at } = one as Record<string, unknown>;
    const isNumber = Number.isInteger(number) && Number(number) >= 1 && Number(number) <= numbers;
    return typeof name === 'string' && isNumber && typeof at === 'number'
      ? [{ name, number: Number(number), at }]
      : [];
  });
  return read.filter(
    (one, index) =>
      !read.slice(0, index).some(({ name, number }) => name === one.name || number === one.number),
  );
}

/** The choices as text to store. */
export function storeChosen(chosen: readonly Chosen[]): string {
  return JSON.stringify({ version, chosen });
}

type Parts = Pick<DataPort, 'queryClient' | 'queries'>;

/** Where one person's numbers of a cluster are kept in this browser, and the names there are. */
function numberingOf({ queryClient, queries }: Parts, clusterId: number) {
  const user = queryClient.getQueryData(queries.session.queryKey)?.id ?? 0;
  const names = queryClient.getQueryData(queries.namespaces(clusterId).queryKey) ?? [];
  return { key: `wheelhouse.namespaces.${user}.${clusterId}`, names: names.map(({ name }) => name) };
}

/** The namespaces of a cluster by number, as this person has them; the first is number 1. */
export function numberedOf(parts: Parts, clusterId: number): readonly (string | undefined)[] {
  const { key, names } = numberingOf(parts, clusterId);
  return numbered(readChosen(localStorage.getItem(key)), names);
}

/** Notes that this person looks at a namespace, however they came to it; nothing while it is not known to be there. */
export function noteChosen(parts: Parts, clusterId: number, name: string): void {
  const { key, names } = numberingOf(parts, clusterId);
  if (!names.includes(name)) return;
  const next = withChosen(readChosen(localStorage.getItem(key)), names, name, Date.now());
  localStorage.setItem(key, storeChosen(next));
}
