import { actionById } from '../../../commands/kinds/index.ts';
import type { Ref } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { argsSchema } from '../../registry/kinds/action-args.ts';
import type { Grants } from '../access/grants.ts';
import { findMember } from '../access/people.ts';
import type { Member } from '../access/person.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import type { JobStart } from '../jobs/job-execution.ts';
import { whyStop } from '../jobs/job-rights.ts';
import type { EndedResumption, Resumption, ResumeJob } from '../jobs/resumption.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { addressOf, nameOf } from '../objects/address.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import { readObject } from '../objects/read-object.ts';
import type { JobRow } from '../store/schema/jobs.ts';
import type { Database } from '../store/store.ts';
import { jobDefinitions } from './job-definitions.ts';
import { requireWritable } from './protection.ts';

interface ResumeParts {
  readonly db: Database;
  readonly clusters: Pick<ClusterDirectory, 'acting'>;
  readonly grants: Grants;
  readonly kinds: KindCatalogue;
  readonly clock?: Clock;
}

const ends = (status: EndedResumption['status'], because: string | undefined): EndedResumption => ({
  type: 'ends',
  status,
  because,
});

/**
 * Prepares jobs that servers left when they ended: as the person who began each, by what they may do now, and for the
 * object that it was begun for.
 */
export function createResumeJob(parts: ResumeParts): ResumeJob {
  const { db, grants, clock = systemClock } = parts;
  return async (row) => {
    const resumption = row.resumption as Resumption;
    const { tokenId, cluster, needs, until } = resumption;
    const person =
      row.userId === null
        ? undefined
        : await findMember(db, { userId: row.userId, companyId: row.companyId, tokenId });
    if (person === undefined)
      return ends(
        'cancelled',
        `${row.actor}, who began it, ${tokenId === null ? 'no longer belongs to the organisation' : 'did so by an API token that is no longer valid'}.`,
      );
    const because = await whyStop(grants, {
      cluster: { id: row.clusterId, ...cluster },
      person,
      prepared: { needs },
    });
    if (because !== undefined) return ends('cancelled', because);
    if (row.cancelledBy !== null) return ends('cancelled', undefined);
    try {
      return {
        type: 'goes on',
        start: await onBehalfOf(person.id, async () => await prepareAgain(parts, row, person)),
      };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!error.retryable) return ends('failed', error.title);
      if (until !== undefined && clock.now() >= until)
        return ends('failed', `It timed out before a server could continue it. ${error.title}`);
      return { type: 'later' };
    }
  };
}

async function prepareAgain(
  { clusters, grants, kinds, clock = systemClock }: ResumeParts,
  row: JobRow,
  person: Member,
): Promise<JobStart> {
  const { args: given, uid, cluster: then, address, requestId } = row.resumption as Resumption;
  const action = actionById(row.action);
  if (action === undefined || !('job' in action))
    throw new Problem({ status: 409, title: 'This version of the console does not know this job.' });
  const args = argsSchema(action.args).safeParse(given);
  if (!args.success)
    throw new Problem({
      status: 409,
      title: 'This version of the console takes other arguments for this job.',
    });
  const now = await grants.cluster(person, row.clusterId);
  // As it was begun: the console's own credential may be allowed more than the person.
  const cluster = { ...now, isImpersonating: now.isImpersonating || then.isImpersonating };
  const kind = await kinds.find(cluster, row.kind);
  const ref: Ref =
    row.namespace === ''
      ? { kind: row.kind, name: row.name }
      : { kind: row.kind, namespace: row.namespace, name: row.name };
  const transport = await clusters.acting({ person, cluster });
  const object = await readObject(transport, kind, ref);
  if (object.metadata?.uid !== uid)
    throw new Problem({
      status: 409,
      title: `${nameOf(kind, ref)} was replaced by another object with the same name.`,
    });
  const prepared = await jobDefinitions[action.job].prepare({
    cluster,
    transport,
    kind,
    object,
    ref,
    address: addressOf(kind, ref),
    args: args.data,
    kinds,
    clock,
    begunAt: Date.parse(row.startedAt),
    require: async (need, place) => requireWritable(await grants.require(person, row.clusterId, need, place)),
  });
  return {
    cluster,
    person,
    action: action.id,
    ref,
    address,
    requestId,
    prepared: { ...prepared, run: (handle) => onBehalfOf(person.id, () => prepared.run(handle)) },
  };
}
