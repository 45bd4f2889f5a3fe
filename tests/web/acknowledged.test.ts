import { describe, expect, test } from 'vitest';
import type { Acknowledgement } from '../../src/contract/acknowledgements.ts';
import type { AttentionLine } from '../../src/contract/dashboard.ts';
import { endOf } from '../../src/web/features/attention/acknowledge.ts';
import { isCovered } from '../../src/contract/acknowledged-causes.ts';
import { judgeLine, newFor, untilText } from '../../src/web/features/attention/acknowledged.ts';

const start = Date.parse('2026-06-01T08:00:00Z');
const seconds = start / 1000;
const line: AttentionLine = {
  key: 'deployment shop api',
  rule: 'pod.crash-loop',
  tone: 'bad',
  title: 'Container app keeps crashing.',
  detail: null,
  on: { kind: 'deployment', namespace: 'shop', name: 'api' },
  objects: [],
  count: 2,
  since: seconds,
  causes: [{ rule: 'pod.crash-loop', extent: 2 }],
  action: null,
};
const acknowledgement: Acknowledgement = {
  id: '00000000-0000-4000-8000-000000000000',
  clusterId: 1,
  object: line.on,
  causes: [{ rule: 'pod.crash-loop', extent: 2 }],
  until: new Date(start + 3_600_000).toISOString(),
};
const judge = (of: AttentionLine, own: readonly Acknowledgement[], later = 0) =>
  judgeLine(of, 1, own, { cluster: start + later, server: start + later });

describe('an acknowledged trouble', () => {
  test('is folded until its end, and new no more', () => {
    expect(judge(line, [acknowledgement])).toEqual({
      line,
      acknowledgedUntil: acknowledgement.until,
      isNew: false,
    });
    expect(judge(line, [acknowledgement], 3_600_000).acknowledgedUntil).toBeUndefined();
  });

  test.each([
    ['more of the same', [{ rule: 'pod.crash-loop', extent: 3 }]],
    ['another cause', [{ rule: 'pod.oom', extent: 1 }]],
    ['a cause besides', [...line.causes, { rule: 'pod.oom', extent: 1 }]],
  ])('is shown as new with %s, however long it lasts', (_, causes) => {
    const worse = { ...line, causes, since: seconds - 90_000 };
    expect(judge(worse, [acknowledgement])).toEqual({ line: worse, isNew: true });
  });

  test('that gets better stays acknowledged', () =>
    expect(isCovered({ causes: [{ rule: 'pod.crash-loop', extent: 1 }] }, acknowledgement)).toBe(true));

  test('is that of one object of one cluster', () => {
    for (const other of [
      { ...acknowledgement, clusterId: 2 },
      { ...acknowledgement, object: { ...line.on, namespace: 'web' } },
      { ...acknowledgement, object: { ...line.on, kind: 'statefulset' } },
    ])
      expect(judge(line, [other]).acknowledgedUntil).toBeUndefined();
  });
});

test.each([
  ['began a moment ago', {}, true],
  ['began a while ago', { since: seconds - newFor }, false],
  ['got worse a moment ago', { since: seconds - 90_000, worseAt: seconds - 1 }, true],
  ['began nobody knows when', { isSinceLatest: true as const }, false],
  ['has no time', { since: null }, false],
  ['passed', { endedAt: seconds }, false],
])('a trouble that %s is new: %s', (_, more, isNew) =>
  expect(judge({ ...line, ...more }, []).isNew).toBe(isNew),
);

test('an acknowledgement until tomorrow ends in the morning of the browser', () => {
  const now = new Date(2026, 5, 30, 22, 15);
  expect(endOf('tomorrow', now)).toEqual(new Date(2026, 6, 1, 8));
  expect(endOf('8h', now).getTime() - now.getTime()).toBe(8 * 3_600_000);
  expect(untilText(endOf('tomorrow', now).toISOString(), now)).toMatch(/^until Wed 0?8:00/);
  expect(untilText(endOf('1h', now).toISOString(), now)).toMatch(/^until 23:15/);
});
