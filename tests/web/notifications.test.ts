import { describe, expect, it } from 'vitest';
import type { Follow, Notification } from '../../src/contract/notifications.ts';
import { followedName, followedOf } from '../../src/web/features/notifications/notification-work.ts';
import { newsOf } from '../../src/web/features/notifications/news-of.ts';

const web = { object: { kind: 'deployment', namespace: 'shop', name: 'web' } };
const follow = (id: string, more: Partial<Follow> = {}): Follow => ({
  id,
  cluster: { id: 1, name: 'production' },
  isUntilReady: false,
  createdAt: '2026-11-01T00:00:00Z',
  ...more,
});

describe('what of some things is followed', () => {
  it('are those for good of that cluster, a namespace object by its name', () => {
    const follows = [
      follow('web', web),
      follow('shop', { namespace: 'shop' }),
      follow('elsewhere', { ...web, cluster: { id: 2, name: 'staging' } }),
      follow('waiting', { object: { kind: 'pod', namespace: 'shop', name: 'a' }, isUntilReady: true }),
    ];
    const pod = { object: { kind: 'pod', namespace: 'shop', name: 'a' } };
    const namespace = { object: { kind: 'namespace', name: 'shop' } };
    const { followed, others } = followedOf(follows, 1, [web, pod, namespace, {}]);
    expect(followed.map(({ id }) => id)).toEqual(['web', 'shop']);
    expect(others).toEqual([pod, {}]);
  });

  it.each([
    [web, 'shop/web'],
    [{ object: { kind: 'node', name: 'n1' } }, 'n1'],
    [{ namespace: 'shop' }, 'namespace shop'],
    [{}, 'cluster production'],
  ])('is named in words', (thing, name) => {
    expect(followedName(thing, 'production')).toBe(name);
  });
});

describe('what came to the bell', () => {
  const told = (id: string, type: string, isRead = false): Notification => ({
    id,
    type,
    isRead,
    at: '2026-11-01T00:00:00Z',
    title: id,
    cluster: { id: 1, name: 'production' },
    path: '/',
  });

  it('is what is unread and was not there before; what went well or wrong is worth a toast', () => {
    const list = [
      told('recovered', 'workload.recovered'),
      told('changed', 'console.changed'),
      told('read', 'job.failed', true),
      told('trouble', 'workload.trouble'),
      told('known', 'workload.trouble'),
    ];
    const { loud, count } = newsOf(list, new Set(['known']));
    expect(loud.map(({ id }) => id)).toEqual(['trouble', 'recovered']);
    expect(count).toBe(3);
  });
});
