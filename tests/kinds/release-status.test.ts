import { expect, test } from 'vitest';
import { release } from '../../commands/kinds/release.ts';
import { statusAt } from '../../src/registry/kinds/kind.ts';

const updated = '2026-11-30T08:00:00Z';
const began = Date.parse(updated) / 1000;

test.each(['pending-install', 'pending-upgrade', 'pending-rollback', 'uninstalling'])(
  'a release that is %s for a quarter of an hour was interrupted',
  (status) => {
    const health = release.status?.({ metadata: { name: 'web' }, status, updated } as object);
    if (health === undefined) throw new Error('It has a status.');
    expect(statusAt(health, began + 899).tone).toBe('info');
    expect(statusAt(health, began + 900)).toMatchObject({ tone: 'warn', label: health.label });
  },
);

test('a release without a time stays as it is', () => {
  expect(release.status?.({ status: 'pending-upgrade' } as object)).toEqual({
    tone: 'info',
    label: 'Pending upgrade',
  });
});
