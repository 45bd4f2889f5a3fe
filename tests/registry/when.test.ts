import { describe, expect, test } from 'vitest';
import { type ContextKeys, implies, matches, overlaps } from '../../src/registry/commands/when.ts';

const context: ContextKeys = {
  shell: 'app',
  overlay: 'none',
  focus: 'table',
  kind: 'pod',
  row: 'plain',
  entry: 'none',
  cluster: 'selected',
  role: 'member',
  team: 'none',
  help: 'none',
  billing: 'none',
  route: 'none',
  tiles: 'one',
  tabs: 'one',
  closed: 'none',
  change: 'none',
};

describe('conditions', () => {
  test('all keys of a clause must match, clauses are alternatives', () => {
    expect(matches(undefined, context)).toBe(true);
    expect(matches({ focus: 'table', kind: 'pod' }, context)).toBe(true);
    expect(matches({ focus: 'table', kind: 'node' }, context)).toBe(false);
    expect(matches([{ kind: 'node' }, { focus: ['page', 'table'] }], context)).toBe(true);
  });

  test('conditions overlap unless a key excludes it', () => {
    expect(overlaps({ focus: 'table' }, { kind: 'pod' })).toBe(true);
    expect(overlaps({ focus: 'table' }, { focus: 'page' })).toBe(false);
    expect(overlaps({ focus: ['table', 'page'] }, { focus: 'page' })).toBe(true);
    expect(overlaps(undefined, { focus: 'page' })).toBe(true);
  });

  test('the more specific condition implies the other', () => {
    expect(implies({ focus: 'table', kind: 'pod' }, { focus: 'table' })).toBe(true);
    expect(implies({ focus: 'table' }, { focus: 'table', kind: 'pod' })).toBe(false);
    expect(implies({ focus: 'table' }, undefined)).toBe(true);
    expect(implies({ focus: ['table', 'page'] }, { focus: 'table' })).toBe(false);
  });
});
