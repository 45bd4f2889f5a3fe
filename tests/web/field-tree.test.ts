import { describe, expect, test } from 'vitest';
import { type FieldFolding, fieldRows, stepFields } from '../../src/web/features/detail/field-tree.ts';

const folded: FieldFolding = { open: new Map(), shown: new Map() };
const opened = (...ids: readonly string[]): FieldFolding => ({
  open: new Map(ids.map((id) => [id, true])),
  shown: new Map(),
});
const lines = (root: object, folding = folded) =>
  fieldRows(root, folding).map(
    ({ level, name, value, isOpen }) =>
      `${'  '.repeat(level - 1)}${name}: ${value}${isOpen === undefined ? '' : isOpen ? ' -' : ' +'}`,
  );

const kettle = {
  spec: { litres: 2, isHot: false, lid: null, note: 'a', parts: [{ name: 'spout' }, { type: 'Grip' }, 7] },
  status: { phase: 'Ready', none: {} },
};

describe('the tree of an object’s fields', () => {
  test('opens spec and status, says what is in the rest, and names items by what names them', () => {
    expect(lines(kettle)).toEqual([
      'spec: 5 fields -',
      '  litres: 2',
      '  isHot: false',
      '  lid: null',
      '  note: a',
      '  parts: 3 items +',
      'status: 2 fields -',
      '  phase: Ready',
      '  none: 0 fields',
    ]);
    expect(lines(kettle, opened('["spec","parts"]'))).toEqual(
      expect.arrayContaining(['    0 spout: 1 field +', '    1 Grip: 1 field +', '    2: 7']),
    );
  });

  test('wide and long things have an end, deep ones no crash', () => {
    const wide = { spec: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, at])) };
    const rows = fieldRows(wide, opened('["spec"]'));
    expect(rows).toHaveLength(1 + 50 + 1);
    expect(rows.at(-1)).toMatchObject({ sort: 'more', name: '4,950 more', setSize: 51 });
    expect(lines({ spec: 'x'.repeat(9_000) })[0]?.length).toBeLessThan(600);
    let deep: object = {};
    for (let at = 0; at < 3_000; at += 1) deep = { deep };
    expect(() => fieldRows(deep, folded)).not.toThrow();
  });

  test('names that look like paths or like each other stay apart', () => {
    const rows = fieldRows({ 'a/b': { c: 1 }, a: { 'b/c': 1 }, __proto__: 1, '["a"]': 1 }, folded);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  const rows = fieldRows(kettle, folded);
  const id = (...path: readonly string[]) => JSON.stringify(path);
  test.each([
    [id('spec'), 'ArrowDown', { to: id('spec', 'litres') }],
    [id('spec'), 'ArrowUp', { to: id('spec') }],
    [id('spec'), 'ArrowRight', { to: id('spec', 'litres') }],
    [id('spec'), 'ArrowLeft', { open: [id('spec'), false] }],
    [id('spec', 'parts'), 'ArrowRight', { open: [id('spec', 'parts'), true] }],
    [id('spec', 'parts'), 'ArrowLeft', { to: id('spec') }],
    [id('spec', 'litres'), 'ArrowRight', {}],
    [id('spec', 'litres'), 'End', { to: id('status', 'none') }],
    [id('status', 'none'), 'Home', { to: id('spec') }],
    [id('status', 'none'), 'ArrowDown', { to: id('status', 'none') }],
    [id('spec'), 'x', undefined],
  ])('from %s the key %s is the tree pattern’s', (from, key, step) => {
    expect(stepFields(rows, from, key)).toEqual(step);
  });
});
