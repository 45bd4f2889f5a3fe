import type { Pod } from '../../../kube/core.ts';
import { field, rule, trail } from '../rule.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { oneOf } from '../world.ts';
import { attachmentRule } from './attachment.ts';
import { configRules } from './pod-config.ts';
import { endRules, readinessRule } from './container.ts';
import { imageRules } from './image.ts';
import { initRules, initTrail } from './init-wait.ts';
import { logRules, logTrail } from './log.ts';
import { placementRules } from './placement.ts';
import { readinessGateRule } from './readiness-gate.ts';
import { troubleOf } from './pod-parts.ts';

const evictionRule = rule<Pod>({
  id: 'pod.evicted',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod) {
    if (pod.status?.reason !== 'Evicted') return undefined;
    const what = /low on resource: ([\w-]+)/.exec(pod.status.message ?? '')?.[1];
    return {
      sentence: `The node evicted the pod because the node ran short of ${what ?? 'resources'}.`,
      evidence: [field(pod, 'status.message'), field(pod, 'spec.nodeName')],
      actions: [],
    };
  },
});

/** Claims that a pod waits for, and its node where that does not answer. */
const podTrail = trail<Pod>({
  kind: 'Pod',
  next(pod, world) {
    const cause = troubleOf(pod, world)?.cause;
    const { namespace } = pod.metadata ?? {};
    const found: (KubeObject | null | undefined)[] = [];
    const name = pod.spec?.nodeName;
    const isNodeAsked =
      cause === 'node-lost' || cause === 'node-unready' || cause === 'not-ending' || cause === 'unready';
    if (isNodeAsked && name !== undefined) found.push(oneOf(world, 'Node', name));
    if (cause === 'claim' || cause === 'unschedulable' || cause === 'not-starting') {
      for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
        const claim = persistentVolumeClaim?.claimName;
        if (claim === undefined || namespace === undefined) continue;
        found.push(oneOf(world, 'PersistentVolumeClaim', claim, namespace));
      }
    }
    return found.filter((one) => one !== null && one !== undefined);
  },
});

/** Rules about pods. */
export const podRules = [
  ...imageRules,
  ...endRules,
  ...logRules,
  readinessRule,
  readinessGateRule,
  ...configRules,
  ...placementRules,
  attachmentRule,
  ...initRules,
  evictionRule,
];

/** From pods to what they depend on. */
export const podTrails = [podTrail, logTrail, initTrail];
