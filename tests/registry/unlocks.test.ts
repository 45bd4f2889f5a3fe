import { expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { kindFacts } from '../../commands/kinds/facts.ts';
import { permissions } from '../../src/contract/permissions.ts';
import { permissionTraps, unlocksOf } from '../../src/registry/commands/unlocks.ts';

it('every permission unlocks something that the console has', () => {
  for (const permission of permissions) {
    const { sees, changes, acts } = unlocksOf(permission, kindFacts, commands);
    expect([permission, sees.length + changes.length + acts.length]).not.toEqual([permission, 0]);
    expect([permission, permission.endsWith('.view') ? sees : changes]).not.toEqual([permission, []]);
  }
});

it('what a permission unlocks is what kinds and commands declare', () => {
  expect(unlocksOf('pods.manage', kindFacts, commands)).toEqual({
    sees: [],
    changes: ['Pods'],
    acts: expect.arrayContaining(['Evict', 'Shell', 'Drain']),
  });
  expect(unlocksOf('secrets.view', kindFacts, commands).sees).toContain('Secrets');
  expect(unlocksOf('deployments.manage', kindFacts, commands).acts).toContain('Restart');
});

it('each trap is a sentence', () => {
  for (const trap of Object.values(permissionTraps)) expect(trap).toMatch(/^[A-Z].*\.$/);
});
