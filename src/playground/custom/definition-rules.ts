import { dns1035Problem, subdomainProblem } from '../kit/names.ts';
import { type Cause, cause } from '../kit/status.ts';
import { at, isRec, type Obj, type Rec, rec, recs, same, str } from '../kit/values.ts';
import { ruleSyntaxCauses } from './rule-syntax.ts';
import { schemaCauses } from './schema-rules.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = [
  'binary',
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];

function columns(version: Rec, path: string): Cause[] {
  return recs(version['additionalPrinterColumns']).flatMap((column, index) => {
    const inner = `${path}.additionalPrinterColumns[${index}]`;
    const causes: Cause[] = [];
    const [name, type, format, jsonPath] = ['name', 'type', 'format', 'jsonPath'].map((field) =>
      str(column[field]),
    );
    if (name === '') causes.push(cause.required(`${inner}.name`));
    if (type === '') {
      causes.push(cause.required(`${inner}.type`, `must be one of ${columnTypes.join(',')}`));
    } else if (!columnTypes.includes(type ?? '')) {
      causes.push(cause.invalid(`${inner}.type`, type, `must be one of ${columnTypes.join(',')}`));
    }
    if (format !== '' && !columnFormats.includes(format ?? '')) {
      causes.push(cause.invalid(`${inner}.format`, format, `must be one of ${columnFormats.join(',')}`));
    }
    if (jsonPath === '') causes.push(cause.required(`${inner}.jsonPath`));
    else if (jsonPath !== undefined && !jsonPath.startsWith('.')) {
      causes.push(cause.invalid(`${inner}.jsonPath`, jsonPath, 'must be a simple json path starting with .'));
    }
    return causes;
  });
}

function scale(version: Rec, path: string): Cause[] {
  const given = at(version, 'subresources', 'scale');
  if (!isRec(given)) return [];
  const inner = `${path}.subresources.scale`;
  const pathCauses = (field: string, roots: readonly string[], must: boolean, why: string): Cause[] => {
    const value = str(given[field]);
    if (value === '') return must ? [cause.required(`${inner}.${field}`)] : [];
    return roots.some((root) => value.startsWith(root))
      ? []
      : [cause.invalid(`${inner}.${field}`, value, why)];
  };
  return [
    ...pathCauses('specReplicasPath', ['.spec.'], true, 'should be a json path under .spec'),
    ...pathCauses('statusReplicasPath', ['.status.'], true, 'should be a json path under .status'),
    ...pathCauses(
      'labelSelectorPath',
      ['.spec.', '.status.'],
      false,
      'should be a json path under either .spec or .status',
    ),
  ];
}

function versionCauses(version: Rec, path: string): Cause[] {
  const causes: Cause[] = [];
  const name = str(version['name']);
  const problem = dns1035Problem(name);
  if (problem !== undefined) causes.push(cause.invalid(`${path}.name`, name, problem));
  if (version['deprecationWarning'] !== undefined && version['deprecated'] !== true) {
    const why = 'can only be set for deprecated versions';
    causes.push(cause.invalid(`${path}.deprecationWarning`, version['deprecationWarning'], why));
  }
  const schema = at(version, 'schema', 'openAPIV3Schema');
  if (!isRec(schema)) {
    causes.push(cause.required(`${path}.schema.openAPIV3Schema`, 'schemas are required'));
  }
  return causes;
}

/** The causes in a version's schema. Its validation rules are checked only if the schema itself is valid. */
function wholeSchema(version: Rec, path: string): readonly Cause[] {
  const schema = at(version, 'schema', 'openAPIV3Schema');
  if (!isRec(schema)) return [];
  const schemaPath = `${path}.openAPIV3Schema`;
  const causes = schemaCauses(schema, schemaPath, 'root');
  return causes.length > 0 ? causes : ruleSyntaxCauses(schema, schemaPath);
}

const selectors = 8;

/** Selectable fields: each refers to a scalar field of the schema. */
function selectable(version: Rec, path: string): Cause[] {
  const schema = at(version, 'schema', 'openAPIV3Schema');
  const fields = recs(version['selectableFields']);
  const seen = new Set<string>();
  const causes = fields.flatMap(({ jsonPath }, index) => {
    const given = str(jsonPath);
    const field = `${path}.selectableFields[${index}].jsonPath`;
    if (given === '') return [cause.required(field)];
    const [first, ...steps] = given.split('.');
    const found = steps.reduce<unknown>((inner, step) => at(inner, 'properties', step), schema);
    if (first !== '' || !isRec(found)) {
      return [cause.invalid(field, given, 'is an invalid path: does not refer to a valid field')];
    }
    if (steps[0] === 'metadata') return [cause.invalid(field, given, 'must not point to fields in metadata')];
    if (!['string', 'boolean', 'integer'].includes(str(found['type']))) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      return [cause.invalid(field, given, why)];
    }
    const isDuplicate = seen.has(given);
    seen.add(given);
    return isDuplicate ? [cause.duplicate(field, given)] : [];
  });
  if (fields.length > selectors) {
    causes.push(cause.tooMany(`${path}.selectableFields`, fields.length, selectors));
  }
  return causes;
}

const approval = 'api-approved.kubernetes.io';

/** Requires an approval annotation on definitions in Kubernetes' own groups. */
function approvalCauses({ metadata, spec }: Obj): Cause[] {
  const group = str(at(spec, 'group'));
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return [];
  const given = metadata.annotations?.[approval] ?? '';
  const field = `metadata.annotations[${approval}]`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  const must = `protected groups must have approval annotation "${approval}"`;
  if (given === '') return [cause.required(field, `${must}, ${see}`)];
  if (given.startsWith('unapproved') || URL.canParse(given)) return [];
  return [
    cause.invalid(field, given, `${must} with either a URL or a reason starting with "unapproved", ${see}`),
  ];
}

/**
 * The causes in the parts that versions define separately. Parts that are equal in all versions are reported
 * once, under the top level of the spec.
 */
function partCauses(versions: readonly Rec[]): Cause[] {
  const [first] = versions;
  if (first === undefined) return [];
  const part = (
    field: 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields',
    together: string,
    check: (version: Rec, path: string) => readonly Cause[],
    ownPath: (path: string) => string,
  ): readonly Cause[] =>
    versions.every((version) => same(version[field], first[field]))
      ? check(first, together)
      : versions.flatMap((version, index) => check(version, ownPath(`spec.versions[${index}]`)));
  return [
    ...part('schema', 'spec.validation', wholeSchema, (path) => `${path}.schema`),
    ...part('subresources', 'spec', scale, (path) => path),
    ...part('additionalPrinterColumns', 'spec', columns, (path) => path),
    ...part('selectableFields', 'spec', selectable, (path) => path),
  ];
}

function names(spec: Rec): Cause[] {
  const given = rec(spec['names']);
  const path = 'spec.names';
  const causes: Cause[] = [];
  for (const field of ['plural', 'singular', 'kind', 'listKind']) {
    if (str(given[field]) === '') causes.push(cause.required(`${path}.${field}`));
  }
  const lower = (field: string, value: string) => {
    const problem = value === '' ? undefined : dns1035Problem(value);
    if (problem !== undefined) causes.push(cause.invalid(field, value, problem));
  };
  const mixedCase = (field: string, value: string) => {
    const problem = value === '' ? undefined : dns1035Problem(value.toLowerCase());
    if (problem === undefined) return;
    causes.push(cause.invalid(field, value, `may have mixed case, but should otherwise match: ${problem}`));
  };
  lower(`${path}.plural`, str(given['plural']));
  lower(`${path}.singular`, str(given['singular']));
  mixedCase(`${path}.kind`, str(given['kind']));
  mixedCase(`${path}.listKind`, str(given['listKind']));
  for (const list of ['shortNames', 'categories']) {
    const values = given[list];
    for (const [index, value] of (Array.isArray(values) ? values : []).entries()) {
      lower(`${path}.${list}[${index}]`, str(value));
    }
  }
  if (str(given['kind']) !== '' && given['kind'] === given['listKind']) {
    causes.push(
      cause.invalid(`${path}.listKind`, given['listKind'], 'kind and listKind may not be the same'),
    );
  }
  return causes;
}

function conversion(spec: Rec): Cause[] {
  const strategy = str(at(spec, 'conversion', 'strategy'));
  const path = 'spec.conversion';
  if (strategy === '') return [cause.required(`${path}.strategy`)];
  if (strategy !== 'None' && strategy !== 'Webhook') {
    return [cause.notSupported(`${path}.strategy`, strategy, ['None', 'Webhook'])];
  }
  const webhook = at(spec, 'conversion', 'webhook');
  if (strategy === 'None') {
    return webhook === undefined
      ? []
      : [
          cause.forbidden(
            `${path}.webhookClientConfig`,
            'should not be set when strategy is not set to Webhook',
          ),
        ];
  }
  return at(webhook, 'clientConfig') === undefined
    ? [cause.required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook')]
    : [];
}

function immutableCauses(definition: Obj, before: Obj): Cause[] {
  const established = recs(at(before, 'status', 'conditions')).some(
    (condition) => condition['type'] === 'Established' && condition['status'] === 'True',
  );
  const fixed = established ? ['group', 'scope', 'names.kind', 'names.plural'] : ['group'];
  return fixed.flatMap((field) => {
    const path = ['spec', ...field.split('.')];
    const value = at(definition, ...path);
    return same(value, at(before, ...path))
      ? []
      : [cause.invalid(path.join('.'), value, 'field is immutable')];
  });
}

function storedVersions(definition: Obj, before: Obj): Cause[] {
  const stored = at(before, 'status', 'storedVersions');
  const versionNames = recs(at(definition, 'spec', 'versions')).map((version) => version['name']);
  return (Array.isArray(stored) ? stored : []).flatMap((name: unknown, index) =>
    versionNames.includes(name)
      ? []
      : [
          cause.invalid(
            `status.storedVersions[${index}]`,
            name,
            'missing from spec.versions; ' +
              `${str(name)} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${str(name)} and removes ${str(name)} from status.storedVersions`,
          ),
        ],
  );
}

/** The causes for which a new or changed definition is refused. */
export function definitionCauses(definition: Obj, before: Obj | undefined): Cause[] {
  const spec = rec(definition['spec']);
  const causes: Cause[] = [];
  const group = str(spec['group']);
  const plural = str(at(spec, 'names', 'plural'));
  const name = definition.metadata.name ?? '';
  if (name !== `${plural}.${group}`) {
    causes.push(cause.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  const problem = group === '' ? undefined : subdomainProblem(group);
  if (group === '') causes.push(cause.required('spec.group'));
  else if (problem !== undefined) causes.push(cause.invalid('spec.group', group, problem));
  else if (!group.includes('.')) {
    causes.push(cause.invalid('spec.group', group, 'should be a domain with at least one dot'));
  }
  const scope = str(spec['scope']);
  if (scope === '') causes.push(cause.required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') {
    causes.push(cause.notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  }
  const versions = recs(spec['versions']);
  for (const [index, version] of versions.entries()) {
    causes.push(...versionCauses(version, `spec.versions[${index}]`));
  }
  if (new Set(versions.map((version) => version['name'])).size < versions.length) {
    causes.push(cause.invalid('spec.versions', versions, 'must contain unique version names'));
  }
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    const why = 'must have exactly one version marked as storage version';
    causes.push(cause.invalid('spec.versions', versions, why));
  }
  if (spec['preserveUnknownFields'] === true) {
    const why =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    causes.push(cause.invalid('spec.preserveUnknownFields', true, why));
  }
  causes.push(...names(spec), ...conversion(spec));
  causes.push(...partCauses(versions));
  // Only new definitions need the annotation, which older ones may lack.
  if (before === undefined) causes.push(...approvalCauses(definition));
  if (before === undefined) return causes;
  return [...causes, ...immutableCauses(definition, before), ...storedVersions(definition, before)];
}
