import { expect, test } from 'vitest';
import type { AttentionLine } from '../../../src/contract/dashboard.ts';
import { foldAlike } from '../../../src/server/live/dashboard/alike-lines.ts';

const line = (name: string, more: Partial<AttentionLine> = {}): AttentionLine => ({
  key: `deployment shop ${name}`,
  rule: 'pod.config',
  tone: 'bad',
  title: 'A container cannot start.',
  detail: 'secret "db" not found',
  on: { kind: 'deployment', namespace: 'shop', name },
  objects: [{ kind: 'pod', namespace: 'shop', name: `${name}-1` }],
  count: 1,
  since: 100,
  causes: [{ rule: 'pod.config', extent: 1 }],
  action: null,
  sharedCause: 'secret db shop',
  ...more,
});

test('lines of one cause are one line, that of the first name, with the others by kind', () => {
  const lines = [
    line('web', { since: 160 }),
    line('api', { since: 120, causes: [{ rule: 'pod.config', extent: 3 }] }),
    line('cart', { on: { kind: 'statefulset', namespace: 'shop', name: 'cart' }, since: null }),
  ];
  expect(foldAlike(lines)).toEqual([
    {
      ...line('api', { since: 120 }),
      worseAt: 160,
      causes: [{ rule: 'pod.config', extent: 5 }],
      alike: {
        kinds: [
          { kind: 'deployment', count: 1 },
          { kind: 'statefulset', count: 1 },
        ],
        objects: [
          { kind: 'statefulset', namespace: 'shop', name: 'cart' },
          { kind: 'deployment', namespace: 'shop', name: 'web' },
        ],
        count: 2,
      },
    },
  ]);
});

test('lines of other causes, rules and tones stay apart, and so do those without a shared one', () => {
  const lines = [
    line('web'),
    line('api', { sharedCause: 'secret db office' }),
    line('cart', { rule: 'deployment.blocked' }),
    line('mail', { tone: 'warn' }),
    { ...line('shop'), sharedCause: undefined },
    { ...line('till'), sharedCause: undefined },
  ] as readonly AttentionLine[];
  expect(foldAlike(lines)).toEqual(lines);
});

test('a problem that has passed keeps its line, and one that began with the others is no worse', () => {
  const lines = [line('api', { endedAt: 200 }), line('cart'), line('web')];
  const [over, joined, ...rest] = foldAlike(lines);
  expect([over?.on.name, joined?.on.name, rest]).toEqual(['api', 'cart', []]);
  expect(joined?.alike?.count).toBe(1);
  expect(joined?.worseAt).toBeUndefined();
});
