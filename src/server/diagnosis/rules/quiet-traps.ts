import type { DaemonSet, StatefulSet } from '../../../kube/apps.ts';
import type { Node } from '../../../kube/infrastructure.ts';
import { field, rule } from '../rule.ts';
import { allOf } from '../world.ts';
import { isTolerated, taintText } from './node-fit.ts';

/** Minor versions that a kubelet may be behind the API server. */
const kubeletSkew = 3;

const minorOf = ({ status }: Node): number =>
  Number(/^v1\.(\d+)/.exec(status?.nodeInfo?.kubeletVersion ?? '')?.[1] ?? Number.NaN);

/** Taints of nodes that most workloads are to keep away from. */
const usualTaint =
  /^node\.kubernetes\.io\/|^node-role\.kubernetes\.io\/|^node\.cloudprovider\.kubernetes\.io\//;

/** Notes on traps that no status shows and that are no alarm, for whoever asks about the object. */
export const quietTrapRules = [
  rule<StatefulSet>({
    id: 'statefulset.partition',
    kind: 'StatefulSet.apps',
    tone: 'info',
    sort: 'cause',
    find(set) {
      const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
      const { currentRevision, updateRevision } = set.status ?? {};
      const replicas = set.spec?.replicas ?? 1;
      if (partition <= 0 || updateRevision === undefined || currentRevision === updateRevision)
        return undefined;
      return {
        sentence: `The update strategy of StatefulSet ${set.metadata?.name ?? ''} has partition ${partition}, which keeps ${partition >= replicas ? `all ${replicas} pods` : `the pods with an ordinal below ${partition}`} at the earlier revision.`,
        evidence: [
          field(set, 'spec.updateStrategy.rollingUpdate.partition'),
          field(set, 'status.currentRevision'),
          field(set, 'status.updateRevision'),
        ],
      };
    },
  }),
  ...(['StatefulSet.apps', 'DaemonSet.apps'] as const).map((kind) =>
    rule<StatefulSet & DaemonSet>({
      id: 'workload.on-delete',
      kind,
      tone: 'info',
      sort: 'cause',
      find(object) {
        const { spec, status } = object;
        const total = spec?.replicas ?? status?.desiredNumberScheduled ?? 0;
        const isOld =
          kind === 'DaemonSet.apps'
            ? (status?.updatedNumberScheduled ?? total) < total
            : status?.currentRevision !== status?.updateRevision && (status?.updatedReplicas ?? 0) < total;
        if (spec?.updateStrategy?.type !== 'OnDelete' || !isOld) return undefined;
        return {
          sentence: `The update strategy OnDelete gives pods of ${object.kind ?? ''} ${object.metadata?.name ?? ''} the new template only once somebody deletes them.`,
          evidence: [field(object, 'spec.updateStrategy')],
        };
      },
    }),
  ),
  rule<Node>({
    id: 'node.kubelet-old',
    kind: 'Node',
    tone: 'info',
    sort: 'advice',
    find(node, world) {
      const all = allOf(world, 'Node') ?? [];
      const [newest] = all.toSorted((a, b) => (minorOf(b) || 0) - (minorOf(a) || 0));
      const behind = newest === undefined ? 0 : minorOf(newest) - minorOf(node);
      if (newest === undefined || !(behind > kubeletSkew)) return undefined;
      return {
        sentence: `The kubelet of node ${node.metadata?.name ?? ''} is ${node.status?.nodeInfo?.kubeletVersion ?? ''}, ${behind} minor versions behind ${newest.status?.nodeInfo?.kubeletVersion ?? ''} of other nodes; Kubernetes supports ${kubeletSkew}.`,
        evidence: [
          field(node, 'status.nodeInfo.kubeletVersion'),
          field(newest, 'status.nodeInfo.kubeletVersion'),
        ],
      };
    },
  }),
  rule<DaemonSet>({
    id: 'daemonset.nodes-left-out',
    kind: 'DaemonSet.apps',
    tone: 'info',
    sort: 'advice',
    find(object, world) {
      const spec = object.spec?.template?.spec;
      // One that selects nodes is to run on some of them.
      if (spec === undefined || spec.nodeSelector !== undefined || spec.affinity?.nodeAffinity !== undefined)
        return undefined;
      const nodes = allOf(world, 'Node') ?? [];
      const left = nodes.flatMap((node) => {
        const taint = node.spec?.taints?.find(
          (one) =>
            one.effect !== 'PreferNoSchedule' &&
            !usualTaint.test(one.key ?? '') &&
            !isTolerated(one, spec.tolerations ?? []),
        );
        return taint === undefined ? [] : [{ node, taint }];
      });
      const [first] = left;
      if (first === undefined || left.length === nodes.length) return undefined;
      return {
        sentence: `DaemonSet ${object.metadata?.name ?? ''} does not run on ${left.length} of ${nodes.length} nodes: it does not tolerate their taints, such as ${taintText(first.taint)} on ${first.node.metadata?.name ?? ''}.`,
        evidence: [field(first.node, 'spec.taints'), field(object, 'spec.template.spec.tolerations')],
      };
    },
  }),
];
