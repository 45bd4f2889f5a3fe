/**
 * What a condition says of its object while it is `True`.
 * - `head`: sums up how the object does; `False` is trouble
 * - `good`: one part of it is well; `False` is trouble where no head says otherwise
 * - `step`: something was done; `False` is not yet
 * - `bad`, `warn`: trouble
 * - `progress`: something is under way
 * - `idle`: somebody stopped it
 * - `none`: nothing
 */
export type Polarity = 'head' | 'good' | 'step' | 'bad' | 'warn' | 'progress' | 'idle' | 'none';

const byType: Readonly<Record<Exclude<Polarity, 'none'>, string>> = {
  head: `Ready Healthy Available Programmed Accepted Synced Reconciled Succeeded Operational Established Installed
    Deployed InSync UpToDate Valid ResolvedRefs ReconcileSuccess ResourceSynced`,
  good: 'Online Admitted Reachable Connected Registered Validated Verified Configured',
  step: `Initialized Provisioned Created Completed Complete Scheduled Bound Issued Approved Applied Started Finished
    Running Offered Progressed`,
  bad: `NotReady Failed Failure Error Errored ErrorOccurred Degraded Stalled Blocked Invalid Denied Conflicted Conflict
    Unhealthy Unavailable Unreachable Unschedulable Expired InvalidRequest InvalidSpec SpecError SubmissionError
    OutOfSync Aborted Lost Crashed Terminal ReconcileError ReconcileFailed`,
  warn: 'Warning PartiallyInvalid OverlappingTLSConfig Recoverable Fallback Misscheduled Deprecated',
  progress: `Progressing Reconciling Issuing Pending Updating Upgrading Provisioning Creating Deleting Terminating
    Scaling Migrating Rebalancing Initializing Processing Installing Deploying RolloutProgressing RollingUpdate
    Restarting Waiting`,
  idle: 'Suspended Paused ReconciliationPaused Stopped Disabled Hibernated',
};

const table: ReadonlyMap<string, Polarity> = new Map(
  Object.entries(byType).flatMap(([polarity, types]) =>
    types.split(/\s+/).map((type): [string, Polarity] => [type, polarity as Polarity]),
  ),
);

/** Types of names of several words, by how they end. */
const endings: readonly (readonly [RegExp, Polarity])[] = [
  [/^Failed[A-Z]/, 'bad'],
  [/^Partially[A-Z]/, 'warn'],
  [
    /(?:Failed|Failure|Failures|Error|Errors|Degraded|Stalled|Blocked|Invalid|Denied|Unhealthy|Unavailable|Unreachable|Conflict|Pressure|Expired|Timeout|Exceeded)$/,
    'bad',
  ],
  [/Warning$/, 'warn'],
  [
    /(?:Ready|Available|Healthy|Accepted|Programmed|Synced|Reconciled|Succeeded|Success|Valid|Reachable|Connected|Operational|UpToDate|Resolved|Established|Installed|Deployed)$/,
    'good',
  ],
  [/(?:Created|Completed|Complete|Initialized|Provisioned|Scheduled|Bound|Issued|Applied)$/, 'step'],
  [/(?:Paused|Suspended)$/, 'idle'],
];

const oppositePolarity: Readonly<Partial<Record<Polarity, Polarity>>> = {
  head: 'bad',
  good: 'bad',
  bad: 'good',
  warn: 'good',
};
/** More types than any cluster has: beyond, nothing is remembered. */
const mostTypes = 2_000;
const polarityByType = new Map<string, Polarity>();

function read(type: string): Polarity {
  const name = type.slice(Math.max(type.lastIndexOf('/'), type.lastIndexOf('.')) + 1);
  const exact = table.get(name);
  if (exact !== undefined) return exact;
  const negated = /^(?:Not|No)([A-Z].*)$/.exec(name)?.[1];
  if (negated !== undefined) return oppositePolarity[read(negated)] ?? 'none';
  return endings.find(([ending]) => ending.test(name))?.[1] ?? 'none';
}

/** What a condition of this type says while it is `True`, by what the ecosystem agrees on. */
export function polarityOf(type: string): Polarity {
  const found = polarityByType.get(type);
  if (found !== undefined) return found;
  const polarity = type.length > 200 ? 'none' : read(type);
  if (polarityByType.size < mostTypes) polarityByType.set(type, polarity);
  return polarity;
}
