import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { kinds } from '../../commands/kinds/index.ts';
import { api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { lacking, type Requirement, satisfies } from '../../src/contract/needs.ts';
import {
  type Permission,
  permissionAskedFor,
  permissionNamed,
  permissions,
  permissionsOfRole,
  roleChangesOf,
  teamRoles,
  viewOf,
} from '../../src/contract/permissions.ts';

const holding =
  (...held: Permission[]) =>
  (one: Permission) =>
    held.includes(one);

describe('what is required', () => {
  const cases: readonly [Requirement, readonly Permission[], readonly (Permission | 'owner')[]][] = [
    ['pods.view', ['pods.view'], []],
    ['pods.manage', ['pods.view'], ['pods.manage']],
    [['pods.manage', 'resources.manage'], ['pods.manage'], ['resources.manage']],
    [['pods.manage', 'resources.manage'], ['pods.manage', 'resources.manage'], []],
    [{ any: ['pods.view', 'secrets.view'] }, ['secrets.view'], []],
    [{ any: [['pods.manage', 'resources.manage'], 'hpas.manage'] }, [], ['hpas.manage']],
    [{ any: [] }, [...permissions], ['owner']],
    ['owner', [...permissions], ['owner']],
  ];

  it.each(cases)('%j of somebody with %j lacks %j', (requirement, held, missing) => {
    expect(lacking(requirement, holding(...held), false)).toEqual(missing);
    expect(satisfies(requirement, holding(...held), false)).toBe(missing.length === 0);
  });

  it('an Owner lacks nothing', () => {
    for (const [requirement] of cases) {
      expect(satisfies(requirement, holding(...permissions), true)).toBe(true);
      expect(lacking(requirement, holding(...permissions), true)).toEqual([]);
    }
  });
});

describe('names of permissions at the boundary', () => {
  it.each([
    ['persistent-volumes.view', 'persistentvolumes.view'],
    ['persistent-volume-claims.manage', 'persistentvolumeclaims.manage'],
    ['scaled-objects.manage', 'scaledobjects.manage'],
    ['deployments.manage', 'deployments.manage'],
    ['scaled-objects.view', undefined],
    ['scaled-objects', undefined],
    ['deployments.man-age', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%s means %s', (text, name) => {
    expect(permissionNamed(text)).toBe(name);
  });

  it('no call asks for one in one spelling alone', () => {
    const oneSpelling = Object.entries<Endpoint>(api).filter(([, { params, query, body }]) =>
      [params, query, body].some(
        (schema) =>
          schema !== undefined &&
          JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes(
            '"persistentvolumes.view"',
          ),
      ),
    );
    expect(oneSpelling.map(([name]) => name)).toEqual([]);
  });

  it('the resources of the specification, alone, ask to see them, and each has its manage form', () => {
    const resources = {
      'scaled-objects': 'namespaces.view',
      deployments: 'deployments.view',
      statefulsets: 'statefulsets.view',
      pods: 'pods.view',
      cronjobs: 'namespaces.view',
      'persistent-volumes': 'persistentvolumes.view',
      'persistent-volume-claims': 'persistentvolumeclaims.view',
      hpas: 'namespaces.view',
      ingresses: 'namespaces.view',
      resources: 'namespaces.view',
    };
    for (const [resource, view] of Object.entries(resources)) {
      expect([resource, permissionAskedFor(resource)]).toEqual([resource, view]);
      expect(permissions).toContain(permissionAskedFor(`${resource}.manage`));
    }
    expect(permissionAskedFor('nothing')).toBeUndefined();
  });

  it('what sees a kind is what its change needs beside it', () => {
    for (const { id, permissions: of } of kinds) {
      // What everything else needs is no matter of one kind.
      if (of.manage === 'owner' || of.manage === 'resources.manage') continue;
      const needed = [of.manage]
        .flat()
        .filter((one) => one.endsWith('.manage') && one !== 'resources.manage');
      const viewed = [of.view].flat();
      for (const one of needed)
        expect([id, viewed]).toEqual([id, expect.arrayContaining([viewOf(one) ?? one])]);
    }
  });
});

describe('a role of a company', () => {
  it('is its default and what Owners changed; only the difference is kept', () => {
    const viewer = permissionsOfRole(teamRoles.Viewer);
    expect(roleChangesOf(teamRoles.Viewer, viewer)).toEqual({});
    const held = [...viewer.filter((one) => one !== 'clusters.view'), 'secrets.view' as const];
    const changes = roleChangesOf(teamRoles.Viewer, held);
    expect(changes).toEqual({ 'clusters.view': false, 'secrets.view': true });
    expect(permissionsOfRole(teamRoles.Viewer, changes)).toEqual([...held].sort());
  });
});
