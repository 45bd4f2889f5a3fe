import type { PlacedNeed } from '../access/held.ts';
import { actorOf } from '../access/person.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { JobRow } from '../store/schema/jobs.ts';
import type { Database } from '../store/store.ts';
import type { JobAgain } from './job.ts';
import { countSteps, finishJob, type JobStarter, settleSteps } from './job-end.ts';
import type { JobStart } from './job-execution.ts';

/** By what another server goes on with a job. It is stored in the clear and has no secrets. */
export interface Resumption extends JobAgain, JobStarter {
  /** What whoever began it has to hold, by the version that began it. */
  readonly needs: readonly PlacedNeed[];
  readonly afterCancel: string;
  /** The cluster as it was when the job began. */
  readonly cluster: Pick<ClusterRow, 'name' | 'isImpersonating'>;
  /** The API token by which it was begun. */
  readonly tokenId: number | null;
}

/** Who began a job, for the row of the audit that says how it ended. */
export const starterOf = ({ person, address, requestId }: JobStart): JobStarter => ({
  actor: actorOf(person),
  address,
  requestId,
});

/** What is stored of a job so that another server can go on with it; null for one that must not be begun twice. */
export function resumptionOf(start: JobStart): Resumption | null {
  const { prepared, person, cluster } = start;
  const { again, needs, afterCancel } = prepared;
  if (again === undefined) return null;
  return {
    ...again,
    needs,
    afterCancel,
    cluster: { name: cluster.name, isImpersonating: cluster.isImpersonating },
    tokenId: person.token?.id ?? null,
    ...starterOf(start),
  };
}

/** A job that cannot go on. */
export interface EndedResumption {
  readonly type: 'ends';
  readonly status: 'cancelled' | 'failed';
  /** Why, a sentence; undefined where somebody cancelled it. */
  readonly because: string | undefined;
}

/** A job of a server that ended: it goes on here, or ends, or its cluster does not answer now. */
export type Resumed =
  | { readonly type: 'goes on'; readonly start: JobStart }
  | { readonly type: 'later' }
  | EndedResumption;

/** Prepares a job again, by what whoever began it may do at this moment. */
export type ResumeJob = (row: JobRow) => Promise<Resumed>;

/** Stores and audits how a job ended that could not go on. Throws errors of the database. */
export async function endResumption(
  db: Database,
  row: JobRow,
  { status, because }: Pick<EndedResumption, 'status' | 'because'>,
): Promise<void> {
  const resumption = row.resumption as Resumption;
  const steps = settleSteps(row.steps as Parameters<typeof settleSteps>[0]);
  const how = because === undefined ? 'Cancelled' : 'Stopped';
  const message = [`${how} after ${countSteps(steps)}.`, because, resumption.afterCancel].filter(
    (part) => part !== undefined,
  );
  await finishJob(db, row, { status, steps, message: message.join(' ') });
}
