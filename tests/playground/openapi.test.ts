import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { at, type Rec, rec, recs } from '../../src/playground/kit/values.ts';
import { json, send } from './client.ts';

let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
});
afterAll(async () => {
  await playground.close();
});

const document = () => json<Rec>(playground, 'GET', '/openapi/v2');

test('the Swagger 2.0 document has every path and kind of the v3 ones, and no dangling reference', async () => {
  const old = await document();
  expect(old['swagger']).toBe('2.0');
  const definitions = rec(old['definitions']);
  const referred = JSON.stringify(old).match(/"\$ref":"[^"]+"/g) ?? [];
  expect(referred.length).toBeGreaterThan(500);
  const missing = new Set(
    referred
      .map((text) => text.slice('"$ref":"'.length, -1))
      .filter((place) => definitions[place.replace('#/definitions/', '')] === undefined),
  );
  expect(missing).toEqual(new Set());
  const newer = await json<Rec>(playground, 'GET', '/openapi/v3/apis/apps/v1');
  expect(Object.keys(rec(old['paths']))).toEqual(expect.arrayContaining(Object.keys(rec(newer['paths']))));
  const patch = at(old, 'paths', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}', 'patch');
  expect(patch).toMatchObject({
    consumes: expect.arrayContaining(['application/apply-patch+yaml']) as unknown,
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
  });
  expect(recs(at(patch, 'parameters'))[0]).toMatchObject({
    in: 'body',
    schema: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Patch' },
  });
  // What a client merges lists by is there too.
  expect(at(definitions, 'io.k8s.api.core.v1.PodSpec', 'properties', 'containers')).toMatchObject({
    'x-kubernetes-patch-merge-key': 'name',
    'x-kubernetes-patch-strategy': 'merge',
  });
});

test('a custom kind appears in it, and an unchanged document is answered with 304', async () => {
  await json(playground, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'cups.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural: 'cups', kind: 'Cup' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { size: { type: 'integer', nullable: true } } },
              },
            },
          },
        },
      ],
    },
  });
  await expect
    .poll(async () => Object.keys(rec((await document())['definitions'])))
    .toContain('org.example.v1.Cup');
  const first = await send(playground, { method: 'GET', path: '/openapi/v2' });
  const size = at(JSON.parse(first.text), 'definitions', 'org.example.v1.Cup', 'properties', 'spec');
  expect(size).toEqual({ type: 'object', properties: { size: { type: 'integer' } } });
  const tag = String(first.headers['etag']);
  const again = await send(playground, {
    method: 'GET',
    path: '/openapi/v2',
    headers: { 'if-none-match': tag },
  });
  expect(again).toMatchObject({ status: 304, text: '' });
});
