import { expect, test } from 'vitest';
import { keptRow, rowOfKept } from '../../src/web/data/kept-rows.ts';
import { isKeptKind } from '../../src/web/features/list/use-kept-rows.ts';
import { kinds } from '../../commands/kinds/index.ts';

test.each([
  { places: [1, 0, 2], kept: ['u', 'shop', 'cart', ['Running', 'ok']] },
  { places: [-1, 0, 2], kept: ['u', null, 'cart', ['Running', 'ok']] },
])(
  'a row is kept as its uid, namespace, name and status, and has only these afterwards',
  ({ places, kept }) => {
    const cells = ['cart', 'shop', ['Running', 'ok'], 'an image', 7];
    const row = keptRow(['u', cells], places);
    expect(row).toEqual(kept);
    const again = rowOfKept(row, places);
    const shown = cells.slice(0, Math.max(...places) + 1);
    expect(again).toEqual(['u', shown.map((cell, at) => (places.includes(at) ? cell : null))]);
  },
);

test('rows of Secrets, and of what is read from them, are kept nowhere', () => {
  const secret = kinds.filter(({ permissions }) => permissions.view === 'secrets.view').map(({ id }) => id);
  expect(secret).toContain('secret');
  for (const kind of kinds) expect(isKeptKind(kind), kind.id).toBe(!secret.includes(kind.id));
});
