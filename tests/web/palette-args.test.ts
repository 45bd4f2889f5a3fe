import { describe, expect, test } from 'vitest';
import type { ArgDefinitions } from '../../src/registry/kinds/kind-action.ts';
import { asksFirst } from '../../src/web/features/actions/acting.ts';
import { initialFields, noBasis, readFields } from '../../src/web/features/actions/args.ts';

const scale = {
  replicas: { type: 'number', label: 'Replicas', min: 0, max: 9 },
} as const satisfies ArgDefinitions;
const labels = { labels: { type: 'map', label: 'Labels', of: 'labels' } } as const satisfies ArgDefinitions;
const open = { isProtected: false };

describe('arguments that the palette asked for', () => {
  test('an argument that was given is not asked for again', () => {
    expect(asksFirst({ args: scale }, [1], open, false)).toBe(true);
    expect(asksFirst({ args: scale }, [1], open, false, { replicas: 3 })).toBe(false);
  });

  test.each([
    ['what destroys', { args: scale, dangerous: true as const }, [1], open],
    ['what is meant for several', { args: scale }, [1, 2], open],
    ['a protected cluster', { args: scale }, [1], { isProtected: true }],
    ['a cluster that nothing is known of', { args: scale }, [1], undefined],
  ] as const)('%s is confirmed all the same', (_what, action, refs, cluster) => {
    expect(asksFirst(action, refs, cluster, false, { replicas: 3 })).toBe(true);
  });

  test('the confirmation starts with the given arguments', () => {
    expect(initialFields(scale, noBasis, { replicas: 3 })).toEqual({ replicas: '3' });
    const basis = { ...noBasis, labels: { app: 'web', tier: 'front' } };
    const given = { labels: { app: 'shop', tier: null, team: 'a' } };
    const fields = initialFields(labels, basis, given);
    expect(readFields(labels, fields, basis)).toEqual({ ok: true, args: given });
  });
});
