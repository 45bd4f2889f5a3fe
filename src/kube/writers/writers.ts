import { ownersOfPaths } from '../field-owners.ts';
import type { JsonPath } from '../json-diff.ts';
import type { KubeObject } from '../object.ts';
import { autoscalerWriters } from './autoscalers.ts';
import { clusterWriters, operatorWriters, ownerWriters } from './controllers.ts';
import { argoWriters, fluxWriters } from './gitops.ts';
import { certManagerWriters, crossplaneWriters, helmWriters, olmWriters } from './packages.ts';
import { type Around, isAtField, type Writer } from './writer.ts';

/**
 * The tools and controllers that will write an object next, by its own metadata and what is known around it. The one that
 * has the whole object comes first. Nothing is said where its marks were copied from another object.
 */
export function writersOf(object: KubeObject, around: Around): readonly Writer[] {
  const sources = [
    ...argoWriters(object, around),
    ...fluxWriters(object, around),
    ...olmWriters(object),
    ...crossplaneWriters(object, around),
    ...certManagerWriters(object, around),
  ];
  const owners = ownerWriters(object, around).filter(
    ({ by }) => !sources.some((one) => one.by?.kind === by?.kind && one.by?.name === by?.name),
  );
  const named = [...sources, ...owners, ...helmWriters(object), ...clusterWriters(object)];
  return [
    ...named,
    ...(named.length === 0 ? operatorWriters(object) : []),
    ...autoscalerWriters(object, around),
  ];
}

/**
 * Whether a writer writes any of these fields; undefined where that is not known, as the fields are those of a source.
 * A field whose differences it ignores is none of them.
 */
export function writesAny(
  writer: Writer,
  object: KubeObject,
  paths: readonly JsonPath[],
): boolean | undefined {
  const left = paths.filter((path) => writer.ignored?.some((field) => isAtField(path, field)) !== true);
  if (left.length === 0) return false;
  if (writer.fields.length > 0)
    return left.some((path) => writer.fields.some((field) => isAtField(path, field)));
  if (writer.when === 'anew') return true;
  if (writer.managers.length === 0) return undefined;
  return ownersOfPaths(object, left, '').some(({ manager }) => writer.managers.includes(manager));
}
