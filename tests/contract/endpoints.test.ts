import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accountEndpoints } from '../../src/contract/account.ts';
import { api } from '../../src/contract/api.ts';
import { clusterEndpoints } from '../../src/contract/clusters.ts';
import { compareEndpoints } from '../../src/contract/compare.ts';
import { countEndpoints } from '../../src/contract/counts.ts';
import { customResourceEndpoints } from '../../src/contract/custom-resources.ts';
import { clusterSettingsEndpoints } from '../../src/contract/cluster-settings.ts';
import { usageEndpoints } from '../../src/contract/usage.ts';
import { draftEndpoints } from '../../src/contract/drafts.ts';
import { filterEndpoints } from '../../src/contract/filters.ts';
import { editEndpoints } from '../../src/contract/edit.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { jobEndpoints } from '../../src/contract/jobs.ts';
import { keymapEndpoints } from '../../src/contract/keymap.ts';
import { preferencesEndpoints } from '../../src/contract/preferences.ts';
import { manifestEndpoints } from '../../src/contract/manifests.ts';
import { namespaceEndpoints } from '../../src/contract/namespaces.ts';
import { actionEndpoints, objectEndpoints } from '../../src/contract/objects.ts';
import { isPermission } from '../../src/contract/permissions.ts';
import { releaseEndpoints } from '../../src/contract/releases.ts';
import { schemaEndpoints } from '../../src/contract/schemas.ts';
import { searchEndpoints } from '../../src/contract/search.ts';
import { secretEndpoints } from '../../src/contract/secrets.ts';
import { systemEndpoints } from '../../src/contract/system.ts';

const endpoints = Object.entries(api) as [string, Endpoint][];

describe('the endpoint table', () => {
  it('contains every call of its parts: no name hides another', () => {
    const parts = [
      accountEndpoints,
      keymapEndpoints,
      preferencesEndpoints,
      clusterEndpoints,
      namespaceEndpoints,
      customResourceEndpoints,
      countEndpoints,
      jobEndpoints,
      secretEndpoints,
      releaseEndpoints,
      objectEndpoints,
      actionEndpoints,
      manifestEndpoints,
      editEndpoints,
      compareEndpoints,
      draftEndpoints,
      usageEndpoints,
      schemaEndpoints,
      clusterSettingsEndpoints,
      filterEndpoints,
      searchEndpoints,
      systemEndpoints,
    ];
    const count = parts.reduce((sum, part) => sum + Object.keys(part).length, 0);
    expect(endpoints).toHaveLength(count);
  });

  it('has no two calls with the same method and path', () => {
    const keys = endpoints.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(endpoints)('%s is consistent', (_name, endpoint) => {
    const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
    expect(Object.keys(endpoint.params?.shape ?? {}).sort()).toEqual(inPath.sort());
    if (typeof endpoint.access === 'object') {
      if ('kind' in endpoint.access)
        expect(inPath.some((name) => name === 'kind' || name === 'crdName')).toBe(true);
      else expect(isPermission(endpoint.access.permission)).toBe(true);
    }
    if (endpoint.access === 'cluster' || typeof endpoint.access === 'object') {
      expect(inPath).toContain('clusterId');
    }
    // Calls on a cluster are never open to people outside its company.
    if (inPath.includes('clusterId')) expect(['public', 'session', 'member']).not.toContain(endpoint.access);
    if (endpoint.method === 'GET') expect(endpoint.body).toBeUndefined();
    if (endpoint.response === undefined && endpoint.navigation !== true) expect(endpoint.status).toBe(204);
  });

  it.each(endpoints.filter(([, { body }]) => body !== undefined))(
    '%s refuses unknown fields',
    (_name, endpoint) => {
      const result = endpoint.body?.safeParse({ neverHeardOf: true });
      expect(result?.error?.issues).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ code: 'unrecognized_keys', keys: ['neverHeardOf'] }),
        ]),
      );
    },
  );

  it('has a message of its own for each failed call on settings of a cluster', () => {
    const settings = endpoints.filter(([, { path }]) => /\/settings\/(?:user|global)\b/.test(path));
    expect(settings.map(([, { method, path, failure }]) => [`${method} ${path.slice(24)}`, failure])).toEqual(
      [
        ['GET /settings/global', 'Failed to fetch global settings'],
        ['PUT /settings/global', 'Failed to update global settings'],
      ],
    );
  });

  const answering = endpoints.filter(([, { response }]) => response !== undefined);
  it.each(answering)('%s returns no credential', (_name, { response = z.null() }) => {
    const named = propertiesOf(z.toJSONSchema(response)).filter(([name]) =>
      /password|kubeconfig|token|secret|hash/i.test(name),
    );
    // Whether a credential exists may be told.
    expect(named.filter(([, schema]) => schema.type !== 'boolean')).toEqual([]);
  });
});

/** Every property of a JSON schema, at any depth. */
function propertiesOf(schema: unknown): [string, { type?: unknown }][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.entries(schema.properties as Record<string, object>) : [];
  return [...own, ...Object.values(schema).flatMap(propertiesOf)];
}
