import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Generates the playground's data files from recordings of a real API server: `node
 * src/playground/facts/generate.ts <folder>`. The folder holds `facts/schemas.json` (component schemas without
 * descriptions), `facts/operations.json` (per path and method), `facts/columns.json` (table columns),
 * `discovery.json` (recorded exchanges: /version and both aggregated discovery documents) and
 * `custom-resources.json` (among them an OpenAPI document, which lists the kinds of deletion options).
 */
interface Exchange {
  name: string;
  request: { path: string; headers: Record<string, string> };
  response: { body: unknown };
}
interface Operation {
  action: string;
  gvk: { group: string; version: string; kind: string };
  consumes?: string[];
}
interface Discovered {
  metadata: { name?: string };
  versions: { version: string; resources: Record<string, unknown>[] }[];
}

const folder = process.argv[2];
if (folder === undefined) {
  throw new Error('Name the folder with facts/ and discovery.json: generate.ts <folder>');
}
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
const target = path.dirname(new URL(import.meta.url).pathname);

const exchanges = read('discovery.json') as Exchange[];
const answer = (name: string): unknown => {
  const found = exchanges.find((exchange) => exchange.name === name);
  if (found === undefined) throw new Error(`discovery.json has no exchange "${name}"`);
  return found.response.body;
};

const version = answer('version') as { gitVersion: string };
const discoveredGroups = ['aggregated discovery, core', 'aggregated discovery, groups'].flatMap(
  (name) => (answer(name) as { items: Discovered[] }).items,
);
const operations = read('facts/operations.json') as Record<string, Record<string, Operation>>;

/** Patch content types per resource, from the item path of its operations. */
function patchTypes(group: string, groupVersion: string, resource: string): string[] {
  const root = group === '' ? `/api/${groupVersion}` : `/apis/${group}/${groupVersion}`;
  const found = [`${root}/namespaces/{namespace}/${resource}/{name}`, `${root}/${resource}/{name}`]
    .map((item) => operations[item]?.['patch']?.consumes)
    .find((types) => types !== undefined);
  return (found ?? []).filter((type) => type.endsWith('json') || type.endsWith('yaml'));
}

const groups = discoveredGroups.map((group) => ({
  name: group.metadata.name ?? '',
  versions: group.versions.map(({ version: name, resources }) => ({
    version: name,
    resources: resources.map((resource) => ({
      ...resource,
      patchTypes: patchTypes(group.metadata.name ?? '', name, String(resource['resource'])),
    })),
  })),
}));

mkdirSync(target, { recursive: true });
const write = (name: string, content: object) =>
  writeFileSync(path.join(target, name), `${JSON.stringify({ server: version.gitVersion, ...content })}\n`);
write('schemas.gen.json', { schemas: read('facts/schemas.json') });
write('resources.gen.json', { version, groups });

interface Document {
  components: { schemas: Record<string, { 'x-kubernetes-group-version-kind'?: unknown }> };
}
const options = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
const publishedOpenApi = (read('custom-resources.json') as Exchange[]).find(({ request }) =>
  request.path.startsWith('/openapi/v3/'),
)?.response.body as Document | undefined;
write('operations.gen.json', {
  operations,
  optionKinds: publishedOpenApi?.components.schemas[options]?.['x-kubernetes-group-version-kind'],
});
write('columns.gen.json', { columns: read('facts/columns.json') });
