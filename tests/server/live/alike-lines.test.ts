import { expect, test } from 'vitest';
import { foldAlike, toldLine } from '../../../src/server/live/dashboard/alike-lines.ts';
import type { OwnLine } from '../../../src/server/live/dashboard/attention-lines.ts';

const missing = { title: 'The Secret db does not exist.', isInNamespace: true };

const line = (name: string, more: Partial<OwnLine> = {}): OwnLine => ({
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
  sharedCause: missing,
  ...more,
});

test('lines of one cause are one line, that of the first name, with the others by kind', () => {
  const lines = [
    line('web', { since: 160 }),
    line('api', {
      since: 120,
      causes: [{ rule: 'pod.config', extent: 3 }],
      action: { id: 'deployment.rollback', refs: [{ kind: 'deployment', namespace: 'shop', name: 'api' }] },
    }),
    line('cart', { on: { kind: 'statefulset', namespace: 'shop', name: 'cart' }, since: null }),
  ];
  expect(foldAlike(lines)).toEqual([
    {
      ...toldLine(line('api', { since: 120 })),
      title: missing.title,
      worseAt: 160,
      causes: [{ rule: 'pod.config', extent: 5 }],
      // An action on one of them leaves the cause as it is.
      action: null,
      affected: {
        relation: 'alike',
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

test('what helps against the cause helps all of them, if it is the same for each', () => {
  const help = { edits: [{ kind: 'resourcequota', namespace: 'shop', name: 'team' }] };
  const other = { edits: [{ kind: 'resourcequota', namespace: 'shop', name: 'other' }] };
  expect(foldAlike([line('web', { help }), line('api', { help })])[0]?.help).toEqual(help);
  expect(foldAlike([line('web', { help }), line('api', { help: other })])[0]?.help).toBeUndefined();
  expect(foldAlike([line('web'), line('api', { help })])[0]?.help).toBeUndefined();
});

test('lines of other causes, rules and tones stay apart, and so do those without a shared one', () => {
  const { sharedCause: _cause, ...own } = line('shop');
  const lines = [
    line('web'),
    line('api', { on: { kind: 'deployment', namespace: 'office', name: 'api' } }),
    line('cart', { rule: 'deployment.blocked' }),
    line('mail', { tone: 'warn' }),
    line('quay', { sharedCause: { ...missing, title: 'The quota a is used up.' } }),
    own,
    { ...own, key: 'deployment shop till' },
  ];
  expect(foldAlike(lines)).toEqual(lines.map(toldLine));
});

test('a cause that is the same in all namespaces joins theirs', () => {
  const sharedCause = { title: 'The webhook deny.example fails.', isInNamespace: false };
  const on = { kind: 'deployment', namespace: 'office', name: 'web' };
  expect(foldAlike([line('api', { sharedCause }), line('web', { sharedCause, on })])).toHaveLength(1);
});

test('no line says more than pages show', () => {
  const lines = foldAlike([line('web'), line('api', { tone: 'warn' }), line('cart')]);
  expect(lines.filter((one) => 'sharedCause' in one)).toEqual([]);
});

test('a cause that has passed leaves one line, and one that passed for some the line of the others', () => {
  const over = { endedAt: 200 };
  const [joined, ...rest] = foldAlike([line('api', over), line('cart'), line('web')]);
  expect([joined?.on.name, joined?.affected?.count, rest]).toEqual(['cart', 1, []]);
  const [ended, ...others] = foldAlike([line('api', over), line('cart', over), line('web', over)]);
  expect([ended?.on.name, ended?.endedAt, others]).toEqual(['api', 200, []]);
});

const timesOf = (...lines: readonly OwnLine[]) => {
  const [{ since, isSinceLatest, worseAt, isChronic } = line('none'), ...rest] = foldAlike(lines);
  expect(rest).toEqual([]);
  return { since, isSinceLatest, worseAt, isChronic };
};

test('a line has the start of its earliest, and what is known of that', () => {
  const bound = { isSinceLatest: true } as const;
  expect(timesOf(line('api', { since: 160, ...bound }), line('web', { since: 100 }))).toEqual({ since: 100 });
  expect(timesOf(line('api', { since: 160 }), line('web', { since: 100, ...bound }))).toEqual({
    since: 100,
    isSinceLatest: true,
    worseAt: 160,
  });
  expect(timesOf(line('api', { since: null }), line('web', { since: null }))).toEqual({ since: null });
});

test('it gets worse with what is known to have begun later, and is no longer chronic by what was', () => {
  expect(timesOf(line('api'), line('web')).worseAt).toBeUndefined();
  expect(timesOf(line('api'), line('web', { since: 160, isSinceLatest: true })).worseAt).toBeUndefined();
  expect(timesOf(line('api', { worseAt: 130, isChronic: true }), line('web', { since: 160 }))).toEqual({
    since: 100,
    worseAt: 160,
  });
});
