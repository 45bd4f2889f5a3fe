import { matchesSelector, type LabelSelector } from '../../kube/selector.ts';
import { timestamp } from '../kit/clock.ts';
import { deleteObject } from '../objects/deletion.ts';
import { disruption, markDisrupted } from '../life/pod-end.ts';
import { bindPod, checkUnbound } from '../objects/binding.ts';
import { getObject } from '../objects/objects.ts';
import { otherNamespace } from '../objects/identity.ts';
import type { World } from '../store/world.ts';
import { badRequest, StatusError } from '../kit/status.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { isDryRun, readObject } from './body.ts';
import { readDeleteOptions } from './delete-options.ts';
import { checkWriteOptions } from './options.ts';
import type { Call, Target } from './request.ts';
import type { Answer } from './respond.ts';

const success: Answer = {
  code: 201,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
};

/** Refuses a body whose pod is in another namespace. Throws 400. */
function checkPlace({ namespace }: Target, body: Rec): void {
  const inside = str(at(body, 'metadata', 'namespace'));
  if (inside !== '' && inside !== namespace) throw otherNamespace();
}

/** Assigns a pod to a node (POST …/binding). Throws 409 when it already has one. */
export async function serveBinding(world: World, target: Target, call: Call): Promise<Answer> {
  const { schemas } = world.registry;
  const expected = { apiVersion: 'v1', kind: 'Binding', shape: schemas.ofKind('', 'v1', 'Binding') };
  checkWriteOptions('CreateOptions', call.query);
  const { body } = await readObject(schemas, expected, call);
  checkPlace(target, body);
  const bodyName = str(at(body, 'metadata', 'name'));
  if (target.name !== '' && bodyName !== target.name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const node = str(at(body, 'target', 'name'));
  const kind = str(at(body, 'target', 'kind'));
  const problems: string[] = [];
  if (kind !== '' && kind !== 'Node') {
    problems.push(
      `target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`,
    );
  }
  if (node === '') problems.push('target.name: Required value');
  if (problems.length > 0) {
    // The server returns these errors unwrapped, not as an invalid object.
    const message = problems.length > 1 ? `[${problems.join(', ')}]` : (problems[0] ?? '');
    throw new StatusError(500, undefined, message);
  }
  // A binding is posted to a pod, or to the collection of bindings with the pod's name in the body.
  const name = target.name === '' ? bodyName : target.name;
  if (name === '') throw badRequest('Name parameter required.');
  const pods = world.registry.ofStorage('/pods') ?? target.resource;
  const pod = getObject(world, pods, target.namespace, name);
  if (isDryRun(call.query)) checkUnbound(pod);
  else bindPod(world, pod, node);
  return success;
}

/** Evicts a pod unless a disruption budget forbids it (429). */
export async function serveEviction(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  const { schemas } = world.registry;
  const expected = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    shape: schemas.ofKind('policy', 'v1', 'Eviction'),
    // Version that older clients send.
    also: ['policy/v1beta1'],
  };
  checkWriteOptions('CreateOptions', call.query);
  const { body } = await readObject(schemas, expected, call);
  checkPlace(target, body);
  const bodyName = str(at(body, 'metadata', 'name'));
  if (bodyName !== name) throw badRequest('name in URL does not match name in Eviction object');
  const pod = getObject(world, resource, namespace, name);
  const budgets = world.store
    .list('policy/poddisruptionbudgets', `${namespace}/`)
    .filter((budget) =>
      matchesSelector(at(budget, 'spec', 'selector') as LabelSelector | undefined, pod.metadata.labels),
    );
  // Either the query or the body can ask for a dry run.
  const deleteOptions = readDeleteOptions(rec(body['deleteOptions']), new URLSearchParams());
  const options = { ...deleteOptions, dryRun: deleteOptions.dryRun === true || isDryRun(call.query) };
  if (budgets.length > 1) {
    throw new StatusError(
      500,
      undefined,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      {},
    );
  }
  const [budget] = budgets;
  if (budget !== undefined && isGuarded(pod, budget)) useDisruption(world, budget, name, options.dryRun);
  // A dry run first: a refused deletion must not leave a condition on the pod.
  deleteObject(world, resource, namespace, name, { ...options, dryRun: true });
  if (!options.dryRun) {
    markDisrupted(world, pod, disruption(pod, 'EvictionByEvictionAPI', 'Eviction API: evicting'));
  }
  deleteObject(world, resource, namespace, name, options);
  return success;
}

/**
 * Whether a pod's eviction uses up its budget. It does not for pods that have ended, are pending or are being
 * deleted, nor for unhealthy ones while enough pods are healthy.
 */
function isGuarded(pod: Obj, budget: Obj): boolean {
  const phase = str(at(pod, 'status', 'phase'));
  if (['Succeeded', 'Failed', 'Pending'].includes(phase) || pod.metadata.deletionTimestamp !== undefined)
    return false;
  const ready = recs(at(pod, 'status', 'conditions')).find((item) => item['type'] === 'Ready');
  if (ready?.['status'] === 'True') return true;
  if (at(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return false;
  const desired = Number(at(budget, 'status', 'desiredHealthy') ?? 0);
  return desired <= 0 || Number(at(budget, 'status', 'currentHealthy') ?? 0) < desired;
}

/** Uses up one disruption of a budget. Throws 429 when none is left or the budget's status is outdated. */
function useDisruption(world: World, budget: Obj, pod: string, dryRun: boolean): void {
  const { name = '', generation = 0 } = budget.metadata;
  const status = rec(budget['status']);
  const number = (field: string) => Number(status[field] ?? 0);
  const refuse = (message: string, retryAfterSeconds?: number) =>
    new StatusError(
      429,
      'TooManyRequests',
      "Cannot evict pod as it would violate the pod's disruption budget.",
      {
        causes: [{ reason: 'DisruptionBudget', message }],
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      },
    );
  if (number('observedGeneration') > 0 && number('observedGeneration') < generation) {
    throw refuse(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (number('disruptionsAllowed') <= 0) {
    throw refuse(
      `The disruption budget ${name} needs ${number('desiredHealthy')} healthy pods and has ${number('currentHealthy')} currently`,
    );
  }
  if (dryRun) return;
  world.store.commit('policy/poddisruptionbudgets', keyOf(budget.metadata.namespace, name), {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed: number('disruptionsAllowed') - 1,
      disruptedPods: { ...rec(status['disruptedPods']), [pod]: timestamp(world.clock.now()) },
    },
  });
}
