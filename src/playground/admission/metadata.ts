import type { Resource } from '../registry/registry.ts';
import { type Cause, cause } from '../kit/status.ts';
import type { Obj } from '../kit/values.ts';
import {
  annotationCauses,
  dns1035Problem,
  keyProblem,
  labelCauses,
  labelProblem,
  pathProblem,
  subdomainProblem,
} from '../kit/names.ts';

type Problem = (name: string) => string | undefined;

/** Name rules of the resources whose names are not DNS subdomains. */
const nameRules: Readonly<Record<string, Problem>> = {
  '/services': dns1035Problem,
  '/namespaces': labelProblem,
  'apps/statefulsets': labelProblem,
  'rbac.authorization.k8s.io/roles': pathProblem,
  'rbac.authorization.k8s.io/rolebindings': pathProblem,
  'rbac.authorization.k8s.io/clusterroles': pathProblem,
  'rbac.authorization.k8s.io/clusterrolebindings': pathProblem,
  'certificates.k8s.io/certificatesigningrequests': pathProblem,
  'apiregistration.k8s.io/apiservices': pathProblem,
};

/** The causes for which an object's `name` or `generateName` is refused. */
export function nameCauses({ storage }: Resource, { metadata }: Obj): Cause[] {
  const problem = nameRules[storage] ?? subdomainProblem;
  const causes: Cause[] = [];
  const { name = '', generateName = '' } = metadata;
  // A suffix follows the prefix, so a trailing dash is valid.
  const prefixProblem = generateName === '' ? undefined : problem(`${generateName.replace(/-+$/, '')}a`);
  if (prefixProblem !== undefined)
    causes.push(cause.invalid('metadata.generateName', generateName, prefixProblem));
  const nameProblem = problem(name);
  if (nameProblem !== undefined) causes.push(cause.invalid('metadata.name', name, nameProblem));
  return causes;
}

const standard = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
const maxAnnotationBytes = 256 * 1024;

const ownerReferencesPath = 'metadata.ownerReferences';

function owners({ ownerReferences: references = [] }: Obj['metadata']): Cause[] {
  const causes: Cause[] = [];
  let controller: string | undefined;
  for (const reference of references) {
    const { apiVersion, kind } = reference;
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    if (version === '')
      causes.push(
        cause.invalid(`${ownerReferencesPath}.apiVersion`, apiVersion, 'version must not be empty'),
      );
    for (const field of ['kind', 'name', 'uid'] as const) {
      if ((reference[field] ?? '') === '')
        causes.push(cause.invalid(`${ownerReferencesPath}.${field}`, '', 'must not be empty'));
    }
    if (kind === 'Event' && apiVersion === 'v1') {
      causes.push(
        cause.invalid(ownerReferencesPath, reference, '/v1, Kind=Event is disallowed from being an owner'),
      );
    }
    if (reference.controller !== true) continue;
    const name = `${kind}/${reference.name}`;
    if (controller !== undefined) {
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      causes.push(cause.invalid(ownerReferencesPath, references, why));
    }
    controller ??= name;
  }
  return causes;
}

/** The cause for which new finalizers on an object that is being deleted are refused. */
function lateFinalizers({ metadata }: Obj, before: Obj): Cause[] {
  if (before.metadata.deletionTimestamp === undefined) return [];
  const old = before.metadata.finalizers ?? [];
  const extra = (metadata.finalizers ?? []).filter((one) => !old.includes(one)).sort();
  if (extra.length === 0) return [];
  const found = `[]string{${extra.map((one) => JSON.stringify(one)).join(', ')}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`;
  return [cause.forbidden('metadata.finalizers', why)];
}

/** The causes for which labels, annotations and owners are refused. */
function markCauses({ metadata }: Obj): Cause[] {
  const causes = [
    ...labelCauses('metadata.labels', metadata.labels ?? {}),
    ...annotationCauses('metadata.annotations', metadata.annotations ?? {}),
  ];
  const size = Object.entries(metadata.annotations ?? {}).reduce(
    (sum, [key, value]) => sum + key.length + value.length,
    0,
  );
  if (size > maxAnnotationBytes) causes.push(cause.tooLong('metadata.annotations', maxAnnotationBytes));
  return [...causes, ...owners(metadata)];
}

const exclusive = ['foregroundDeletion', 'orphan'];

/** The causes for which labels, annotations, owners and finalizers are refused. */
function wholeCauses(object: Obj): Cause[] {
  const causes = markCauses(object);
  const finalizers = object.metadata.finalizers ?? [];
  for (const finalizer of finalizers) {
    const problem = keyProblem(finalizer);
    if (problem !== undefined) causes.push(cause.invalid('metadata.finalizers', finalizer, problem));
  }
  if (exclusive.every((one) => finalizers.includes(one))) {
    const why = `finalizer ${exclusive.join(' and ')} cannot be both set`;
    causes.push(cause.invalid('metadata.finalizers', finalizers, why));
  }
  return causes;
}

/** The causes for which the finalizers of a built-in kind are refused: each is standard or qualified. */
function kubeFinalizers({ custom }: Resource, { metadata }: Obj): Cause[] {
  if (custom !== undefined) return [];
  return (metadata.finalizers ?? []).flatMap((finalizer, index) => {
    if (keyProblem(finalizer) !== undefined || finalizer.includes('/') || standard.has(finalizer)) return [];
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    return [cause.invalid(`metadata.finalizers[${index}]`, finalizer, why)];
  });
}

/** The causes for which the metadata of a new object, or of a changed status, is refused. */
export function metadataCauses(resource: Resource, object: Obj): Cause[] {
  return [...wholeCauses(object), ...kubeFinalizers(resource, object)];
}

/** Resources that deviate in how often the server repeats the metadata checks of an update. */
const repeatedChecks: Readonly<
  Record<string, { readonly repeatsWhole: boolean; readonly repeatsMarks: boolean }>
> = {
  '/limitranges': { repeatsWhole: true, repeatsMarks: false },
  '/persistentvolumes': { repeatsWhole: true, repeatsMarks: false },
  '/resourcequotas': { repeatsWhole: false, repeatsMarks: true },
  'apps/deployments': { repeatsWhole: false, repeatsMarks: true },
  'autoscaling/horizontalpodautoscalers': { repeatsWhole: false, repeatsMarks: true },
  'batch/cronjobs': { repeatsWhole: false, repeatsMarks: true },
  'coordination.k8s.io/leases': { repeatsWhole: false, repeatsMarks: true },
  'discovery.k8s.io/endpointslices': { repeatsWhole: true, repeatsMarks: false },
  'networking.k8s.io/ingresses': { repeatsWhole: false, repeatsMarks: true },
  'policy/poddisruptionbudgets': { repeatsWhole: false, repeatsMarks: false },
};

/**
 * The causes for which the metadata of a changed object is refused. The server runs some checks several times:
 * the Status message names each cause once, its details repeat them.
 */
export function changedMetadataCauses(resource: Resource, object: Obj, before: Obj): Cause[] {
  const finalizerCauses = lateFinalizers(object, before);
  const update = [...finalizerCauses, ...markCauses(object)];
  const { repeatsWhole, repeatsMarks } = repeatedChecks[resource.storage] ?? {
    repeatsWhole: true,
    repeatsMarks: true,
  };
  return [
    ...wholeCauses(object),
    ...update,
    ...(repeatsMarks ? update : []),
    ...(repeatsWhole ? metadataCauses(resource, object) : []),
  ];
}
