import { describe, expect, test } from 'vitest';
import { servedKind } from '../../../commands/kinds/custom.ts';
import type { AnyKind } from '../../../src/registry/kinds/kind.ts';
import { KindCensus } from '../../../src/server/live/definitions/kind-census.ts';
import { createFakeClock, settle } from './fake-clock.ts';
import { refusal, silence } from './script-transport.ts';

function kindOf(plural: string, group = 'example.org'): AnyKind {
  const resource = { group, version: 'v1', plural, kind: 'Thing', scope: 'Namespaced' } as const;
  const kind = servedKind(resource, [], true);
  if (kind === undefined) throw new Error(plural);
  return kind;
}

/** A census of a cluster that has so many objects of each plural. */
function world(objects: Record<string, number | Error | undefined>) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const watched = new Set<string>();
  let changes = 0;
  const census = new KindCensus({
    async count({ plural }) {
      asked.push(plural);
      await settle();
      const count = objects[plural];
      if (count instanceof Error) throw count;
      return count;
    },
    isWatched: ({ plural }) => watched.has(plural),
    onChange: () => {
      changes += 1;
    },
    clock,
  });
  return { census, clock, asked, watched, changes: () => changes };
}

/** Waits until so many kinds were counted. */
async function untilAsked({ asked }: { readonly asked: readonly string[] }, count: number): Promise<void> {
  while (asked.length < count) await settle();
  await settle();
}

describe('a census of kinds', () => {
  test('counts each kind once, a few at a time, well-known ones first, and tells of counts together', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `things${index}`);
    const one = world(Object.fromEntries(names.map((name, index) => [name, index])));
    one.census.follow([...names.map((name) => kindOf(name)), kindOf('certificates', 'cert-manager.io')]);
    expect(one.asked).toEqual(['certificates', ...names.slice(0, 3)]);
    for (let round = 0; round < 20; round += 1) await settle();
    expect(one.asked).toEqual(['certificates', ...names]);
    expect(one.changes()).toBe(0);
    await one.clock.advance(1_000);
    expect(one.changes()).toBe(1);
    expect([0, 29].map((at) => one.census.countOf(kindOf(`things${at}`)))).toEqual([0, 29]);
    one.census.stop();
    expect(one.clock.pending).toBe(0);
  });

  test.each([
    ['that the credential may not list is unreadable', refusal(403), 'unreadable'],
    ['that the cluster does not count has some', undefined, 1],
    ['that could not be asked for is unknown until its next turn', silence(), undefined],
  ])('a kind %s', async (_, answer, count) => {
    const one = world({ things: answer });
    one.census.follow([kindOf('things')]);
    await one.clock.advance(100);
    expect(one.census.countOf(kindOf('things'))).toBe(count);
    one.census.stop();
  });

  test('counts those again that are not watched, at most four a second and each at most every ten seconds', async () => {
    const few = world({ a: 0, b: 0, c: 5 });
    few.watched.add('c');
    few.census.follow(['a', 'b', 'c'].map((name) => kindOf(name)));
    await few.clock.advance(60_000);
    expect(few.asked.filter((name) => name === 'c')).toHaveLength(1);
    expect(few.asked.length).toBeGreaterThan(10);
    expect(few.asked.length).toBeLessThanOrEqual(3 + 18);
    few.census.stop();
    const many = world(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`t${index}`, 0])));
    many.census.follow(Array.from({ length: 200 }, (_, index) => kindOf(`t${index}`)));
    await many.clock.advance(10_000);
    expect(many.asked.length).toBeLessThanOrEqual(200 + 40);
    many.census.stop();
  });

  test('counts a kind that comes later at once, and keeps its counts while it rests', async () => {
    const one = world({ a: 7, b: 2 });
    one.census.follow([kindOf('a')]);
    await one.clock.advance(1_000);
    for (const name of ['a', 'b']) one.watched.add(name);
    one.census.follow([kindOf('a'), kindOf('b')]);
    await one.clock.advance(1_000);
    expect(one.census.countOf(kindOf('b'))).toBe(2);
    one.census.stop();
    one.census.follow([kindOf('a'), kindOf('b')]);
    await one.clock.advance(30_000);
    expect(one.asked).toEqual(['a', 'b']);
    expect(one.census.countOf(kindOf('a'))).toBe(7);
    one.census.stop();
  });

  test('counts what is expected to have objects first, and no more than four a second', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `t${index}`);
    const objects: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
    const one = world(objects);
    one.census.follow(names.map((name) => kindOf(name)));
    await untilAsked(one, names.length);
    await one.clock.advance(5_000);
    objects['t399'] = 1;
    const changes = one.changes();
    const asked = one.asked.length;
    // Events of an object may come by the hundred.
    for (let event = 0; event < 50; event += 1) {
      one.census.expect(kindOf('t399'));
      await one.clock.advance(10);
    }
    expect(one.census.countOf(kindOf('t399'))).toBe(1);
    expect(one.changes()).toBe(changes + 1);
    for (let second = 0; second < 10; second += 1) {
      for (const name of names) one.census.expect(kindOf(name));
      await one.clock.advance(1_000);
    }
    expect(one.asked.length - asked).toBeLessThanOrEqual(43);
    one.census.stop();
  });

  test('counts kinds of a group with objects in every second turn', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `t${index}`);
    const used = ['a', 'b', 'c'].map((name) => kindOf(name, 'used.example.org'));
    const one = world({ ...Object.fromEntries(names.map((name) => [name, 0])), a: 5, b: 0, c: 0 });
    one.watched.add('a');
    one.census.follow([...used, ...names.map((name) => kindOf(name))]);
    await untilAsked(one, names.length + used.length);
    await one.clock.advance(31_000);
    const times = (name: string) => one.asked.filter((asked) => asked === name).length;
    // At first, and every ten seconds; the others take 50 s.
    for (const name of ['b', 'c']) expect(times(name)).toBeGreaterThanOrEqual(3);
    expect(times('a')).toBe(1);
    expect(Math.max(...names.map(times))).toBeLessThanOrEqual(2);
    one.census.stop();
  });
});
