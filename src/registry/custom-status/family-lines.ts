import type { Family, StatusRule } from './rule.ts';
import type { Saying } from './words.ts';

/** Kinds for which the general rule needs a few facts more. Fields are below `status`; lists have spaces between. */
interface Line
  extends Pick<
    StatusRule,
    'polarity' | 'reasons' | 'stopped' | 'stoppedBy' | 'counts' | 'answers' | 'awaits' | 'conditions'
  > {
  readonly groups: string;
  /** All kinds of the groups if absent. */
  readonly kinds?: string;
  /** The fields that tell the health; those of the general rule if absent. */
  readonly at?: string;
  /** Meanings of words in lower case; sentences have a `|` between. */
  readonly says?: Readonly<Partial<Record<Saying, string>>>;
}

const waitsForController =
  'No controller has reported a status for it. Check its parents, and that its controller is running.';

const lines: readonly Line[] = [
  // A detached volume has no known robustness. The backup target that every installation has is unavailable until it is
  // given an address.
  {
    groups: 'longhorn.io',
    at: 'robustness state currentState',
    says: { bad: 'faulted|error', warn: 'degraded', idle: 'detached|stopped', info: 'unknown' },
    stopped: [['spec.backupTargetURL', '', 'Not set up']],
  },
  { groups: 'ceph.rook.io', at: 'phase state ceph.health', says: { info: 'connecting', bad: 'failure' } },
  // A node that has not registered yet is awaited for 15 minutes.
  {
    groups: 'karpenter.sh karpenter.k8s.aws karpenter.azure.com',
    awaits: 'ready',
    polarity: {
      Launched: 'good',
      Registered: 'good',
      Initialized: 'good',
      Drifted: 'warn',
      NodeRegistrationHealthy: 'good',
      InstanceTerminating: 'progress',
      DisruptionReason: 'progress',
    },
    reasons: { NodeNotFound: 'slow', NodeNotRegistered: 'slow', Expired: 'info' },
  },
  {
    groups: 'velero.io',
    kinds: 'DataUpload DataDownload PodVolumeBackup PodVolumeRestore',
    says: { info: 'accepted|prepared' },
  },
  { groups: 'velero.io', says: { info: 'readytostart', warn: 'partiallyfailed' } },
  {
    groups: 'postgresql.cnpg.io',
    at: 'phase applied',
    says: {
      ok: 'cluster in healthy state',
      warn: 'failing over|waiting for user action|cluster upgrade delayed',
      bad: [
        'not enough disk space',
        'walarchivingfailing',
        'cluster cannot proceed to reconciliation due to an unknown plugin being required',
        'cluster cannot proceed to reconciliation due to an error while interacting with plugins',
        'cluster cannot execute instance online upgrade due to missing architecture binary',
      ].join('|'),
      info: 'started|running|finalizing',
    },
    stoppedBy: [
      ['cnpg.io/hibernation', 'on'],
      ['cnpg.io/reconciliationLoop', 'disabled'],
    ],
    polarity: { hibernation: 'idle', ContinuousArchiving: 'good', LastBackupSucceeded: 'good' },
  },
  { groups: 'install.istio.io sailoperator.io', says: { warn: 'action_required', idle: 'none' } },
  {
    groups: 'serving.knative.dev *.internal.knative.dev',
    polarity: { Active: 'none' },
    reasons: { NoTraffic: 'idle' },
  },
  { groups: 'cluster.x-k8s.io', kinds: 'Machine MachinePool', says: { info: 'provisioned' } },
  {
    groups: 'cluster.x-k8s.io',
    kinds: 'MachineHealthCheck',
    counts: { wanted: 'status.expectedMachines', ready: 'status.currentHealthy' },
  },
  {
    groups: 'kueue.x-k8s.io',
    kinds: 'ClusterQueue LocalQueue AdmissionCheck MultiKueueCluster Cohort',
    polarity: { Active: 'head' },
  },
  {
    groups: 'kueue.x-k8s.io',
    polarity: {
      QuotaReserved: 'step',
      Admitted: 'step',
      Finished: 'head',
      PodsReady: 'good',
      Evicted: 'warn',
    },
    reasons: { Inadmissible: 'warn' },
  },
  // The health is red or yellow while nodes start.
  {
    groups: '*.k8s.elastic.co',
    at: 'health phase',
    says: {
      soft: 'red',
      slow: 'yellow',
      info: 'unknown|applyingchanges|migratingdata|awaitingversionupgrade',
    },
  },
  // The conditions are a history of states.
  { groups: 'psmdb.percona.com pxc.percona.com ps.percona.com', at: 'state', conditions: [] },
  {
    groups: 'kubevirt.io',
    at: 'printableStatus phase',
    says: { warn: 'unknown', info: 'scheduled|waitingforvolumebinding|waitingforreceiver' },
    polarity: { AgentConnected: 'none', RestartRequired: 'warn' },
    reasons: { PodTerminating: 'info' },
  },
  {
    groups: 'cdi.kubevirt.io',
    at: 'phase',
    says: { idle: 'waitforfirstconsumer', info: 'pvcbound|importscheduled|pendingpopulation' },
    polarity: { Running: 'none' },
  },
  {
    groups: 'harvesterhci.io',
    polarity: { Imported: 'head', Completed: 'head' },
  },
  {
    groups: 'route.openshift.io',
    polarity: { Admitted: 'head' },
    answers: { answered: 'status.ingress', label: 'Not admitted', message: waitsForController },
  },
  {
    groups: 'config.openshift.io',
    kinds: 'ClusterOperator ClusterVersion',
    polarity: { Upgradeable: 'none', RetrievedUpdates: 'none', ReleaseAccepted: 'good' },
  },
  {
    groups: 'operators.coreos.com',
    at: 'phase state connectionState.lastObservedState',
    says: {
      bad: 'transient_failure',
      info: 'installready|replacing|connecting|planning|upgradepending',
      ok: 'atlatestknown|upgradeavailable',
      warn: 'requiresapproval',
    },
    awaits: 'installed',
  },
  { groups: 'k8s.keycloak.org', polarity: { Started: 'none', RollingUpdate: 'progress' } },
  {
    groups: 'grafana.integreatly.org',
    kinds: 'Grafana',
    at: 'stage stageStatus',
    says: { info: 'deployment|config|service|ingress|route|plugins|pvc|service account|admin user' },
  },
  {
    groups: 'grafana.integreatly.org',
    at: 'NoMatchingInstances',
    says: { bad: 'true' },
    polarity: { NoMatchingInstance: 'bad' },
  },
  { groups: 'opentelemetry.io', at: 'scale.statusReplicas' },
  {
    groups: 'autoscaling.k8s.io',
    polarity: {
      RecommendationProvided: 'good',
      LowConfidence: 'none',
      NoPodsMatched: 'warn',
      ConfigUnsupported: 'bad',
      ConfigDeprecated: 'warn',
      FetchingHistory: 'progress',
    },
  },
  { groups: 'gateway.solo.io gloo.solo.io', says: { ok: '1', bad: '2', warn: '3', info: '0' } },
  { groups: 'core.humio.com', says: { soft: 'notfound' } },
  // Counts of addresses are written as conditions.
  {
    groups: 'cilium.io',
    polarity: {
      'cilium.io/PoolConflict': 'bad',
      'cilium.io/IPsTotal': 'none',
      'cilium.io/IPsAvailable': 'none',
      'cilium.io/IPsUsed': 'none',
    },
  },
  // These say of a stage that it is over.
  {
    groups: 'management.cattle.io provisioning.cattle.io',
    polarity: { Waiting: 'step', Pending: 'step', Creating: 'step' },
  },
  {
    groups: 'core.oam.dev',
    says: {
      info: 'rendering|policygenerating|runningworkflow|starting',
      idle: 'workflowsuspending',
      warn: 'workflowterminated',
    },
  },
  { groups: 'scheduling.volcano.sh', says: { idle: 'closed', info: 'inqueue|closing', warn: 'unknown' } },
  { groups: 'sparkoperator.k8s.io', kinds: 'ScheduledSparkApplication', says: { ok: 'scheduled' } },
  {
    groups: 'openebs.io',
    kinds: 'DiskPool',
    at: 'pool_status cr_state',
    says: { warn: 'unknown|degraded', bad: 'faulted' },
  },
  // A suspended cluster has no head pod.
  { groups: 'ray.io', reasons: { HeadPodNotFound: 'soft' } },
  // An experiment is over once everything has recovered.
  {
    groups: 'chaos-mesh.org',
    polarity: { Selected: 'good', AllInjected: 'progress', AllRecovered: 'step' },
  },
  {
    groups: 'metal3.io',
    kinds: 'BareMetalHost',
    at: 'operationalStatus provisioning.state',
    says: {
      info: 'registering|inspecting|preparing|powering off before delete',
      ok: 'unmanaged|externally provisioned',
    },
  },
  // The code of a failed gRPC call.
  {
    groups: 'topolvm.io topolvm.cybozu.com',
    kinds: 'LogicalVolume',
    at: 'code',
    says: { ok: '0', bad: '1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16' },
  },
  // Each of its pods writes the errors that it found.
  { groups: 'templates.gatekeeper.sh', at: 'created', says: { slow: 'false' } },
  {
    groups: 'apps.kruise.io',
    stopped: ['spec.updateStrategy.paused', 'spec.updateStrategy.rollingUpdate.paused'],
  },
];

const ruleOf = ({ at, says, groups: _groups, kinds: _kinds, ...rest }: Line): StatusRule => ({
  ...rest,
  ...(at === undefined ? {} : { words: at.split(' ').map((field) => ({ at: `status.${field}` })) }),
  ...(says === undefined
    ? {}
    : {
        tones: Object.fromEntries(
          Object.entries(says).flatMap(([saying, words]) =>
            words.split('|').map((word): [string, Saying] => [word, saying as Saying]),
          ),
        ),
      }),
});

/** The families that one line describes. */
export const familiesInLines: readonly Family[] = lines.map((line) => ({
  groups: line.groups.split(' '),
  ...(line.kinds === undefined ? {} : { kinds: line.kinds.split(' ') }),
  rule: ruleOf(line),
}));
