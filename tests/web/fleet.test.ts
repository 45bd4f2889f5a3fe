import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../src/contract/clusters.ts';
import type { AttentionLine, Dashboard } from '../../src/contract/dashboard.ts';
import type { FleetFigures } from '../../src/contract/fleet.ts';
import { readFirstSteps, stepsAt, storeFirstSteps, withSteps } from '../../src/web/core/state/first-steps.ts';
import {
  clusterToTry,
  attentionAnywhere,
  figuresAge,
  fleetHealth,
  fleetLines,
  type FleetMember,
  fleetOrder,
  heldOrder,
  nodesText,
} from '../../src/web/screens/Home/fleet.ts';
import { trendOf, trendText } from '../../src/web/screens/Home/Trend.tsx';

const line = (tone: 'bad' | 'warn', name: string, since = 0): AttentionLine => ({
  key: name,
  rule: 'pod.crash-loop',
  tone,
  title: 'A container keeps crashing.',
  detail: null,
  on: { kind: 'pod', namespace: 'shop', name },
  objects: [],
  count: 1,
  since,
  causes: [],
  action: null,
});

const dashboard = (attention: readonly AttentionLine[], nodes: Dashboard['nodes'] = null): Dashboard => ({
  attention,
  attentionTotal: attention.length,
  unwatched: [],
  unwatchedTotal: 0,
  workloads: {},
  capacity: null,
  storage: null,
  nodes,
  usage: null,
  events: null,
  eventMinutes: null,
  changes: [],
});

let next = 1;
const member = (
  name: string,
  known: Dashboard | undefined,
  status: Cluster['state']['status'] = 'reachable',
  isFollowed = true,
): FleetMember => ({
  cluster: {
    id: next++,
    name,
    description: '',
    source: 'kubeconfig',
    server: '',
    colour: 1,
    isProtected: false,
    isReadOnly: false,
    isShellAllowed: true,
    isShellRecorded: false,
    credentialExpiresAt: null,
    state: { status },
  },
  dashboard: known,
  isFollowed,
});

describe('the health of a cluster on the first screen', () => {
  test.each([
    ['nothing needs attention', dashboard([]), 'ok', 'Healthy'],
    ['something is degraded', dashboard([line('warn', 'a')]), 'warn', '1 degraded'],
    ['something fails', dashboard([line('bad', 'a'), line('warn', 'b')]), 'bad', '1 failing, 1 degraded'],
    ['its dashboard is not there yet', undefined, 'idle', 'Reading'],
  ] as const)('%s', (_case, known, tone, text) => {
    expect(fleetHealth(member('a', known))).toEqual({ tone, text });
  });

  test('a cluster of which not all is counted is not called healthy', () => {
    const counted = (tallies: FleetFigures['tallies'], uncounted: readonly string[]) => ({
      ...member('a', undefined, 'reachable', false),
      figures: { clusterId: 1, readAt: '2026-01-01T00:00:20Z', tallies, uncounted: [...uncounted] },
    });
    const node = { total: 3, bad: 0 };
    expect(fleetHealth(counted({ node }, ['deployment', 'daemonset']))).toEqual({
      tone: 'idle',
      text: 'Not counted: Deployments, DaemonSets',
    });
    expect(fleetHealth(counted({ node: { total: 3, bad: 1 } }, ['deployment']))).toEqual({
      tone: 'bad',
      text: '1 failing',
    });
    expect(fleetHealth(counted({}, []))).toEqual({ tone: 'ok', text: 'Reachable' });
  });

  test('a cluster of many is judged by its figures, with their age, and not before there are any', () => {
    const now = Date.parse('2026-01-01T00:01:00Z');
    const counted = (tallies: FleetFigures['tallies'], readAt: string | null = '2026-01-01T00:00:20Z') => ({
      ...member('a', undefined, 'reachable', false),
      figures: { clusterId: 1, readAt, tallies, uncounted: [] },
    });
    const node = { total: 3, bad: 1 };
    const failing = counted({ node, pod: { total: 4, bad: 2 }, deployment: { total: 9, bad: 0 } });
    expect(fleetHealth(failing)).toEqual({ tone: 'bad', text: '3 failing' });
    expect(nodesText(failing)).toEqual({ tone: 'bad', text: '1 of 3 not ready' });
    expect(figuresAge(failing, now)).toBe('as of 40s ago');
    expect(fleetHealth(counted({ deployment: { total: 9, bad: 0 } }))).toEqual({
      tone: 'ok',
      text: 'Healthy',
    });
    const unread = { tone: 'idle', text: 'Not counted yet' };
    expect(fleetHealth(counted({}, null))).toEqual(unread);
    expect(fleetHealth(member('a', undefined, 'reachable', false))).toEqual(unread);
    expect(attentionAnywhere([failing, counted({}, null)])).toMatchObject({
      unread: 1,
      failing: [
        {
          kinds: [
            ['node', 1],
            ['pod', 2],
          ],
        },
      ],
    });
  });

  test('a cluster that does not answer is bad, whatever was known of it', () => {
    expect(fleetHealth(member('a', dashboard([]), 'unreachable'))).toMatchObject({ tone: 'bad' });
  });

  test('nodes that are not ready are counted; without permission nothing is said', () => {
    const none = { requested: null, allocatable: 1, used: null };
    const node = (name: string, tone: 'ok' | 'bad') =>
      ({ name, status: ['x', tone], roles: null, cpu: none, memory: none, pods: none }) as const;
    expect(nodesText({ dashboard: dashboard([], [node('a', 'ok'), node('b', 'ok')]) })?.text).toBe('2 ready');
    expect(nodesText({ dashboard: dashboard([], [node('a', 'ok'), node('b', 'bad')]) })?.text).toBe(
      '1 of 2 not ready',
    );
    expect(nodesText({ dashboard: dashboard([]) })).toBeUndefined();
  });
});

test('what may explain other trouble is above what is newer and as bad, on whatever cluster', () => {
  const node: AttentionLine = { ...line('bad', 'n1', 10), isCause: true };
  const members = [
    member('a', dashboard([line('bad', 'new', 90)])),
    member('b', dashboard([node, line('warn', 'w', 99)])),
  ];
  expect(attentionAnywhere(members).lines.map((one) => one.line.key)).toEqual(['n1', 'new', 'w']);
});

describe('the order of clusters on the first screen', () => {
  const quiet = member('quiet', dashboard([]));
  const failing = member('failing', dashboard([line('bad', 'a')]));
  const away = member('away', undefined, 'unreachable');
  const ids = (members: readonly FleetMember[]) => members.map(({ cluster }) => cluster.name);

  test('is worst first, then by name', () => {
    expect(ids(fleetOrder([quiet, failing, away]))).toEqual(['away', 'failing', 'quiet']);
  });

  test('is held for a reader; a cluster that comes stands last', () => {
    const held = [quiet.cluster.id, failing.cluster.id];
    expect(ids(heldOrder([away, failing, quiet], held))).toEqual(['quiet', 'failing', 'away']);
  });
});

test('what needs attention anywhere is worst first, then newest, and counts what it leaves out', () => {
  const many = Array.from({ length: 20 }, (_, index) => line('warn', `w${index}`, index));
  const { lines, total } = attentionAnywhere([
    member('a', dashboard(many)),
    member('b', dashboard([line('bad', 'old', 1), line('bad', 'new', 9)])),
  ]);
  expect(lines.slice(0, 3).map(({ line: one }) => one.on.name)).toEqual(['new', 'old', 'w19']);
  expect(lines).toHaveLength(fleetLines);
  expect(total).toBe(22);
});

test('while clusters are read, or do not answer, it is not said that nothing needs attention', () => {
  const members = [
    member('read', dashboard([])),
    member('unread', undefined),
    member('away', undefined, 'unreachable'),
    member('not counted', undefined, 'reachable', false),
  ];
  expect(attentionAnywhere(members)).toEqual({
    lines: [],
    total: 0,
    folded: 0,
    unread: 2,
    unreached: 1,
    failing: [],
  });
});

describe('the trend of warnings', () => {
  const now = 100 * 60_000;

  test('has a bar for each five minutes of the last hour', () => {
    const counts = trendOf(
      [
        [100, 0, 2],
        [96, 0, 1],
        [41, 0, 5],
        [40, 0, 9],
      ],
      now,
    );
    expect(counts).toHaveLength(12);
    expect([counts[11], counts[0], counts.reduce((sum, one) => sum + one)]).toEqual([3, 5, 8]);
  });

  test.each([
    [[], 'No warnings in the last hour'],
    [[[100, 0, 1]], '1 warning in the last hour, rising'],
    [[[45, 0, 4]], '4 warnings in the last hour, falling'],
    [
      [
        [45, 0, 4],
        [100, 0, 4],
      ],
      '8 warnings in the last hour',
    ],
  ] as const)('%j is said as “%s”', (minutes, text) => {
    expect(trendText(trendOf(minutes, now))).toBe(text);
  });
});

describe('first steps', () => {
  test('lead to the pods of the first cluster that answers', () => {
    const down = { id: 1, state: { status: 'unreachable' } } as const;
    const up = { id: 2, state: { status: 'reachable' } } as const;
    expect(clusterToTry([down, up])).toBe(2);
    expect(clusterToTry([down])).toBeUndefined();
  });

  test.each([
    ['/clusters/1/pods', []],
    ['/clusters/1/pods?q=web', ['filter']],
    ['/clusters/1/pods?filter=restarts%3E3', ['filter']],
    ['/clusters/1/pods?q=', []],
    ['/clusters/1/namespaces/shop/pods/web?view=logs', ['logs']],
    ['/clusters/1/pods?view=logs&filter=node%3Aa', ['logs', 'filter']],
  ] as const)('at %j are %j', (href, steps) => {
    expect(stepsAt(href)).toEqual(steps);
  });

  test('once done stay done, and what was done before changes nothing', () => {
    const none = readFirstSteps(null);
    const filtered = withSteps(none, ['filter']);
    expect(filtered).toEqual({ done: ['filter'], isHidden: false });
    expect(withSteps(filtered, ['filter'])).toBe(filtered);
    expect(withSteps(filtered, ['palette']).done).toEqual(['palette', 'filter']);
  });

  test('are kept with a version, and read as none from anything else', () => {
    const state = { done: ['logs'], isHidden: true } as const;
    expect(readFirstSteps(storeFirstSteps(state))).toEqual(state);
    for (const text of [null, 'x', '{"version":9,"done":["logs"]}', '{"version":1,"done":"logs"}'])
      expect(readFirstSteps(text)).toEqual({ done: [], isHidden: false });
  });
});
