import { expect, test } from 'vitest';
import type { Entry } from '../../../src/web/features/palette/entries.ts';
import { sectionsOf } from '../../../src/web/features/palette/EntryList.tsx';
import { registry } from '../palette-moment.ts';
import { playgroundAnswer } from './estate.ts';
import { ask, moments } from './moments.ts';
import { heldBackQueries, occupationQueries } from './further-queries.ts';
import { othersQueries, ownQueries } from './plain-queries.ts';
import { webQueries } from './web-queries.ts';
import { fourthQueries, thirdQueries } from './unseen-queries.ts';

const subject = 'cart';

/** The id of the command or page that an entry leads to; of an act on another object than the one under the cursor none. */
function idOf({ act, id }: Entry): string {
  if (act.type === 'command') {
    const { refs } = act.subject.type === 'objects' ? act.subject : { refs: [] };
    return refs.every(({ name }) => name === subject) ? act.command.id : id;
  }
  if (act.type === 'object') return `${act.ref.kind}.list`;
  return act.type === 'place' ? (registry.match(act.href)?.command.id ?? id) : id;
}

/** What shows first for a text, to a fresh account on the list of deployments with `cart` under the cursor. */
const firstThree = (text: string): readonly Entry[] =>
  sectionsOf(ask(text, moments.cartRow, [], playgroundAnswer).entries)
    .flatMap(([, some]) => some)
    .slice(0, 3);

const misses = (queries: typeof ownQueries): readonly string[] =>
  queries.flatMap(([query, ids]) => {
    const shown = firstThree(query);
    return shown.some((entry) => ids.split(' ').includes(idOf(entry)))
      ? []
      : [`“${query}” wants ${ids}: ${shown.map((one) => `${one.title} (${idOf(one)})`).join('; ')}`];
  });

test('every plain query of ours finds its command or page among the first three', () => {
  expect(misses(ownQueries)).toEqual([]);
});

test('those of somebody who has not seen the titles do as well', () => {
  expect(misses(othersQueries)).toEqual([]);
});

test.each([
  ['held back while the words were chosen', heldBackQueries],
  ['of several occupations', occupationQueries],
  ['of a third person', thirdQueries],
  ['of a fourth person', fourthQueries],
  ['of searches on the web', webQueries],
])('those %s do as well', (_, queries) => {
  expect(misses(queries)).toEqual([]);
});
