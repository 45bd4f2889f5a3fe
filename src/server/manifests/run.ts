import type { FieldIssue } from '../../contract/manifests.ts';
import { Problem } from '../../contract/problem.ts';
import { creationNeeds } from '../access/creation.ts';
import type { Member } from '../access/person.ts';
import { type Grants, requireHeld } from '../access/grants.ts';
import { changePlace } from '../access/place.ts';
import { requireWritable } from '../actions/protection.ts';
import type { WrittenMetadata } from '../audit/written.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { describeError } from '../kit/describe-error.ts';
import { nameOf } from '../objects/address.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import { refusedFields } from '../objects/refused-fields.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { type ManifestObject, withoutSecrets } from './objects.ts';
import { type Placed, resolvePlace } from './place.ts';

/** Inputs that creating and applying share: who does it where. */
export interface ManifestRun {
  readonly person: Member;
  readonly cluster: ClusterRow;
  readonly transport: Transport;
  readonly grants: Grants;
  readonly kinds: KindCatalogue;
  readonly log: { error(details: object, message: string): void };
  /** Called with the metadata of each object that was written; not in a dry run. */
  readonly onWritten: (metadata: WrittenMetadata | undefined) => void;
}

/** The report on an object that failed. */
export interface Refused {
  readonly status: number;
  /** A whole sentence, without values of a Secret. */
  readonly message: string;
  /** The cluster's own failure, if it was one; never shown as it is. */
  readonly problem: Problem | undefined;
  /** Fields that the cluster refused, where it named them. */
  readonly fields: readonly FieldIssue[];
}

/**
 * Where an object goes, once the person was found to be allowed to change objects of its kind there, by current grants:
 * many objects on a slow cluster take minutes. Throws Problem.
 */
export async function permitted(run: ManifestRun, object: ManifestObject): Promise<Placed> {
  if (object.refusal !== undefined) throw new Problem({ status: 400, title: object.refusal });
  const placed = await resolvePlace(run, object);
  requireWritable(await requireCreation(run, placed));
  return placed;
}

/**
 * Throws Problem 403 unless the person may create objects of this kind there: what every creation needs, and what the
 * kind does, both in the namespace that it goes to.
 */
export async function requireCreation(
  { grants, person, cluster }: Pick<ManifestRun, 'grants' | 'person' | 'cluster'>,
  { kind, namespace }: Placed,
): Promise<ClusterRow> {
  const place = changePlace(kind, { namespace });
  const reach = await grants.access(person, cluster.id);
  for (const need of creationNeeds(kind)) requireHeld(reach, need, place);
  return reach.cluster;
}

/** A failure as people see it. Messages that were not written for people are left out. */
export function refusedBy(run: ManifestRun, error: unknown, object: ManifestObject): Refused {
  if (!(error instanceof Problem)) {
    run.log.error({ err: describeError(error), kind: object.kind }, 'An object could not be sent');
    return {
      status: 500,
      message: 'Something went wrong on the server. Try again.',
      problem: undefined,
      fields: [],
    };
  }
  const fields = refusedFields(error, (message) => withoutSecrets(message, object)).map((issue) => ({
    ...issue,
    path: object.within === '' ? issue.path : `${object.within}.${issue.path}`,
  }));
  return { status: error.status, message: withoutSecrets(error.title, object), problem: error, fields };
}

/** Whether the next object would fail in the same way: the cluster itself does not answer. */
export function isAway(error: unknown): boolean {
  return error instanceof ClusterProblem && error.upstream.status === undefined;
}

/** An object in a sentence. */
export function called(object: ManifestObject, placed: Placed | undefined, name = object.name): string {
  const shown = name ?? `${object.generateName ?? ''}*`;
  if (placed === undefined) return shown === '*' ? 'The object' : `${object.kind || 'Object'} ${shown}`;
  return nameOf(placed.kind, { namespace: placed.namespace, name: shown });
}
