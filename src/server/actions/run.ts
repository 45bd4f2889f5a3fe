import { kindOfObject } from '../../../commands/kinds/index.ts';
import { type JobPlan, type Outcome, type Ref, refSchema } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { type KubeChange, objectPath } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import { type ArgChanges, argChanges, changeText } from '../../registry/kinds/change-text.ts';
import type { Joined, KindAction, ProcedureName } from '../../registry/kinds/kind-action.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { WrittenMetadata } from '../audit/written.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { describeError } from '../kit/describe-error.ts';
import { addressOf, nameOf } from '../objects/address.ts';
import { presentObject } from '../objects/present.ts';
import { isPlain, objectIn, shaped } from '../objects/read.ts';
import { readObject } from '../objects/read-object.ts';
import { sendChange } from '../objects/send.ts';
import { evict, explainEviction } from './evict.ts';
import { jobDefinitions } from './job-definitions.ts';
import type { JobContext, PreparedJob } from '../jobs/job.ts';
import { pendingDeletion } from './pending-deletion.ts';
import type { Procedure } from './procedure.ts';
import { makeDefault } from './default-class.ts';
import { otherRevisions } from './revisions.ts';
import { rollback } from './rollback.ts';
import { type ReportBudget, withinReport } from './report-budget.ts';

const procedures: Readonly<Record<ProcedureName, Procedure>> = {
  evict,
  rollback,
  'default-class': makeDefault,
};

/** One run of an action on any number of objects. The caller has authorised the person for every object. */
export interface ActionRun {
  /**
   * Throws Problem when the person may not (any more), or the cluster became read-only. Asked before each object: many
   * objects of a slow cluster take minutes.
   */
  readonly permit: (kind: AnyKind, ref: Ref) => Promise<void>;
  readonly transport: Transport;
  readonly action: KindAction;
  /** Validated already. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  /** Wall clock in ms. */
  readonly now: number;
  /** Limits the size of its report on objects and requests. */
  readonly report: ReportBudget;
  readonly log: { error(details: object, message: string): void };
  /** Called with the values that it changed on an object, before and after; not in a dry run. */
  readonly onChange: (ref: Ref, changes: ArgChanges) => void;
  /** Called with the metadata of each object that it wrote; not in a dry run. */
  readonly onWritten: (metadata: WrittenMetadata | undefined) => void;
  /** Starts the jobs of actions that begin one. */
  readonly jobs: ActionJobs;
}

/** How an action begins a job, or learns what it would do. */
export interface ActionJobs {
  readonly context: (
    part: Pick<JobContext, 'kind' | 'object' | 'ref' | 'address' | 'args' | 'transport'>,
  ) => JobContext;
  /** Answers the job's id. Throws Problem. */
  readonly start: (ref: Ref, prepared: PreparedJob) => Promise<number>;
}

/** Does an action on one object. Never throws: a failure is an outcome. */
export async function runOnObject(run: ActionRun, kind: AnyKind, ref: Ref): Promise<Outcome> {
  return withinReport(run.report, await outcomeOf(run, kind, ref));
}

async function outcomeOf(run: ActionRun, kind: AnyKind, ref: Ref): Promise<Outcome> {
  const { action, dryRun } = run;
  const requests: KubeChange[] = [];
  const name = nameOf(kind, ref);
  try {
    const { before, after, created, pending, job, plan } = await perform(run, kind, ref, requests);
    if (job !== undefined || plan !== undefined) {
      const message =
        job === undefined
          ? (plan?.blocked ?? 'This is what would be done. Nothing was changed.')
          : `${action.title.replace(/…$/, '')} of ${name} has begun.`;
      const more = { ...(job === undefined ? {} : { job }), ...(plan === undefined ? {} : { plan }) };
      return { ref, ok: true, status: 200, message, requests, ...more };
    }
    const change = shaped(name, () => changeText(action.args, run.args, kind.facts?.(before) ?? {}));
    if (!dryRun)
      run.onChange(
        ref,
        shaped(name, () => argChanges(action.args, run.args, kind.facts?.(before) ?? {})),
      );
    return {
      ref,
      ok: true,
      status: 200,
      ...(change === undefined ? {} : { change }),
      message: dryRun
        ? `${name} would be ${action.done}. Nothing was changed.`
        : pending !== undefined
          ? `${name} is being ${action.done}. ${pending}`
          : `${name} was ${action.done}.${created === undefined ? '' : ` ${created.name} was created.`}`,
      requests,
      ...(created === undefined ? {} : { created: created.ref }),
      ...(pending === undefined ? {} : { isPending: true as const }),
      ...(dryRun ? { before: presentObject(kind, before) } : {}),
      ...(dryRun && after !== undefined ? { after: presentObject(kind, after) } : {}),
    };
  } catch (error) {
    const problem = problemOf(explain(run, error, name));
    if (problem === undefined) {
      run.log.error({ err: describeError(error), action: action.id, kind: kind.id }, 'An action failed');
    }
    return {
      ref,
      ok: false,
      status: problem?.status ?? 500,
      message: problem?.title ?? `${name}: something went wrong on the server. Try again.`,
      requests,
    };
  }
}

const problemOf = (error: unknown) => (error instanceof Problem ? error : undefined);

const explain = ({ action }: ActionRun, error: unknown, name: string) =>
  'procedure' in action && action.procedure === 'evict' ? explainEviction(error, name) : error;

/** How often an action is tried whose object changed under it. */
const tries = 4;

/** An object that an action made, and what it is called in a sentence. */
interface Created {
  readonly ref: Ref;
  readonly name: string;
}

interface Performed {
  readonly before: KubeObject;
  readonly after: KubeObject | undefined;
  readonly created?: Created | undefined;
  /** The reason why the object is still there after its deletion, one sentence. */
  readonly pending?: string | undefined;
  readonly job?: number;
  readonly plan?: JobPlan;
}

/**
 * Controllers write their status into the objects, which makes a new version: a conflict is retried if the generation
 * shows that nobody changed the spec meanwhile.
 */
async function perform(run: ActionRun, kind: AnyKind, ref: Ref, requests: KubeChange[]): Promise<Performed> {
  await run.permit(kind, ref);
  const read = async () => await readObject(run.transport, kind, ref);
  let object = await read();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await performOn(run, kind, ref, object, requests);
    } catch (error) {
      if (attempt === tries || requests.length > 1 || !isConflict(error)) throw error;
      const now = await read();
      const isSame =
        now.metadata?.uid === object.metadata?.uid &&
        now.metadata?.generation !== undefined &&
        now.metadata.generation === object.metadata?.generation;
      if (!isSame) throw error;
      object = now;
      requests.length = 0;
    }
  }
}

const isConflict = (error: unknown) =>
  error instanceof ClusterProblem && error.upstream.status === 409 && error.upstream.reason === 'Conflict';

async function performOn(
  run: ActionRun,
  kind: AnyKind,
  ref: Ref,
  object: KubeObject,
  requests: KubeChange[],
): Promise<Performed> {
  const { transport, action, args } = run;
  const address = addressOf(kind, ref);
  const reason = await refusalOf(run, kind, object);
  if (reason !== undefined) throw new Problem({ status: 409, title: reason });
  if ('job' in action) {
    const definition = jobDefinitions[action.job];
    const context = run.jobs.context({ kind, object, ref, address, args, transport });
    if (run.dryRun) return { before: object, after: undefined, plan: await definition.plan(context) };
    const job = await run.jobs.start(ref, await definition.prepare(context));
    return { before: object, after: undefined, job };
  }
  const changes =
    'procedure' in action
      ? await procedures[action.procedure]({ transport, kind, object, address, args })
      : shaped(nameOf(kind, ref), () =>
          action.requests(object, args as never, { now: secondsOf(run.now), address }),
        );
  let answer: unknown;
  let created: Created | undefined;
  const own = objectPath(address);
  const isOwn = (path: string) => path === own || path.startsWith(`${own}/`);
  for (const change of changes) {
    requests.push(change);
    const answered = await sendChange(transport, change, run.dryRun);
    // Requests on other objects say nothing of this one.
    if (isOwn(change.path)) answer = answered;
    else if (action.creates === true && change.method === 'POST' && !run.dryRun)
      created = createdIn(answered);
  }
  // The answer to a deletion may be a status, without a version.
  if (!run.dryRun && isPlain(answer)) run.onWritten({ ...ref, ...objectIn(answer).metadata });
  const isGone = 'procedure' in action ? action.procedure === 'evict' : changes.at(-1)?.method === 'DELETE';
  const pending = action.deletes === true && !run.dryRun ? pendingDeletion(answer) : undefined;
  return { before: object, after: isGone ? undefined : resultOf(kind, object, answer), created, pending };
}

/** The object that a cluster answers to its creation; undefined for one that this console has no kind for. */
function createdIn(answer: unknown): Created | undefined {
  if (!isPlain(answer)) return undefined;
  const { apiVersion = '', kind: word = '', metadata } = objectIn(answer);
  const kind = kindOfObject(apiVersion, word);
  const ref = refSchema.safeParse({
    kind: kind?.id,
    ...(metadata?.namespace === undefined ? {} : { namespace: metadata.namespace }),
    name: metadata?.name,
  });
  return kind === undefined || !ref.success
    ? undefined
    : { ref: ref.data, name: cleanText(nameOf(kind, ref.data)) };
}

/** Why an action cannot be done on an object now, a whole sentence; undefined when it can. */
export async function refusalOf(
  { action, transport }: Pick<ActionRun, 'action' | 'transport'>,
  kind: AnyKind,
  object: KubeObject,
): Promise<string | undefined> {
  if (action.applies === undefined && action.enabled === undefined) return undefined;
  const revisions =
    action.countsRevisions === true ? await otherRevisions(transport, kind, object) : undefined;
  return refusalWith(action, kind, object, revisions === undefined ? {} : { revisions });
}

/** As `refusalOf`, for somebody who has what is joined to the object. */
export function refusalWith(
  action: KindAction,
  kind: AnyKind,
  object: KubeObject,
  joined: Joined,
): string | undefined {
  if (action.applies === undefined && action.enabled === undefined) return undefined;
  const name = nameOf(kind, { namespace: object.metadata?.namespace, name: object.metadata?.name ?? '' });
  return shaped(name, () => {
    const target = { facts: kind.facts?.(object) ?? {}, joined };
    if (action.applies?.(target) === false) return `${name} was ${action.done} already, or cannot be.`;
    const enabled = action.enabled?.(target) ?? true;
    return enabled === true ? undefined : enabled;
  });
}

/** RFC 3339 to the second, as Kubernetes writes times. */
const secondsOf = (now: number) => `${new Date(now).toISOString().slice(0, 19)}Z`;

/** The object after the last change: the answer itself, or what an answered Scale says of it. */
function resultOf(kind: AnyKind, before: KubeObject, answer: unknown): KubeObject | undefined {
  if (!isPlain(answer)) return undefined;
  const after: KubeObject & { spec?: { replicas?: number } } = objectIn(answer);
  if (after.kind === kind.kind) return after;
  if (after.kind !== 'Scale') return undefined;
  const { spec } = before as { spec?: object };
  return { ...before, spec: { ...spec, replicas: after.spec?.replicas ?? 0 } } as KubeObject;
}
