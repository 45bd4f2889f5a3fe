import { describe, expect, it } from 'vitest';
import {
  clusterPermissions,
  orgRoles,
  type Permission,
  permissions,
  rolePermissions,
  type TeamRole,
  teamRoles,
} from '../../../src/contract/permissions.ts';
import { satisfies } from '../../../src/contract/needs.ts';
import { heldBy } from '../../../src/server/access/grants.ts';
import { type HeldPermissions, type Place } from '../../../src/server/access/held.ts';
import { chance, rounds } from '../../prove.ts';

interface Grant {
  readonly role: TeamRole;
  readonly namespaces: readonly string[] | null;
}

const universe = ['data', 'ops', 'shop', 'web'] as const;
const roles = Object.values(teamRoles);

/** Whether one grant by itself gives a permission in a place, said as plainly as it can be. */
function gives({ role, namespaces }: Grant, name: Permission, place: Place): boolean {
  if (!rolePermissions[role].includes(name)) return false;
  if (namespaces === null) return true;
  if (clusterPermissions.has(name) || place === 'cluster') return false;
  return place === 'anywhere' ? namespaces.length > 0 : namespaces.includes(place.namespace);
}

/** Whether grants together give all that is needed in a place: each permission by some grant, in that very place. */
function mayByGrants(grants: readonly Grant[], need: readonly Permission[], place: Place): boolean {
  if (place === 'anywhere') {
    const places: Place[] = ['cluster', ...universe.map((namespace) => ({ namespace }))];
    return places.some((one) => mayByGrants(grants, need, one));
  }
  return need.every((name) => grants.some((grant) => gives(grant, name, place)));
}

const places: readonly Place[] = ['cluster', 'anywhere', ...universe.map((namespace) => ({ namespace }))];

const answersOf = (held: HeldPermissions) =>
  JSON.stringify(permissions.map((name) => places.map((place) => held.may(name, place))));

describe('what grants on a cluster add up to', () => {
  it('is each pair of a permission and a namespace that one grant gives, and no other', () => {
    const random = chance();
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const byKey = new Map<string, string>();
    for (let round = 0; round < rounds(2_000, 40_000); round += 1) {
      const grants = Array.from({ length: Math.floor(random() * 5) }, (): Grant => {
        const some = universe.filter(() => random() < 0.4);
        return { role: pick(roles), namespaces: random() < 0.3 ? null : some };
      });
      const held = heldBy(orgRoles.Member, grants);
      const needs: readonly (Permission | readonly Permission[])[] = [
        ...permissions,
        [pick(permissions), pick(permissions)],
      ];
      const choice = [pick(permissions), [pick(permissions), pick(permissions)]] as const;
      for (const place of places) {
        const anyByGrants = choice.some((one) => mayByGrants(grants, [one].flat(), place));
        expect(held.may({ any: choice }, place), JSON.stringify([grants, choice, place])).toBe(anyByGrants);
        // The page asks about a place in the same words.
        if (place !== 'anywhere')
          for (const need of [{ any: choice }, ...needs])
            expect(satisfies(need, (one) => held.may(one, place), false)).toBe(held.may(need, place));
      }
      expect(held.may({ any: [] }, 'anywhere')).toBe(false);
      for (const need of needs) {
        const listed = typeof need === 'string' ? [need] : need;
        for (const place of places) {
          const told = JSON.stringify([grants, need, place]);
          expect(held.may(need, place), told).toBe(mayByGrants(grants, listed, place));
        }
        const seen = held.namespacesFor(need);
        expect(seen === 'all', JSON.stringify([grants, need])).toBe(mayByGrants(grants, listed, 'cluster'));
        if (seen !== 'all')
          expect([...seen].sort()).toEqual(
            universe.filter((namespace) => mayByGrants(grants, listed, { namespace })),
          );
      }
      expect(held.names).toEqual(permissions.filter((name) => mayByGrants(grants, [name], 'anywhere')));
      expect(held.may('owner', 'anywhere')).toBe(false);
      const known = byKey.get(held.key);
      if (known !== undefined) expect(known).toBe(answersOf(held));
      byKey.set(held.key, answersOf(held));
    }
    // Different answers never have one key.
    expect(new Set(byKey.values()).size).toBe(byKey.size);
  });

  it('never gives a permission of one team in the namespaces of another', () => {
    const held = heldBy(orgRoles.Member, [
      { role: teamRoles.Viewer, namespaces: ['shop', 'data'] },
      { role: teamRoles.TeamAdmin, namespaces: ['data'] },
    ]);
    expect(held.may('pods.manage', { namespace: 'data' })).toBe(true);
    expect(held.may('pods.manage', { namespace: 'shop' })).toBe(false);
    expect(held.may('pods.view', { namespace: 'shop' })).toBe(true);
    expect(held.may(['pods.view', 'pods.manage'], { namespace: 'shop' })).toBe(false);
  });

  it('has nothing of the cluster itself where every grant is restricted, and everything for an Owner', () => {
    const held = heldBy(orgRoles.Member, [{ role: teamRoles.TeamAdmin, namespaces: ['shop'] }]);
    for (const name of clusterPermissions) expect(held.names).not.toContain(name);
    for (const name of permissions) expect(held.may(name, 'cluster')).toBe(false);
    const owner = heldBy(orgRoles.Owner, []);
    expect(owner.may({ any: [] }, 'cluster')).toBe(true);
    expect([owner.may('owner', 'cluster'), owner.isWhole, owner.namespaces]).toEqual([true, true, 'all']);
    expect(heldBy(null, [{ role: teamRoles.TeamAdmin, namespaces: null }]).names).toEqual([]);
    expect(heldBy(orgRoles.Member, [{ role: teamRoles.TeamAdmin, namespaces: [] }]).names).toEqual([]);
  });
});
