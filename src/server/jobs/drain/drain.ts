import type { PlacedNeed } from '../../access/held.ts';
import type { Need } from '../../../contract/permissions.ts';
import { Problem } from '../../../contract/problem.ts';
import { objectPath, patchTypes } from '../../../kube/change.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import { cleanText } from '../../../kube/text.ts';
import { createLimiter } from '../../kit/limiter.ts';
import { ClusterProblem } from '../../clusters/transport.ts';
import { objectIn } from '../../objects/read.ts';
import { sendChange } from '../../objects/send.ts';
import { pause } from '../../kit/pause.ts';
import { outlastStoreAbsence } from '../../store/absence.ts';
import type { JobContext, JobDefinition, JobHandle } from '../job.ts';
import { readBudgets } from './budgets.ts';
import { type DrainChoice, type DrainedPod, drainBlocked, drainPlan, podPath, podsToDrain } from './plan.ts';

/** Pods that are evicted at a time. */
const concurrency = 10;
/** An eviction that a budget refused is tried again after this, growing, ms. */
const firstPause = 1_000;
/** kubectl drain waits 5 s between attempts; the wait is never longer, even if the cluster asks for more. */
const maxPause = 5_000;
/** Whether a pod is gone is asked this often, ms. */
const lookInterval = 1_000;

const choiceOf = ({ args }: Pick<JobContext, 'args'>): DrainChoice => ({
  data: args['data'] === 'evict',
  unmanaged: args['unmanaged'] === 'evict',
});
/** The time limit of the whole drain, ms. */
const limitOf = ({ args }: Pick<JobContext, 'args'>) => Number(args['limit']) * 60_000;
const isCordoned = ({ spec }: Node) => spec?.unschedulable === true;

/** Cordons a node and evicts its pods, as `kubectl drain` does, within disruption budgets. */
export const drain: JobDefinition = {
  async plan(context) {
    const pods = await podsToDrain(context, context.address.name);
    const budgets = await readBudgets(context);
    return drainPlan(pods, choiceOf(context), isCordoned(context.object), budgets);
  },

  async prepare(context) {
    const node = context.address.name;
    const blocked = drainBlocked(await podsToDrain(context, node), choiceOf(context));
    if (blocked !== null) throw new Problem({ status: 409, title: blocked });
    return {
      title: `Drain node ${cleanText(node)}`,
      // The pods of a node are of any namespace: whoever drains holds it on the whole cluster.
      namespaces: null,
      needs: needsOf(context),
      afterCancel: 'The node stays cordoned: uncordon it to allow new pods on it.',
      // Cordoning twice changes nothing, and who is evicted is read anew.
      again: {
        args: context.args,
        uid: context.object.metadata?.uid ?? '',
        until: (context.begunAt ?? context.clock.now()) + limitOf(context),
      },
      run: (handle) => runDrain(context, handle),
    };
  },
};

const needsOf = ({ kind }: JobContext): readonly PlacedNeed[] => [
  { need: kind.permissions.manage, place: 'cluster' },
  { need: 'pods.manage', place: 'cluster' },
];

const cordonStep = 'Cordon the node';

async function runDrain(context: JobContext, handle: JobHandle): Promise<string> {
  const { address, clock } = context;
  const minutes = limitOf(context) / 60_000;
  const left = limitOf(context) - (clock.now() - (context.begunAt ?? clock.now()));
  const stays = 'The node stays cordoned.';
  if (left <= 0) {
    throw new Problem({
      status: 504,
      title: `The ${minutes} minutes ended before a server could continue it. ${stays}`,
    });
  }
  const wasCordoned = handle.doneBefore.includes(cordonStep);
  // Whoever uncordoned it wants pods on it: a server that goes on with the drain must not undo that.
  if (wasCordoned && !isCordoned(context.object)) {
    throw new Problem({
      status: 409,
      title: `${cleanText(address.name)} was uncordoned meanwhile, so no more pods were evicted. Drain it again if it has to be empty.`,
    });
  }
  const limit = new AbortController();
  const cancelLimit = clock.after(left, () => limit.abort(new Error('The time limit was reached.')));
  /** Aborted by a failure that is not of one pod alone, so that nothing goes on unseen once the job has ended. */
  const fault = new AbortController();
  const signal = AbortSignal.any([handle.signal, limit.signal, fault.signal]);
  try {
    handle.steps([{ name: cordonStep }]);
    handle.step(cordonStep, 'running');
    await requireStill(context, context.kind.permissions.manage, signal);
    if (!wasCordoned) await cordon(context);
    // Read anew: until the node was cordoned more could come.
    const pods = await podsToDrain(context, address.name);
    handle.steps([{ name: cordonStep }, ...pods.map((pod) => ({ name: podPath(pod), ...staying(pod) }))]);
    handle.step(cordonStep, 'done');
    const blocked = drainBlocked(pods, choiceOf(context));
    if (blocked !== null) throw new Problem({ status: 409, title: blocked });
    const leaving = pods.filter((pod) => staying(pod).skipped === undefined);
    const there = new Set([cordonStep, ...pods.map(podPath)]);
    let gone = handle.doneBefore.filter((name) => !there.has(name)).length;
    const all = leaving.length + gone;
    const tell = () => handle.message(`${gone} of ${all} ${all === 1 ? 'pod' : 'pods'} gone.`);
    tell();
    const limiter = createLimiter(concurrency);
    const failed: string[] = [];
    // Each of them comes to its end first: an eviction that is on its way is never left behind.
    await Promise.allSettled(
      leaving.map((pod) =>
        limiter.run(async () => {
          try {
            await removePod(context, handle, signal, pod);
            gone += 1;
            handle.step(podPath(pod), 'done', 'gone');
            tell();
          } catch (error) {
            if (signal.aborted) return;
            failed.push(podPath(pod));
            const said = error instanceof Problem ? error.title : 'Something went wrong on the server.';
            handle.step(podPath(pod), 'failed', said);
            if (!(error instanceof Problem)) fault.abort(error);
          }
        }, signal),
      ),
    );
    handle.signal.throwIfAborted();
    fault.signal.throwIfAborted();
    if (limit.signal.aborted) {
      throw new Problem({
        status: 504,
        title: `${all - gone} of ${all} pods remained when the ${minutes} minutes were over. ${stays}`,
      });
    }
    if (failed.length > 0) {
      throw new Problem({
        status: 409,
        title: `${failed.length} of ${all} pods could not be evicted: ${failed.slice(0, 3).join(', ')}${failed.length > 3 ? ' …' : ''}. ${stays}`,
      });
    }
    return `The node is drained: ${all === 1 ? '1 pod is' : `${all} pods are`} gone. ${stays}`;
  } finally {
    cancelLimit();
  }
}

async function cordon({ transport, address }: JobContext): Promise<void> {
  await sendChange(
    transport,
    {
      method: 'PATCH',
      path: objectPath(address),
      contentType: patchTypes.merge,
      body: { spec: { unschedulable: true } },
    },
    false,
  );
}

/**
 * Asks for a right on the cluster, and again while the database is away. Throws Problem, the signal's reason, and the
 * error of a database that is away for too long.
 */
async function requireStill(
  { clock, require }: Pick<JobContext, 'clock' | 'require'>,
  need: Need,
  signal: AbortSignal,
): Promise<void> {
  await outlastStoreAbsence(() => require(need, 'cluster'), clock, signal);
}

function staying(pod: DrainedPod): { readonly skipped?: string } {
  if (pod.class === 'daemon') return { skipped: 'stays: a DaemonSet pod' };
  return pod.class === 'mirror' ? { skipped: 'stays: a mirror pod' } : {};
}

/** Evicts one pod and waits until it is gone. Throws Problem, the reason of the signal, and errors of the database. */
async function removePod(
  context: JobContext,
  handle: JobHandle,
  signal: AbortSignal,
  pod: DrainedPod,
): Promise<void> {
  const { transport, clock } = context;
  const { namespace, name, uid } = pod;
  const address = { group: '', version: 'v1', plural: 'pods', namespace, name };
  for (let attempt = 1, wait = firstPause; pod.class !== 'leaving'; attempt += 1) {
    // Grants may be withdrawn while a drain waits.
    await requireStill(context, 'pods.manage', signal);
    handle.step(podPath(pod), 'running', attempt === 1 ? 'evicting' : `tried ${attempt} times`);
    try {
      await sendChange(
        transport,
        {
          method: 'POST',
          path: objectPath(address, 'eviction'),
          body: {
            apiVersion: 'policy/v1',
            kind: 'Eviction',
            metadata: { name, namespace },
            deleteOptions: { preconditions: { uid } },
          },
        },
        false,
      );
      break;
    } catch (error) {
      if (isGone(error)) return;
      if (!(error instanceof ClusterProblem) || error.upstream.status !== 429) throw error;
      const asked = (error.upstream.retryAfter ?? 0) * 1000;
      handle.step(podPath(pod), 'running', `waits: ${budgetWords(error)}`);
      const next = Math.max(asked, wait * (0.75 + clock.random() / 2));
      await pause(clock, Math.min(maxPause, next), signal);
      wait = Math.min(maxPause, wait * 2);
    }
  }
  handle.step(podPath(pod), 'running', 'ending');
  while (!(await isAway(context, objectPath(address), uid, signal))) await pause(clock, lookInterval, signal);
}

/** No such pod, or another of its name. */
const isGone = (error: unknown) =>
  error instanceof ClusterProblem &&
  (error.upstream.status === 404 || (error.upstream.status === 409 && error.upstream.reason === 'Conflict'));

function budgetWords(error: ClusterProblem): string {
  const causes = error.upstream.body?.details?.causes ?? [];
  const words = causes.flatMap(({ reason, message }) =>
    reason === 'DisruptionBudget' ? (message ?? []) : [],
  );
  return words.length === 0 ? 'a disruption budget allows no eviction now' : cleanText(words.join(' '));
}

async function isAway(
  { transport }: JobContext,
  path: string,
  uid: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const now = objectIn(await transport.json<unknown>({ path, signal }));
    return now.metadata?.uid !== uid;
  } catch (error) {
    if (isGone(error)) return true;
    // A cluster that does not answer for a moment is asked again; the time limit ends it.
    if (error instanceof ClusterProblem && error.retryable) return false;
    throw error;
  }
}
