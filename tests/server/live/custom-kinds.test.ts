import { expect, test } from 'vitest';
import { servedKind } from '../../../commands/kinds/custom.ts';
import type { AnyKind } from '../../../src/registry/kinds/kind.ts';
import { createCustomKinds } from '../../../src/server/live/definitions/custom-kinds.ts';
import { createFakeClock } from './fake-clock.ts';

function kindOf(plural: string): AnyKind {
  const resource = {
    group: 'example.org',
    version: 'v1',
    plural,
    kind: `Kind-${plural}`,
    scope: 'Namespaced',
  } as const;
  const kind = servedKind(resource, [], true);
  if (kind === undefined) throw new Error(plural);
  return kind;
}

/** The custom kinds of a cluster that has so many objects of each plural. */
async function world(objects: Record<string, number>) {
  const clock = createFakeClock();
  const kinds = Object.keys(objects).map(kindOf);
  const custom = createCustomKinds(
    {
      read: (onChange) => {
        queueMicrotask(onChange);
        return {
          kinds,
          troubled: new Map(),
          isTroubledRead: true,
          young: new Set(),
          isReading: false,
          isGone: (id) => !kinds.some((kind) => kind.id === id),
          restart: () => undefined,
          dispose: () => undefined,
        };
      },
      count: ({ plural }) => Promise.resolve(objects[plural]),
      held: () => 0,
    },
    clock,
  );
  let changes = 0;
  const follower = custom.follow(() => {
    changes += 1;
  });
  await clock.advance(2_000);
  return { clock, custom, objects, follower, changes: () => changes };
}

test('a kind without objects is empty, one without a definition is gone, and neither is known before anybody looks', async () => {
  const { custom, follower } = await world({ full: 3, none: 0 });
  expect(custom.choice.watched.map(({ plural }) => plural)).toEqual(['full']);
  expect(['full', 'none', 'away'].map((plural) => custom.isEmpty(kindOf(plural).id))).toEqual([
    false,
    true,
    false,
  ]);
  expect(['full', 'none', 'away'].map((plural) => custom.isGone(kindOf(plural).id))).toEqual([
    false,
    false,
    true,
  ]);
  follower.leave();
  expect(custom.isEmpty(kindOf('none').id)).toBe(false);
  expect(custom.isGone(kindOf('away').id)).toBe(false);
});

test('a kind that is expected to have objects is watched within a second once it has', async () => {
  const { clock, custom, objects, follower } = await world({ full: 3, none: 0 });
  objects['none'] = 1;
  custom.expect(kindOf('none'));
  await clock.advance(1_000);
  expect(custom.choice.watched.map(({ plural }) => plural)).toEqual(['full', 'none']);
  follower.leave();
});

test('kinds without a place are tried again once lists ended, together, and at no other time', async () => {
  const { clock, custom, follower, changes } = await world({ full: 3 });
  const before = changes();
  await clock.advance(60_000);
  expect(changes()).toBe(before);
  for (let list = 0; list < 20; list += 1) custom.listEnded();
  await clock.advance(250);
  expect(changes()).toBe(before + 1);
  follower.leave();
  custom.listEnded();
  await clock.advance(250);
  expect(changes()).toBe(before + 1);
});
