import { createHash } from 'node:crypto';
import { apiVersionOf, type Registry } from '../registry/registry.ts';
import type { Rec } from '../kit/values.ts';
import { versionDocument } from './document.ts';

/** Documents about paths outside the resources, with the path of each. */
const nonResourceDocuments: Readonly<Record<string, string>> = {
  '.well-known/openid-configuration': '/.well-known/openid-configuration/',
  'openid/v1/jwks': '/openid/v1/jwks/',
  api: '/api/',
  apis: '/apis/',
  version: '/version/',
};

function plainDocument(registry: Registry, path: string): Rec {
  const described = {
    operationId: `get${path.replace(/[^A-Za-z0-9]+(\w?)/g, (_all, letter: string) => letter.toUpperCase())}`,
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: { type: 'object' } } } },
    },
  };
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: registry.version['gitVersion'] },
    paths: { [path]: { get: described } },
    components: {},
  };
}

/** Hash of everything that a document depends on: the server's version and definitions. */
export function hashOf(registry: Registry, name: string): string {
  const [, group = '', version = ''] = name.split('/');
  const custom = registry.groups
    .find((item) => item.name === group)
    ?.versions.find((item) => item.version === version)
    ?.resources.map(({ plural, custom: facts, subresources }) => [
      plural,
      facts?.schema,
      Array.from(subresources.keys()),
    ]);
  return createHash('sha512')
    .update(JSON.stringify([registry.version['gitVersion'], name, custom]))
    .digest('hex')
    .toUpperCase();
}

/** GET /openapi/v3: the address of every document, which changes with its content. */
export function openapiIndex(registry: Registry): string {
  const names = new Set(Object.keys(nonResourceDocuments));
  for (const group of registry.groups) {
    const hasCustom = group.versions.some(({ resources }) =>
      resources.some(({ custom }) => custom !== undefined),
    );
    if (group.name !== '' && !hasCustom) names.add(`apis/${group.name}`);
    for (const { resources } of group.versions) {
      const [resource] = resources;
      if (resource === undefined) continue;
      names.add(group.name === '' ? `api/${resource.version}` : `apis/${apiVersionOf(resource)}`);
    }
  }
  const paths = Array.from(names)
    .sort()
    .map((name) => [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hashOf(registry, name)}` }]);
  return JSON.stringify({ paths: Object.fromEntries(paths) });
}

/** GET /openapi/v3/{name}; undefined when there is no such document. */
export function openapiDocument(registry: Registry, name: string): Rec | undefined {
  const path = nonResourceDocuments[name];
  if (path !== undefined) return plainDocument(registry, path);
  const [root, first = '', second, ...rest] = name.split('/');
  if (rest.length > 0) return undefined;
  if (root === 'api' && second === undefined) return versionDocument(registry, '', first);
  if (root !== 'apis') return undefined;
  if (second !== undefined) return versionDocument(registry, first, second);
  const isGroup = registry.groups.some((group) => group.name === first && first !== '');
  return isGroup ? plainDocument(registry, `/apis/${first}/`) : undefined;
}
