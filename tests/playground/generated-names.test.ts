import { describe, expect, test } from 'vitest';
import { type Chance, keyedChance, randomName } from '../../src/playground/kit/random.ts';
import { create } from '../../src/playground/life/write.ts';
import { generateName } from '../../src/playground/objects/generated-name.ts';
import { plantBulk } from '../../src/playground/seeds/bulk.ts';
import { Lab } from './lab.ts';

/** A world in which `web-bbbbb` exists, and whose chance gives that name so often before another. */
function worldThatRepeats(times: number) {
  const { world } = new Lab();
  create(world, '/configmaps', 'default', { metadata: { name: 'web-bbbbb' } });
  let drawn = 0;
  const next = () => {
    drawn += 1;
    return drawn > times * 5 ? 0.5 : 0;
  };
  const chance: Chance = { ...world.chance, next, of: () => chance };
  return { ...world, chance };
}

test('a generated name that is in use is generated again', () => {
  expect(generateName(worldThatRepeats(7), '/configmaps', 'default', 'web-')).toMatch(/^web-(?!bbbbb)/);
  expect(generateName(worldThatRepeats(7), '/configmaps', 'kube-system', 'web-')).toBe('web-bbbbb');
});

test('after eight names in use the last one is returned, so that the create reports the conflict', () => {
  const world = worldThatRepeats(8);
  expect(generateName(world, '/configmaps', 'default', 'web-')).toBe('web-bbbbb');
});

test('a bulk has as many pods as requested, however few names are possible', () => {
  const { world } = new Lab();
  // Three letters of twenty-seven: 243 names, of which twenty siblings draw some twice.
  const chance = { ...world.chance, next: () => Math.floor(world.chance.next() * 3) / 3 };
  const before = world.store.list('/pods').length;
  plantBulk({ ...world, chance }, 60);
  expect(world.store.list('/pods').length - before).toBe(60);
});

describe('keyed chance', () => {
  const namesOf = (keys: readonly string[]): Record<string, string[]> => {
    const chance = keyedChance(20);
    const names: Record<string, string[]> = {};
    for (const key of keys) (names[key] ??= []).push(randomName(chance.of(key), 5));
    return names;
  };

  test('gives a key the same values in whatever order keys are asked for', () => {
    const alternating = namesOf(['web-', 'api-', 'web-', 'api-', 'web-']);
    expect(namesOf(['api-', 'api-', 'web-', 'web-', 'web-'])).toEqual(alternating);
    expect(new Set(alternating['web-']).size).toBe(3);
    expect(alternating['api-']).not.toEqual(alternating['web-']?.slice(0, 2));
  });
});
