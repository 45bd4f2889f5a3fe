import { expect, test } from 'vitest';
import { kinds } from '../../../commands/kinds/index.ts';
import { idsWithPhrases } from '../../../src/registry/palette/phrases/search.ts';
import { sectionsOf } from '../../../src/web/features/palette/EntryList.tsx';
import { registry } from '../palette-moment.ts';
import { playgroundAnswer } from './estate.ts';
import { ask, moments } from './moments.ts';

/** Ids of the commands behind the first three entries; a place is the command that shows it. */
const firstIds = (text: string): readonly string[] =>
  sectionsOf(ask(text, moments.cartRow, [], playgroundAnswer).entries)
    .flatMap(([, some]) => some)
    .slice(0, 3)
    .map(({ act, id }) => {
      if (act.type === 'command') return act.command.id;
      return act.type === 'place' ? (registry.match(act.href)?.command.id ?? id) : id;
    });

const misses = (text: string, isWanted: (id: string) => boolean): readonly string[] => {
  const ids = firstIds(text);
  return ids.some(isWanted) ? [] : [`“${text}”: ${ids.join(', ')}`];
};

const missesOfKinds = (textOf: (kind: (typeof kinds)[number], at: number) => string): readonly string[] =>
  kinds.flatMap((kind, at) =>
    misses(textOf(kind, at), (id) => id === `${kind.id}.list` || id === `${kind.id}.open`),
  );

/** Slips of the fingers in the middle of a word. */
const slips: readonly ((word: string, at: number) => string)[] = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word.charAt(at) + word.slice(at),
  (word, at) => word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1),
];

/** A word as the keys of another keyboard write it. */
const swapped = (word: string, pair: string): string =>
  word.replaceAll(new RegExp(`[${pair}]`, 'g'), (key) =>
    key === pair.charAt(0) ? pair.charAt(1) : pair.charAt(0),
  );

test('every kind is found by a line of kubectl with each of its short names', () => {
  const missed = kinds.flatMap(({ id, plural, aliases = [] }) =>
    [plural, ...aliases].flatMap((word) =>
      misses(`kubectl get ${word}`, (found) => found === `${id}.list` || found === `${id}.open`),
    ),
  );
  expect(missed).toEqual([]);
});

test('every kind is found by a question', () => {
  expect(missesOfKinds(({ plural }) => `where are my ${plural}`)).toEqual([]);
});

test('every kind is found by a mistyped name', () => {
  const missed = missesOfKinds(({ plural }, at) => {
    const slip = slips[at % slips.length];
    return plural.length < 6 || slip === undefined ? plural : slip(plural, Math.floor(plural.length / 2));
  });
  expect(missed).toEqual([]);
});

test.each(['aq', 'yz', 'wz'])(
  'every kind is found by a name typed with %s in each other’s places',
  (pair) => {
    expect(missesOfKinds(({ plural }) => swapped(plural, pair))).toEqual([]);
  },
);

test('a new object of every kind is found', () => {
  const made = kinds.filter(({ id }) => id !== 'event' && id !== 'release');
  const isCreation = (id: string) => id === 'resource.create' || id.startsWith('template.');
  expect(made.flatMap(({ kind }) => misses(`create ${kind.toLowerCase()}`, isCreation))).toEqual([]);
});

test('the deletion of every kind of object is found', () => {
  const isDeletion = (id: string) => id === 'object.delete' || id === 'release.uninstall';
  expect(kinds.flatMap(({ kind }) => misses(`kubectl delete ${kind.toLowerCase()}`, isDeletion))).toEqual([]);
});

test('phrases are of commands that exist', () => {
  const ids = new Set(registry.commands.map(({ id }) => id));
  expect(idsWithPhrases.filter((id) => !ids.has(id))).toEqual([]);
});

test('every list of a kind and every page of settings has phrases', () => {
  const wanted = registry.commands.filter(
    (command) =>
      command.type === 'route' &&
      (command.section !== undefined ||
        (command.shows === 'list' && kinds.some(({ id }) => `${id}.list` === command.id))),
  );
  expect(wanted.map(({ id }) => id).filter((id) => !idsWithPhrases.includes(id))).toEqual([]);
});
