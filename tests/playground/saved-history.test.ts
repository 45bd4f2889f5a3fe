import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { keyedChance } from '../../src/playground/kit/random.ts';
import { loadRegistry } from '../../src/playground/registry/registry.ts';
import { historyFile, readHistory, writeHistory } from '../../src/playground/seeds/history-file.ts';
import type { History } from '../../src/playground/seeds/history.ts';
import { type Planted, plant } from '../../src/playground/seeds/plant.ts';
import { Store } from '../../src/playground/store/store.ts';

const start = Date.parse('2026-03-04T15:06:07Z');
const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-history-'));
const file = join(folder, 'history');

/** A company whose past is played and saved, or continued. */
function company(now: number, history?: History): Planted & { readonly clock: ManualClock } {
  const clock = new ManualClock(now);
  const store = new Store(3_000, 4_811_200, history?.store);
  const world = {
    store,
    registry: loadRegistry(),
    clock,
    chance: keyedChance(3, store.memory),
    trust: {},
  };
  const planted = plant(world, {
    seed: 'company',
    controllers: true,
    activity: true,
    churn: 0,
    ...(history === undefined ? {} : { history }),
    onPlayed: (played) => writeHistory(file, played),
  });
  return { ...planted, clock };
}

const stateOf = ({ world: { store, registry } }: Planted) => ({
  version: store.version,
  floor: store.floor,
  objects: Array.from(store.storages()).flatMap((storage) => [
    storage,
    // Certificates that are issued have real keys, which no seed determines.
    ...store.list(storage).map((object) => JSON.stringify(object).replace(/"tls\.(crt|key)":"[^"]*"/g, '')),
  ]),
  resources: registry.groups.flatMap(({ versions }) =>
    versions.flatMap(({ resources }) =>
      resources.map(({ group, version, plural }) => `${group}/${version} ${plural}`),
    ),
  ),
});

let played: ReturnType<typeof company>;
beforeAll(() => {
  played = company(start);
});
afterAll(() => {
  played.stop();
  rmSync(folder, { recursive: true });
});

test('a saved past is continued as the one that was played', () => {
  const continued = company(start, readHistory(file, start));
  expect(stateOf(continued)).toEqual(stateOf(played));
  for (const company of [played, continued]) company.clock.advance(10 * minute);
  expect(continued.world.store.version).toBeGreaterThan(continued.world.store.floor + 500);
  expect(stateOf(continued)).toEqual(stateOf(played));
  continued.stop();
});

test('a past that ended some minutes ago is continued up to now', () => {
  const late = company(start + 5 * minute, readHistory(file, start + 5 * minute));
  const renewed = late.world.store.get('coordination.k8s.io/leases', 'kube-system/kube-scheduler');
  expect(renewed).toHaveProperty('spec.renewTime', expect.stringContaining('2026-03-04T15:11:0'));
  // As after a past that was played: no watch resumes in it.
  expect(late.world.store.floor).toBe(late.world.store.version);
  late.stop();
});

test('a past that is old, yet to come, damaged or missing is played again', () => {
  expect(readHistory(file, start + 19 * minute)).toBeDefined();
  expect(readHistory(file, start + 21 * minute)).toBeUndefined();
  expect(readHistory(file, start - 1)).toBeUndefined();
  const whole = readFileSync(file);
  for (const size of [0, 20, 40, whole.length - 1]) {
    writeFileSync(`${file}-damaged`, whole.subarray(0, size));
    expect(readHistory(`${file}-damaged`, start)).toBeUndefined();
  }
  expect(readHistory(`${file}-missing`, start)).toBeUndefined();
});

test('a past that cannot be saved is no error', () => {
  const { store } = played.world;
  const empty = { memory: new Map(), pending: [], periods: [] };
  const history: History = { now: start, store: store.save(), lives: [empty, empty] };
  expect(() => writeHistory(join(file, 'below-a-file'), history)).not.toThrow();
});

test('clusters share a past when their options and their clock are the same', () => {
  expect(historyFile({ chance: 3 })).toBe(historyFile({ chance: 3 }));
  const different = [
    {},
    { chance: 3 },
    { name: 'harbour' },
    { activity: false },
    { controllers: false },
    { clock: new ManualClock(start) },
    { clock: new ManualClock(start + 1) },
  ];
  expect(new Set(different.map(historyFile)).size).toBe(different.length);
});
