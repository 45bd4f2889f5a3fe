import type { RuleBook } from './diagnose.ts';
import { anyObjectRules, anyObjectTrails } from './rules/any-object.ts';
import { cephRules } from './rules/ceph.ts';
import { istioRules } from './rules/istio.ts';
import { gitopsRules, gitopsTrails, sourceRules } from './rules/gitops.ts';
import { quietTrapRules } from './rules/quiet-traps.ts';
import { releaseRules, releaseTrails } from './rules/releases.ts';
import { adviceRules } from './rules/advice.ts';
import { autoscalerRules, autoscalerTrails } from './rules/autoscaler.ts';
import { batchRules, batchTrails } from './rules/jobs.ts';
import { certificateRules, certificateTrails } from './rules/certificate.ts';
import { deletionRules } from './rules/deletion.ts';
import { definitionRules, definitionTrails } from './rules/definition.ts';
import { nodeRules } from './rules/node.ts';
import { operatorRules } from './rules/operators.ts';
import { podRules, podTrails } from './rules/pod.ts';
import { policyRules, policyTrails } from './rules/policy.ts';
import { refusalRules } from './rules/refusal.ts';
import { gatewayRules, gatewayTrails } from './rules/gateway.ts';
import { ingressRules, ingressTrails, secretRules } from './rules/ingress.ts';
import { serviceRules, serviceTrails } from './rules/service.ts';
import { storageRules, storageTrails } from './rules/storage.ts';
import { workloadRules, workloadTrails } from './rules/workload.ts';

/** All rules and trails. A new file of rules is added here. */
export const ruleBook: RuleBook = {
  rules: [
    ...podRules,
    ...refusalRules,
    ...workloadRules,
    ...batchRules,
    ...storageRules,
    ...serviceRules,
    ...ingressRules,
    ...secretRules,
    ...gatewayRules,
    ...autoscalerRules,
    ...policyRules,
    ...definitionRules,
    ...nodeRules,
    ...deletionRules,
    ...certificateRules,
    ...operatorRules,
    ...gitopsRules,
    ...sourceRules,
    ...istioRules,
    ...cephRules,
    ...releaseRules,
    ...quietTrapRules,
    ...anyObjectRules,
    ...adviceRules,
  ],
  trails: [
    ...workloadTrails,
    ...batchTrails,
    ...podTrails,
    ...storageTrails,
    ...serviceTrails,
    ...ingressTrails,
    ...gatewayTrails,
    ...autoscalerTrails,
    ...policyTrails,
    ...definitionTrails,
    ...certificateTrails,
    ...gitopsTrails,
    ...releaseTrails,
    ...anyObjectTrails,
  ],
};
