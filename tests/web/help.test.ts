import { describe, expect, test } from 'vitest';
import type { KindFacts } from '../../src/registry/kinds/kind-facts.ts';
import { helpOf } from '../../src/web/features/actions/help.ts';
import { createKnownKinds } from '../../src/web/core/kinds/known.ts';
import { unknownKind } from '../../src/web/core/kinds/known.ts';

const kinds = createKnownKinds();
const pod = { kind: 'pod', namespace: 'shop', name: 'a' };

describe('the remedy of a trouble', () => {
  test('is an action of the objects it is for', () => {
    const help = helpOf(kinds, 1, { id: 'object.delete', refs: [pod] });
    expect(help).toMatchObject({
      facts: { id: 'object.delete' },
      refs: [{ cluster: '1', kind: 'pod', namespace: 'shop', name: 'a' }],
    });
  });

  test('is nothing where this page knows no such action, kind or object', () => {
    expect(helpOf(kinds, 1, { id: 'pod.heal', refs: [pod] })).toBeUndefined();
    expect(
      helpOf(kinds, 1, { id: 'daemonset.restart', refs: [{ ...pod, kind: 'apps~v1~daemonsets' }] }),
    ).toBeUndefined();
    expect(helpOf(kinds, 1, { id: 'object.delete', refs: [] })).toBeUndefined();
    expect(helpOf(kinds, 1, null)).toBeUndefined();
  });
});

test('a kind the server described is known under the name it was asked for and its own, in its cluster alone', () => {
  const described: KindFacts = { ...unknownKind('crd:kettles.example.org'), kind: 'Kettle' };
  kinds.learn(1, 'example.org~~Kettle', described);
  expect(kinds.of('1', 'example.org~~Kettle')).toBe(described);
  expect(kinds.of('1', 'crd:kettles.example.org')).toBe(described);
  expect(kinds.of('2', 'crd:kettles.example.org')).toBeUndefined();
});
