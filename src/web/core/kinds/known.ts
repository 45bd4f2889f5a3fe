import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { builtInOf } from '../../../registry/kinds/builtin.ts';
import { pluralTitle, titleOfPlural } from '../../../registry/kinds/kind-title.ts';
import { parseKindName } from '../../../registry/kinds/resource-key.ts';
import { type Cell, observed } from '../state/state.ts';
import { membersOf, parseStored } from '../state/stored.ts';
import { kindById } from './declared.ts';
import { kindLabel } from './names.ts';

/** The kinds this page knows: those with a file, and those without one that the server has described. */
export interface KnownKinds {
  /** Keeps what a cluster's kind is, under the name it was asked for and under its own. */
  learn(clusterId: number, name: string, kind: KindFacts): void;
  /** Keeps the titles of kinds that stand in a list of a cluster's kinds, before any of them is looked at. */
  learnTitles(clusterId: number, kinds: readonly Pick<KindFacts, 'id' | 'title'>[]): void;
  /** The kind of an object's reference; undefined if no list or page of it has been opened yet. */
  of(cluster: string, name: string): KindFacts | undefined;
  /** The same, or what stands for it until the server has said what it is. */
  orUnknown(cluster: string, name: string): KindFacts;
  /** The title of a kind's list, also of one that was looked at before the page was loaded; undefined while unknown. */
  titleOf(cluster: string, name: string): string | undefined;
  /** Counts the titles that were learnt: what shows them follows it. */
  readonly learnt: Cell<number>;
}

/** Where the titles of kinds are kept for a reload. */
export interface TitleStore {
  read(): string | null;
  write(text: string): void;
}

/** Version of how titles are kept; another one is ignored. */
const version = 1;
/** Titles that are kept, those learnt last. */
const maxTitles = 200;
const noTitleStore: TitleStore = { read: () => null, write: () => undefined };

/** Begins with the kinds that have a file, and the titles that were kept. */
export function createKnownKinds(store: TitleStore = noTitleStore): KnownKinds {
  const known = new Map<string, KindFacts>();
  const titles = new Map(readTitles(store.read()));
  /** Of kinds that a list named and that were perhaps never looked at. A cluster may have thousands: they are not kept. */
  const listed = new Map<string, string>();
  const learnt = observed(0);
  const of = (cluster: string, name: string) => kindById(name) ?? known.get(`${cluster} ${name}`);
  const titleOf = (cluster: string, name: string) => {
    const key = `${cluster} ${name}`;
    return kindById(name)?.title ?? titles.get(key) ?? listed.get(key) ?? builtInTitle(name);
  };
  return {
    learnt,
    learn(clusterId, name, kind) {
      known.set(`${clusterId} ${name}`, kind);
      known.set(`${clusterId} ${kind.id}`, kind);
      const key = `${clusterId} ${name}`;
      if (kindById(name) !== undefined || titles.get(key) === kind.title) return;
      titles.delete(key);
      titles.set(key, kind.title);
      store.write(JSON.stringify({ version, titles: [...titles].slice(-maxTitles) }));
      learnt.update((count) => count + 1);
    },
    learnTitles(clusterId, kinds) {
      const news = kinds.filter(({ id, title }) => listed.get(`${clusterId} ${id}`) !== title);
      if (news.length === 0) return;
      for (const { id, title } of news) listed.set(`${clusterId} ${id}`, title);
      learnt.update((count) => count + 1);
    },
    of,
    orUnknown(cluster, name) {
      const title = titleOf(cluster, name);
      return of(cluster, name) ?? { ...unknownKind(name), ...(title === undefined ? {} : { title }) };
    },
    titleOf,
  };
}

/** The title of a built-in kind without a file. */
function builtInTitle(name: string): string | undefined {
  const { group = '', word = '' } = parseKindName(name) ?? {};
  const found = builtInOf({ group, plural: word })?.resource;
  return found === undefined ? undefined : pluralTitle(found.kind, found.plural);
}

function readTitles(text: string | null): readonly (readonly [key: string, title: string])[] {
  const { titles } = membersOf(parseStored(text), version);
  if (!Array.isArray(titles)) return [];
  return titles.flatMap((one: unknown): readonly (readonly [string, string])[] => {
    const [key, title] = Array.isArray(one) ? (one as readonly unknown[]) : [];
    return typeof key === 'string' && typeof title === 'string' ? [[key, title]] : [];
  });
}

/**
 * A placeholder until the server has described the kind: its name and no columns.
 * @param name as `parseKindName` reads it
 */
export function unknownKind(name: string): KindFacts {
  const { group = '', version = '', word = name } = parseKindName(name) ?? {};
  return {
    id: name,
    kind: kindLabel(name),
    group,
    version,
    plural: word,
    scope: 'Namespaced',
    title: titleOfPlural(word),
    icon: 'object',
    permissions: { view: 'owner', manage: 'owner' },
    paths: { list: '/clusters/:clusterId' },
    columns: [],
  };
}
