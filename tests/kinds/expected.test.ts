import { describe, expect, test } from 'vitest';
import { kindById, kinds } from '../../commands/kinds/index.ts';
import { expectedKinds } from './expected.ts';

describe('each kind has the columns, sections and actions that people expect', () => {
  test.each(Object.entries(expectedKinds))('%s meets the expectations', (id, wanted) => {
    const kind = kindById(id);
    if (kind === undefined) throw new Error(`There is no kind ${id}.`);
    const has = (all: readonly string[], some: readonly string[]) =>
      expect(some.filter((one) => !all.includes(one))).toEqual([]);
    has(
      kind.columns.map((column) => column.id),
      wanted.columns,
    );
    has(
      kind.sections.map((section) => (typeof section === 'string' ? section : section.title)),
      wanted.sections,
    );
    has(
      kind.actions.map((action) => action.id),
      wanted.actions,
    );
    expect([kind.permissions.view, kind.permissions.manage]).toEqual([wanted.view, wanted.manage]);
  });

  test('the namespace column comes before the name, and the name before all columns that may be dropped', () => {
    for (const { columns, id, scope } of kinds) {
      if (id === 'event') continue;
      const order = columns.map((column) => column.id);
      expect(order[0], id).toBe(scope === 'Namespaced' ? 'namespace' : 'name');
      expect(columns.find((column) => column.id === 'name')?.dropAt, id).toBeUndefined();
    }
  });
});
