import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { objectsOf, render, type Rendered, valueNames } from '../deploy/chart.ts';
import { isHelmMissing } from '../deploy/helm.ts';
import { json, send } from './client.ts';

let playground: Playground;
/** The resource of each kind, as discovery has it. */
const resources = new Map<string, { readonly path: string; readonly isNamespaced: boolean }>();

interface Discovered {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/** What an operator brings that the chart makes objects for. */
const definitions = resolve(import.meta.dirname, '../deploy/definitions');

beforeAll(async () => {
  playground = await startPlayground({ seed: 'company' });
  await json(playground, 'POST', '/api/v1/namespaces', { metadata: { name: 'wheelhouse' } });
  for (const file of readdirSync(definitions)) {
    const definition: unknown = parse(readFileSync(join(definitions, file), 'utf8'));
    await json(playground, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  }
  await vi.waitUntil(
    async () => {
      const { text } = await send(playground, { method: 'GET', path: '/apis/monitoring.coreos.com/v1' });
      return ['ServiceMonitor', 'PrometheusRule'].every((kind) => text.includes(`"${kind}"`));
    },
    { timeout: 20_000 },
  );
});
afterAll(() => playground.close());

async function resourceOf({ apiVersion, kind }: Rendered) {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  if (!resources.has(`${apiVersion} ${kind}`)) {
    const { status, text } = await send(playground, { method: 'GET', path: root });
    if (status !== 200) return undefined;
    for (const one of (JSON.parse(text) as Discovered).resources)
      if (!one.name.includes('/'))
        resources.set(`${apiVersion} ${one.kind}`, {
          path: `${root}|${one.name}`,
          isNamespaced: one.namespaced,
        });
  }
  return resources.get(`${apiVersion} ${kind}`);
}

test.skipIf(isHelmMissing).each(valueNames)(
  '%s: an API server takes each object of the chart in a strict dry run',
  async (name) => {
    const unknown: string[] = [];
    for (const object of objectsOf(render(name).manifests)) {
      const found = await resourceOf(object);
      if (found === undefined) {
        unknown.push(object.kind);
        continue;
      }
      const [root = '', plural = ''] = found.path.split('|');
      const { namespace = 'wheelhouse' } = object.metadata;
      const folder = found.isNamespaced ? `${root}/namespaces/${namespace}` : root;
      const { status, text } = await send(playground, {
        method: 'POST',
        path: `${folder}/${plural}?dryRun=All&fieldValidation=Strict`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(object),
      });
      expect(`${object.kind}: ${status === 201 ? 'taken' : text}`).toBe(`${object.kind}: taken`);
    }
    expect(unknown).toEqual([]);
  },
);

test.each([
  ['ServiceMonitor', { selector: {}, endpoints: [{ intervall: '30s' }] }, 'unknown field'],
  ['PrometheusRule', { groups: [{ name: 'a', partial_response_strategy: 'never' }] }, 'should match'],
])('a strict dry run refuses a %s that the operator would not take', async (kind, spec, why) => {
  const answer = await json<{ message: string }>(
    playground,
    'POST',
    `/apis/monitoring.coreos.com/v1/namespaces/wheelhouse/${kind.toLowerCase()}s?dryRun=All&fieldValidation=Strict`,
    { apiVersion: 'monitoring.coreos.com/v1', kind, metadata: { name: 'wrong' }, spec },
  );
  expect(answer.message).toContain(why);
});
