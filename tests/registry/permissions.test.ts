import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { kinds } from '../../commands/kinds/index.ts';
import { type Need, type Permission, permissions } from '../../src/contract/permissions.ts';
import type { Command } from '../../src/registry/commands/command.ts';
import { holds } from '../../src/registry/commands/registry.ts';
import {
  actionNeeds,
  changeCommands,
  commandNeeds,
  kindNeeds,
  openCommands,
  openRoutes,
} from '../permission-table.ts';

/** What Owners have: every permission. */
const listed = (need: Need): readonly Permission[] =>
  need === 'owner' ? permissions : typeof need === 'string' ? [need] : need;
const isHeld = (held: readonly Permission[]) => (one: Permission) => held.includes(one);
const isPermission = (text: unknown): text is Permission => permissions.some((one) => one === text);
const subjectOf = ({ id }: Command) => id.split('.')[0] ?? '';
const kindIds = new Set(kinds.map(({ id }) => id));

/** The permissions of a kind's command: one set for each kind that has it. */
function kindSets({ id, type }: Command): readonly (readonly Permission[])[] {
  if (type === 'route') {
    const pair = kindNeeds[id.split('.')[0] ?? ''];
    return pair === undefined || !/\.(?:list|open(?:Also)*)$/.test(id) ? [] : [listed(pair.view)];
  }
  return kinds
    .filter(({ actions }) => actions.some((action) => action.id === id))
    .flatMap((kind) => {
      // `tests/kinds/complete.test.ts` checks that every kind has a row.
      const row = kindNeeds[kind.id];
      return row === undefined ? [] : [actionNeeds[id] ?? listed(row.change)];
    });
}

/** Who of the organisation may run a command, by the words of the table. */
function accessOf(command: Command): string {
  if (command.type === 'template' || command.access === undefined) return 'signed-in';
  return command.access === 'team' ? 'team manager' : command.access;
}

/** What to write where for a command that no row allows. */
function missingRow(command: Command): string {
  const subject = subjectOf(command);
  const access = accessOf(command);
  if (access !== 'signed-in')
    return `tests/permission-table.ts: add the row '${command.id}': '${access}' to commandNeeds`;
  if (kindIds.has(subject)) return `tests/kinds/expected.yaml: add the row ${subject}`;
  const open = command.type === 'route' ? `${command.id} to openRoutes` : `${subject} to openCommands`;
  return `tests/permission-table.ts: add ${open}, or a row ${command.id} to commandNeeds`;
}

describe('which commands a person is offered', () => {
  test.each(commands.map((command) => [command.id, command] as const))('%s', (id, command) => {
    const sets = kindSets(command);
    const row = commandNeeds[id];
    if (sets.length > 0) {
      expect(row, 'a command of kinds has its needs from their rows').toBeUndefined();
      for (const set of sets) {
        expect(holds(command.needs, isHeld(set)), set.join()).toBe(true);
        // For one kind, or for several with equal needs, nobody is offered a command that they can use on nothing.
        if (new Set(sets.map((one) => [...one].sort().join())).size > 1) continue;
        for (const one of set) {
          expect(holds(command.needs, isHeld(permissions.filter((other) => other !== one))), one).toBe(false);
        }
      }
      for (const view of permissions.filter((one) => one.endsWith('.view') && command.type === 'action')) {
        expect(holds(command.needs, isHeld([view])), view).toBe(false);
      }
      return;
    }
    if (row === undefined) {
      const isOpen =
        command.type === 'route' ? openRoutes.includes(id) : openCommands.includes(subjectOf(command));
      expect(isOpen && accessOf(command) === 'signed-in', missingRow(command)).toBe(true);
      if (!changeCommands.includes(id))
        expect(command.needs, `${id} needs a row in tests/permission-table.ts`).toBeUndefined();
      else {
        for (const one of permissions)
          expect(holds(command.needs, isHeld([one])), one).toBe(one.endsWith('.manage'));
      }
      return;
    }
    const access = accessOf(command);
    if (row === 'public' || row === 'owner' || row === 'team manager') {
      expect(access).toBe(row);
      return;
    }
    expect(access).toBe('signed-in');
    const needed = (typeof row === 'string' ? [row] : row).filter(isPermission);
    expect(needed.length).toBeGreaterThan(0);
    expect(holds(command.needs, isHeld(needed))).toBe(true);
    for (const one of needed) {
      expect(holds(command.needs, isHeld(permissions.filter((other) => other !== one))), one).toBe(false);
    }
  });

  test('people who may only view are offered no change, and every row of the table belongs to a command', () => {
    const ids = new Set(commands.map(({ id }) => id));
    for (const id of [...Object.keys(commandNeeds), ...openRoutes]) expect(ids, id).toContain(id);
    for (const id of Object.keys(actionNeeds)) expect(ids, id).toContain(id);
    expect(openCommands.filter((one) => !commands.some((command) => subjectOf(command) === one))).toEqual([]);
    expect(openCommands.filter((one) => kindIds.has(one))).toEqual([]);
  });
});
