import { expect, test } from 'vitest';
import { currentFirstFacts, currentLaterFacts, kindFacts } from '../../commands/kinds/facts.ts';
import { firstFacts } from '../../commands/kinds/first-facts.ts';
import { kinds } from '../../commands/kinds/index.ts';
import { commandKinds, laterFacts } from '../../commands/kinds/later-facts.ts';

test('the facts of the kinds are plain data that survives JSON', () => {
  expect(JSON.parse(JSON.stringify(kindFacts))).toStrictEqual(kindFacts);
});

test('the first facts equal those of the kind files: npm run first writes them', () => {
  expect(firstFacts).toStrictEqual(currentFirstFacts);
});

test('the later facts equal those of the kind files: npm run first writes them', () => {
  expect(laterFacts).toStrictEqual(JSON.parse(JSON.stringify(currentLaterFacts)));
});

test('commands know each action of each kind without its code', () => {
  for (const [at, { id, actions }] of kindFacts.entries()) {
    expect(commandKinds[at]?.id).toBe(id);
    expect(commandKinds[at]?.actions).toMatchObject(actions);
  }
});

test('the facts list every kind, column and action in the order of the kinds', () => {
  expect(kindFacts.map(({ id }) => id)).toEqual(kinds.map(({ id }) => id));
  for (const [index, facts] of kindFacts.entries()) {
    const kind = kinds[index];
    expect(facts.columns.map(({ id }) => id)).toEqual(kind?.columns.map(({ id }) => id));
    expect(facts.actions.map(({ id }) => id)).toEqual(kind?.actions.map(({ id }) => id));
  }
});
