import { describe, expect, it } from 'vitest';
import { api } from '../../src/contract/api.ts';
import { type Access, type Endpoint, tokenUseOf } from '../../src/contract/endpoint.ts';
import { endpoints, otherRoutes, subscriptions, tokenUses, type Who } from '../permission-table.ts';
import { callers, expectedOf } from '../server/access/matrix-table.ts';

const calls = Object.entries(api) as [string, Endpoint][];

/** What the table calls an access of the contract. */
function rowOf(access: Access): Who {
  if (typeof access === 'string') return access;
  if ('permission' in access) return access.permission;
  if ('kind' in access) return access.kind === 'view' ? 'view' : 'change';
  return access.team === 'view' ? 'team' : 'team manager';
}

describe('the access matrix asks for everything that the contract declares', () => {
  it.each(calls)('%s: whoever may, and whether a token may', (name, endpoint) => {
    expect(endpoints[name], `tests/permission-table.ts: the row ${name}`).toBe(rowOf(endpoint.access));
    const use = tokenUseOf(endpoint);
    expect(tokenUses[name], `tests/permission-table.ts: tokenUses of ${name}`).toBe(
      use === 'never' ? undefined : use,
    );
  });

  it('and for nothing else', () => {
    expect(Object.keys(endpoints).filter((name) => !(name in api))).toEqual([]);
    expect(Object.keys(tokenUses).filter((name) => !(name in api) && !(name in otherRoutes))).toEqual([]);
  });

  // A caller that the specification names and the matrix lost would leave no other trace.
  it('by everybody of the specification', () => {
    expect([...callers].sort()).toEqual([
      'SecretViewer',
      'TeamAdmin',
      'TeamAdmin of a namespace',
      'Viewer',
      'no grant',
      'owner',
      'owner of another company',
      'signed out',
      'suspended',
      'temporary',
      'token',
      'without company',
    ]);
  });

  it('and no row gives anything of a company to somebody who is in none or suspended', () => {
    const rows = new Set([endpoints, otherRoutes, subscriptions].flatMap((table) => Object.values(table)));
    for (const who of rows) {
      const allowed = callers.filter(
        (caller) =>
          ['signed out', 'without company', 'suspended'].includes(caller) &&
          expectedOf(who, '/api/clusters/:clusterId', caller, 'pod') === 'allowed',
      );
      const own = ['session', 'account'].includes(who) ? ['without company', 'suspended'] : [];
      const everybody = ['signed out', 'without company', 'suspended'];
      expect([who, allowed]).toEqual([who, who === 'public' ? everybody : own]);
    }
  });
});
