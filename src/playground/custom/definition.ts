import type { Resource, Subresource } from '../registry.ts';
import type { Schemas } from '../schema.ts';
import { type Cause, cause } from '../status.ts';
import { at, isRec, type Obj, type Rec, rec, recs, str } from '../values.ts';
import { ruleProblem } from './rules.ts';
import {
  customShape,
  type PrinterColumn,
  type Rule,
  type ScalePaths,
  type Structural,
} from './structural.ts';

/** Where definitions are kept. */
export const definitions = 'apiextensions.k8s.io/customresourcedefinitions';
/** What holds a definition until its objects are gone. */
export const cleanup = 'customresourcecleanup.apiextensions.k8s.io';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];

function below(version: Rec, kind: string): Map<string, Subresource> {
  const found = new Map<string, Subresource>();
  const add = (name: string, group: string, of: string, resultKind: string) =>
    found.set(name, { name, group, version: of, kind: resultKind, verbs: ['get', 'patch', 'update'] });
  const offered = rec(version['subresources']);
  if (offered['status'] !== undefined) add('status', '', '', kind);
  if (offered['scale'] !== undefined) add('scale', 'autoscaling', 'v1', 'Scale');
  return found;
}

/** The schema of a version; one without any holds whatever it is given. */
const schemaOf = (version: Rec): Structural =>
  (at(version, 'schema', 'openAPIV3Schema') as Structural | undefined) ?? {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  };

/** The resources that a definition serves, one per version. */
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
        subresources: below(version, kind),
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
          stored: `${group}/${str(stored?.['name'])}`,
        },
      };
    });
}

/** Says in a definition's status that it is about to go. In place. */
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

/** The causes for which a definition may not be stored. */
export function definitionCauses(definition: Obj): Cause[] {
  const spec = rec(definition['spec']);
  const causes: Cause[] = [];
  const group = str(spec['group']);
  const plural = str(at(spec, 'names', 'plural'));
  const name = definition.metadata.name ?? '';
  if (name !== `${plural}.${group}`) {
    causes.push(cause.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  if (group === '') causes.push(cause.required('spec.group'));
  else if (!group.includes('.')) {
    causes.push(cause.invalid('spec.group', group, 'should be a domain with at least one dot'));
  }
  const { scope } = spec;
  if (scope === undefined || scope === '') causes.push(cause.required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') {
    causes.push(cause.notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  }
  const versions = recs(spec['versions']);
  const stored = versions.filter((version) => version['storage'] === true);
  if (stored.length !== 1) {
    causes.push(
      cause.invalid('spec.versions', versions, 'must have exactly one version marked as storage version'),
    );
  }
  for (const field of ['plural', 'singular', 'kind', 'listKind']) {
    if (str(at(spec, 'names', field)) === '') causes.push(cause.required(`spec.names.${field}`));
  }
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}].schema.openAPIV3Schema`;
    const schema = at(version, 'schema', 'openAPIV3Schema');
    if (!isRec(schema)) causes.push(cause.required(path, 'schemas are required'));
    else causes.push(...schemaCauses(schema, path, 'root'));
  }
  return causes;
}

const untyped: Readonly<Record<string, string>> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

/** What keeps a schema from being structural, and rules that cannot be read. */
function schemaCauses(schema: Structural, path: string, place: string): Cause[] {
  const causes: Cause[] = [];
  const open =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if ((schema.type ?? '') === '' && !(open && place !== 'root')) {
    causes.push(cause.required(`${path}.type`, untyped[place] ?? ''));
  } else if (place === 'root' && schema.type !== 'object') {
    causes.push(cause.invalid(`${path}.type`, schema.type, 'must be object at the root'));
  }
  if (schema.type === 'array' && schema.items === undefined) {
    causes.push(cause.required(`${path}.items`, 'must be specified'));
  }
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const problem = ruleProblem(rule satisfies Rule);
    if (problem !== undefined) {
      causes.push(cause.invalid(`${path}.x-kubernetes-validations[${index}].rule`, rule, problem));
    }
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    causes.push(...schemaCauses(field, `${path}.properties[${name}]`, 'field'));
  }
  if (isRec(schema.additionalProperties)) {
    const values = schema.additionalProperties as Structural;
    causes.push(...schemaCauses(values, `${path}.additionalProperties`, 'field'));
  }
  if (schema.items !== undefined) causes.push(...schemaCauses(schema.items, `${path}.items`, 'item'));
  return causes;
}
