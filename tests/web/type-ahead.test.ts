import { expect, test } from 'vitest';
import type { PaletteOpening } from '../../src/web/features/palette/opening.ts';
import { typedAhead } from '../../src/web/features/palette/type-ahead.ts';

const opening: PaletteOpening = {
  text: ':',
  context: {
    shell: 'app',
    overlay: 'none',
    focus: 'page',
    kind: 'none',
    row: 'none',
    entry: 'none',
    cluster: 'none',
    tiles: 'one',
    tabs: 'one',
    closed: 'none',
    change: 'none',
    role: 'member',
    team: 'none',
    help: 'none',
    billing: 'none',
    route: 'none',
  },
  may: () => false,
  isPermitted: true,
  subject: { type: 'none' },
  keysOf: () => undefined,
  clusterId: undefined,
  inChosenNamespace: (href) => href,
  here: '/',
  at: 0,
  opener: null,
};
const after = (...keys: readonly string[]) =>
  keys.reduce<ReturnType<typeof typedAhead>>(
    (now, key) => (now === undefined || now === 'left' ? now : typedAhead(now, key)),
    opening,
  );

test('text typed before the palette has loaded appears in it, and Enter is remembered', () => {
  expect(after('p', 'x', 'Backspace', 'o', 'Shift', 'Enter', 'z')).toMatchObject({
    text: ':po',
    isEntered: true,
  });
});

test('Esc closes a palette that is not there yet', () => {
  expect(after('p', 'Escape')).toBeUndefined();
});

test('Enter after a move is not taken: nobody saw what it would run', () => {
  expect(after('p', 'ArrowDown', 'Enter')).not.toHaveProperty('isEntered');
  expect(after('p', 'ArrowDown', 'o', 'Enter')).toMatchObject({ text: ':po', isEntered: true });
});

test('keys of the browser stay its own', () => {
  expect(after('p', 'F5')).toBe('left');
});
