import { expect, test } from 'vitest';
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
  return { ...world, chance: { ...world.chance, next } };
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
