import type { Resource } from '../registry.ts';
import { type Cause, cause } from '../status.ts';
import type { Obj } from '../values.ts';
import {
  annotationCauses,
  dns1035Problem,
  keyProblem,
  labelCauses,
  labelProblem,
  pathProblem,
  subdomainProblem,
} from './names.ts';

type Problem = (name: string) => string | undefined;

/** How the objects of a resource may be called, where it is not as a DNS subdomain. */
const special: Readonly<Record<string, Problem>> = {
  '/services': dns1035Problem,
  '/namespaces': labelProblem,
  'rbac.authorization.k8s.io/roles': pathProblem,
  'rbac.authorization.k8s.io/rolebindings': pathProblem,
  'rbac.authorization.k8s.io/clusterroles': pathProblem,
  'rbac.authorization.k8s.io/clusterrolebindings': pathProblem,
  'certificates.k8s.io/certificatesigningrequests': pathProblem,
  'apiregistration.k8s.io/apiservices': pathProblem,
};

/** The causes for which an object's name, and what it was made of, are refused. */
export function nameCauses({ storage }: Resource, { metadata }: Obj): Cause[] {
  const problem = special[storage] ?? subdomainProblem;
  const causes: Cause[] = [];
  const { name = '', generateName = '' } = metadata;
  // A name is put behind it: a dash at its end is no mistake.
  const made = generateName === '' ? undefined : problem(`${generateName.replace(/-+$/, '')}a`);
  if (made !== undefined) causes.push(cause.invalid('metadata.generateName', generateName, made));
  const named = problem(name);
  if (named !== undefined) causes.push(cause.invalid('metadata.name', name, named));
  return causes;
}

const standard = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
const largest = 256 * 1024;

function owners(metadata: Obj['metadata']): Cause[] {
  const references = metadata.ownerReferences ?? [];
  const causes: Cause[] = [];
  for (const [index, reference] of references.entries()) {
    const path = `metadata.ownerReferences[${index}]`;
    const version = reference.apiVersion.slice(reference.apiVersion.indexOf('/') + 1);
    if (version === '')
      causes.push(cause.invalid(`${path}.apiVersion`, reference.apiVersion, 'version must not be empty'));
    for (const field of ['kind', 'name', 'uid'] as const) {
      if ((reference[field] ?? '') === '')
        causes.push(cause.invalid(`${path}.${field}`, '', 'must not be empty'));
    }
    if (
      reference.kind === 'Event' &&
      (reference.apiVersion === 'v1' || reference.apiVersion.startsWith('events.k8s.io/'))
    ) {
      causes.push(
        cause.invalid(
          path,
          reference,
          `${reference.apiVersion}, Kind=Event is disallowed from being an owner`,
        ),
      );
    }
  }
  const controllers = references.filter((reference) => reference.controller === true);
  if (controllers.length > 1) {
    const [first, second] = controllers;
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${first?.name} and ${second?.name}`;
    causes.push(cause.invalid('metadata.ownerReferences', references, why));
  }
  return causes;
}

/** What an update may not do to an object that is being deleted: give it more to wait for. */
export function lateFinalizers({ metadata }: Obj, before: Obj): Cause[] {
  if (before.metadata.deletionTimestamp === undefined) return [];
  const old = before.metadata.finalizers ?? [];
  const extra = (metadata.finalizers ?? []).filter((one) => !old.includes(one)).sort();
  if (extra.length === 0) return [];
  const found = `[]string{${extra.map((one) => JSON.stringify(one)).join(', ')}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`;
  return [cause.forbidden('metadata.finalizers', why)];
}

/** The causes for which labels, annotations, owners and finalizers are refused. */
export function metadataCauses({ custom }: Resource, { metadata }: Obj): Cause[] {
  const causes = [
    ...labelCauses('metadata.labels', metadata.labels ?? {}),
    ...annotationCauses('metadata.annotations', metadata.annotations ?? {}),
    ...owners(metadata),
  ];
  const size = Object.entries(metadata.annotations ?? {}).reduce(
    (sum, [key, value]) => sum + key.length + value.length,
    0,
  );
  if (size > largest) causes.push(cause.tooLong('metadata.annotations', largest));
  for (const [index, finalizer] of (metadata.finalizers ?? []).entries()) {
    const problem = keyProblem(finalizer);
    if (problem !== undefined) causes.push(cause.invalid('metadata.finalizers', finalizer, problem));
    else if (custom === undefined && !finalizer.includes('/') && !standard.has(finalizer)) {
      const why = 'name is neither a standard finalizer name nor is it fully qualified';
      causes.push(cause.invalid(`metadata.finalizers[${index}]`, finalizer, why));
    }
  }
  return causes;
}
