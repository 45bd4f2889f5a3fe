/**
 * What a condition says about its object while it is `True`.
 * - `head`: a summary; `False` is a problem
 * - `good`: one aspect is healthy; `False` is a problem unless a summary says otherwise
 * - `step`: something is done; `False` means not yet
 * - `bad`, `warn`: a problem
 * - `progress`: work is in progress
 * - `idle`: somebody paused the object
 * - `none`: nothing
 */
export type Polarity = 'head' | 'good' | 'step' | 'bad' | 'warn' | 'progress' | 'idle' | 'none';

const byType: Readonly<Record<Exclude<Polarity, 'none'>, string>> = {
  head: `Ready Healthy Available Programmed Accepted Synced Reconciled Succeeded Operational Established Installed
    Deployed InSync UpToDate Valid ResolvedRefs ReconcileSuccess ResourceSynced Done`,
  good: 'Online Admitted Reachable Connected Registered Validated Verified Configured',
  step: `Initialized Provisioned Created Completed Complete Scheduled Bound Issued Approved Applied Started Finished
    Running Offered Progressed`,
  bad: `NotReady Failed Failure Error Errored ErrorOccurred Degraded Stalled Blocked Invalid Denied Conflicted Conflict
    Unhealthy Unavailable Unreachable Unschedulable Expired InvalidRequest InvalidSpec SpecError SubmissionError
    OutOfSync Aborted Lost Crashed Terminal ReconcileError ReconcileFailed Failing Crashing Orphan Orphaned`,
  warn: 'Warning PartiallyInvalid OverlappingTLSConfig Recoverable Fallback Misscheduled Deprecated',
  progress: `Progressing Reconciling Issuing Pending Updating Upgrading Provisioning Creating Deleting Terminating
    Scaling Migrating Rebalancing Initializing Processing Installing Deploying RolloutProgressing
    Restarting Waiting RollingOut RollingUpdate ScalingUp ScalingDown Remediating Disrupting Starting Recovering`,
  idle: 'Suspended Paused ReconciliationPaused Stopped Halted Disabled Hibernated',
};

const table: ReadonlyMap<string, Polarity> = new Map(
  Object.entries(byType).flatMap(([polarity, types]) =>
    types.split(/\s+/).map((type): [string, Polarity] => [type, polarity as Polarity]),
  ),
);

/** Polarity of condition types by suffix. */
const endings: readonly (readonly [RegExp, Polarity])[] = [
  [/^Failed[A-Z]/, 'bad'],
  [/^Partially[A-Z]/, 'warn'],
  [
    /(?:Failed|Failure|Failures|Error|Errors|Degraded|Stalled|Blocked|Invalid|Denied|Unhealthy|Unavailable|Unreachable|Conflict|Pressure|Expired|Timeout|Exceeded)$/,
    'bad',
  ],
  [/Warnings?$/, 'warn'],
  [/(?:InProgress|Pending)$/, 'progress'],
  [
    /(?:Ready|Available|Healthy|Accepted|Programmed|Synced|Reconciled|Succeeded|Success|Valid|Reachable|Connected|Operational|UpToDate|Updated|Synchronized|Resolved|Established|Installed|Deployed|Provided|Granted|Normal)$/,
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
/** Maximum number of cached types, more than any cluster has. */
const maxCacheSize = 2_000;
const polarityByType = new Map<string, Polarity>();

function read(type: string): Polarity {
  const last = type.slice(Math.max(type.lastIndexOf('/'), type.lastIndexOf('.')) + 1);
  const name = `${last.charAt(0).toUpperCase()}${last.slice(1)}`;
  const exact = table.get(name);
  if (exact !== undefined) return exact;
  const negated = /^(?:Not|No)([A-Z].*)$/.exec(name)?.[1];
  if (negated !== undefined) return oppositePolarity[read(negated)] ?? 'none';
  return endings.find(([ending]) => ending.test(name))?.[1] ?? 'none';
}

/** What a condition of this type says while it is `True`, by common convention. */
export function polarityOf(type: string): Polarity {
  const found = polarityByType.get(type);
  if (found !== undefined) return found;
  const polarity = type.length > 200 ? 'none' : read(type);
  if (polarityByType.size < maxCacheSize) polarityByType.set(type, polarity);
  return polarity;
}
