import { matchesSelector, type LabelSelector } from '../../kube/selector.ts';
import { timestamp } from '../clock.ts';
import { deleteObject, readDeleteOptions } from '../deletion.ts';
import { getObject, type World } from '../objects.ts';
import { badRequest, conflict, StatusError } from '../status.ts';
import { keyOf } from '../store.ts';
import { at, type Obj, rec, recs, str } from '../values.ts';
import { readObject } from './body.ts';
import type { Call, Target } from './request.ts';
import type { Answer } from './respond.ts';

const success: Answer = {
  code: 201,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
};

/** Assigns a pod to a node (POST …/binding). Throws 409 when it has one already. */
export async function serveBinding(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  const { schemas } = world.registry;
  const expected = { apiVersion: 'v1', kind: 'Binding', shape: schemas.ofKind('', 'v1', 'Binding') };
  const { body } = await readObject(schemas, expected, call);
  const node = str(at(body, 'target', 'name'));
  if (node === '') throw badRequest('target.name: Required value');
  bindPod(world, getObject(world, resource, namespace, name), node);
  return success;
}

/** Stores a pod's node and that it is scheduled. Throws 409 when another node has it. */
export function bindPod(world: World, pod: Obj, node: string): Obj {
  const { name = '', namespace = '' } = pod.metadata;
  const assigned = at(pod, 'spec', 'nodeName');
  if (typeof assigned === 'string' && assigned !== '') {
    throw conflict(
      { group: '', plural: 'pods/binding' },
      name,
      `pod ${name} is already assigned to node "${assigned}"`,
    );
  }
  const status = rec(pod['status']);
  const conditions = recs(status['conditions']).filter((item) => item['type'] !== 'PodScheduled');
  return world.store.commit('/pods', keyOf(namespace, name), {
    ...pod,
    spec: { ...rec(pod['spec']), nodeName: node },
    status: {
      ...status,
      conditions: [
        ...conditions,
        {
          type: 'PodScheduled',
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: timestamp(world.clock.now()),
        },
      ],
    },
  });
}

/** Evicts a pod unless a disruption budget forbids it (429). */
export async function serveEviction(world: World, target: Target, call: Call): Promise<Answer> {
  const { resource, namespace, name } = target;
  const { schemas } = world.registry;
  const expected = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    shape: schemas.ofKind('policy', 'v1', 'Eviction'),
  };
  const { body } = await readObject(schemas, expected, call);
  const pod = getObject(world, resource, namespace, name);
  const healthy = recs(at(pod, 'status', 'conditions')).some(
    (item) => item['type'] === 'Ready' && item['status'] === 'True',
  );
  for (const budget of world.store.list('policy/poddisruptionbudgets', `${namespace}/`)) {
    const selector = at(budget, 'spec', 'selector') as LabelSelector | undefined;
    if (!healthy || !matchesSelector(selector, pod.metadata.labels)) continue;
    const spare = Number(at(budget, 'status', 'disruptionsAllowed') ?? 0);
    const budgetName = budget.metadata.name ?? '';
    if (spare > 0) continue;
    throw new StatusError(
      429,
      'TooManyRequests',
      "Cannot evict pod as it would violate the pod's disruption budget.",
      {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: `The disruption budget ${budgetName} needs ${Number(at(budget, 'status', 'desiredHealthy') ?? 0)} healthy pods and has ${Number(at(budget, 'status', 'currentHealthy') ?? 0)} currently`,
          },
        ],
      },
    );
  }
  deleteObject(
    world,
    resource,
    namespace,
    name,
    readDeleteOptions(rec(body['deleteOptions']), new URLSearchParams()),
  );
  return success;
}
