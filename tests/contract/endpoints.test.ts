import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '../../src/contract/api.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { isPermission } from '../../src/contract/permissions.ts';
import { root, sources } from '../sources.ts';

const endpoints = Object.entries(api) as [string, Endpoint][];

/** Each table of calls that a file of the contract exports: its name, its file and its calls. */
const parts = (
  await Promise.all(
    sources('src/contract').map(async (file) => {
      const exported = (await import(pathToFileURL(join(root, file)).href)) as Record<string, object>;
      return Object.entries(exported)
        .filter(([name]) => name.endsWith('Endpoints'))
        .map(([name, part]) => [name, file, part] as const);
    }),
  )
).flat();

describe('the endpoint table', () => {
  it.each(parts)('contains %s', (name, file, part) => {
    const missing = Object.keys(part).filter((call) => endpoints.every(([other]) => other !== call));
    expect(missing, `src/contract/api.ts: add ${name} of ${file}`).toEqual([]);
  });

  it('has no two calls with the same name', () => {
    const names = parts.flatMap(([, , part]) => Object.keys(part));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
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
      else if ('team' in endpoint.access) expect(inPath).toContain('teamId');
      else expect(isPermission(endpoint.access.permission)).toBe(true);
    }
    const { access } = endpoint;
    if (access === 'cluster' || (typeof access === 'object' && !('team' in access))) {
      expect(inPath).toContain('clusterId');
    }
    // Calls on a cluster are never open to people outside its company.
    if (inPath.includes('clusterId')) expect(['public', 'session', 'member']).not.toContain(endpoint.access);
    if (endpoint.method === 'GET') expect(endpoint.body).toBeUndefined();
    if (endpoint.response === undefined && endpoint.navigation !== true && endpoint.download !== true)
      expect(endpoint.status).toBe(204);
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
        ['POST /settings/global/metrics/test', 'Failed to test the source of metrics'],
        ['GET /settings/user', 'Failed to fetch user settings'],
        ['PUT /settings/user', 'Failed to update user settings'],
        ['POST /settings/user/webhooks', 'Failed to add webhook'],
        ['DELETE /settings/user/webhooks/:webhookId', 'Failed to delete webhook'],
        ['PUT /settings/user/webhooks/:webhookId', 'Failed to change webhook'],
        ['POST /settings/user/webhooks/:webhookId/secret', 'Failed to change the secret of the webhook'],
        ['POST /settings/user/webhooks/:webhookId/test', 'Failed to test webhook'],
        ['GET /settings/user/webhooks/:webhookId/deliveries', 'Failed to fetch deliveries'],
        ['POST /settings/user/webhooks/:webhookId/redeliveries', 'Failed to send deliveries again'],
      ],
    );
  });

  const answering = endpoints.filter(([, { response }]) => response !== undefined);
  it.each(answering)('%s returns no credential', (name, { response = z.null() }) => {
    const named = propertiesOf(z.toJSONSchema(response)).filter(([name]) =>
      /password|kubeconfig|token|secret|hash/i.test(name),
    );
    // Whether a credential exists may be told, and a token or a webhook’s secret is shown to whoever makes it.
    const kept = named.filter(([, schema]) => schema.type !== 'boolean').map(([property]) => property);
    const shown = ['createToken', 'addWebhook', 'changeWebhookSecret'];
    expect(kept).toEqual(shown.includes(name) ? ['secret'] : []);
  });
});

/** Every property of a JSON schema, at any depth. */
function propertiesOf(schema: unknown): [string, { type?: unknown }][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.entries(schema.properties as Record<string, object>) : [];
  return [...own, ...Object.values(schema).flatMap(propertiesOf)];
}
