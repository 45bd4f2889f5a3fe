import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { objectsOf, render, type Rendered, valueNames } from '../deploy/chart.ts';
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

/** Kinds of an operator that the playground has no definition of. */
const unknownKinds = ['PrometheusRule', 'ServiceMonitor'];

beforeAll(async () => {
  playground = await startPlayground({ seed: 'company' });
  await json(playground, 'POST', '/api/v1/namespaces', { metadata: { name: 'wheelhouse' } });
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

test.each(valueNames)(
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
    expect(unknown.toSorted()).toEqual(name === 'everything' ? unknownKinds : []);
  },
);
