import type { Resource, Subresource } from '../registry/registry.ts';
import type { Schemas } from '../registry/schema.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { customShape, type PrinterColumn, type ScalePaths, type Structural } from '../registry/structural.ts';

/** The storage of definitions. */
export const definitions = 'apiextensions.k8s.io/customresourcedefinitions';
/** The finalizer of a definition, which holds it until its objects are deleted. */
export const cleanup = 'customresourcecleanup.apiextensions.k8s.io';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];

function subresourcesOf(version: Rec, kind: string): Map<string, Subresource> {
  const found = new Map<string, Subresource>();
  const add = (name: string, group: string, of: string, resultKind: string) =>
    found.set(name, { name, group, version: of, kind: resultKind, verbs: ['get', 'patch', 'update'] });
  const offered = rec(version['subresources']);
  if (offered['status'] !== undefined) add('status', '', '', kind);
  if (offered['scale'] !== undefined) add('scale', 'autoscaling', 'v1', 'Scale');
  return found;
}

/** The schema of a version; without one, any field is preserved. */
const schemaOf = (version: Rec): Structural =>
  (at(version, 'schema', 'openAPIV3Schema') as Structural | undefined) ?? {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  };

/** The deprecation warning of a version; undefined if it is not deprecated. */
function deprecationOf(group: string, version: Rec, kind: string): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  const { deprecationWarning } = version;
  return typeof deprecationWarning === 'string'
    ? deprecationWarning
    : `${group}/${str(version['name'])} ${kind} is deprecated`;
}

/** The resources that a definition serves, one per served version. */
export function resourcesOf(schemas: Schemas, definition: Obj): Resource[] {
  const spec = rec(definition['spec']);
  const names = rec(spec['names']);
  const group = str(spec['group']);
  const versions = recs(spec['versions']);
  const stored = versions.find((version) => version['storage'] === true);
  const [kind, plural] = [str(names['kind']), str(names['plural'])];
  return versions
    .filter((version) => version['served'] === true)
    .map((version): Resource => {
      const schema = schemaOf(version);
      return {
        group,
        version: str(version['name']),
        plural,
        singular: str(names['singular']),
        kind,
        namespaced: spec['scope'] === 'Namespaced',
        verbs,
        shortNames: (names['shortNames'] as string[] | undefined) ?? [],
        categories: (names['categories'] as string[] | undefined) ?? [],
        subresources: subresourcesOf(version, kind),
        patchTypes,
        shape: customShape(schemas, schema),
        storage: `${group}/${plural}`,
        custom: {
          schema,
          columns: recs(version['additionalPrinterColumns']) as unknown as PrinterColumn[],
          scale: at(version, 'subresources', 'scale') as ScalePaths | undefined,
          selectable: recs(version['selectableFields']).map((field) =>
            str(field['jsonPath']).replace(/^\./, ''),
          ),
          deprecation: deprecationOf(group, version, kind),
          stored: `${group}/${str(stored?.['name'])}`,
        },
      };
    });
}

/** Sets the Terminating condition of a definition. In place. */
export function markTerminating(definition: Obj, now: string): void {
  const status = rec(definition['status']);
  const conditions = recs(status['conditions']);
  if (conditions.some((condition) => condition['type'] === 'Terminating')) return;
  const terminating = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  definition['status'] = { ...status, conditions: [...conditions, terminating] };
}
