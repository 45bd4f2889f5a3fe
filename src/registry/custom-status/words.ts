import type { Tone } from '../tone.ts';

/** Tones of the words of phases, states and health, in lower case and without separators. */
const toneWords: Readonly<Record<Tone, string>> = {
  bad: `failed failure failing error errored errors fatal degraded unhealthy crashed crashloopbackoff broken invalid
    rejected denied aborted stalled stuck dead down red lost expired unreachable unavailable misconfigured notready
    notavailable unknownhost conflict conflicted blocked offline exception timeout timedout rolledback unschedulable
    imagepullbackoff notfound corrupted oomkilled err noncompliant`,
  warn: `outofsync warning warn yellow partial partiallyfailed partiallydegraded partiallyavailable
    inconclusive impaired drifted unstable incomplete`,
  info: `pending progressing inprogress creating provisioning updating upgrading starting initializing initialising
    installing deploying deleting terminating reconciling waiting processing scheduling queued preparing scaling
    restarting migrating rebalancing building resuming stopping draining new unknown scheduled requested
    awaitingapproval proposed pendingapproval syncing applying retrying`,
  idle: `paused suspended stopped inactive disabled idle standby dormant hibernated hibernating shutdown cancelled
    canceled skipped skip unused released off none archived`,
  ok: `ready running active available healthy bound succeeded success successful complete completed deployed synced
    insync ok okay online up established valid approved accepted provisioned installed normal green done finished
    stable applied created connected enabled programmed resolved issued passed reconciled operational open
    processed normalised normalized live true updated current serving attached configured initialized exists
    compliant`,
};

const tones: ReadonlyMap<string, Tone> = new Map(
  Object.entries(toneWords).flatMap(([tone, words]) =>
    words.split(/\s+/).map((word): [string, Tone] => [word, tone as Tone]),
  ),
);

/** Longer texts are sentences, which have no tone. */
const maxWordLength = 64;
const maxCacheSize = 2_000;

/** Caches a function of short texts: a cluster has few phases and reasons, and many objects that share them. */
function remembering<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly said: T }>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.said;
    const value = read(text);
    if (known.size >= maxCacheSize) known.clear();
    if (text.length <= 2 * maxWordLength) known.set(text, { said: value });
    return value;
  };
}

/** Words that decide the tone of a phrase; "scaling down" and "setting up" mean neither down nor up. */
const phraseTones: readonly (readonly [RegExp, Tone])[] = [
  [
    /^(?:fail(?:ed|ure|ing)?|err|errors?|errored|fatal|degraded|unhealthy|crashed|broken|invalid|rejected|denied|aborted|stalled|expired|unreachable|unavailable|noncompliant)$/,
    'bad',
  ],
  [/^(?:warn|warning|partially|impaired|inconclusive)$/, 'warn'],
  [/^(?:paused|suspended|stopped|disabled|cancell?ed)$/, 'idle'],
  [/^\w{3,}ing$|^pending$/, 'info'],
  [/^(?:ready|healthy|succeeded|successful|success|completed?|running|available|ok|synced|deployed)$/, 'ok'],
];
const negation = /^(?:no|not|non|never|without|un)$/;
/** The boundary between two words in camel case. */
const bounds = /([a-z0-9])(?=[A-Z])/g;

/**
 * The tone of a phase or state, also of several words (`Deploy complete`, `HEALTH_WARN`).
 * @param own tones that a family gives its words, in lower case; they come first
 * @returns undefined for an unknown word
 */
export function toneOfWord(word: string, own?: Readonly<Record<string, Tone>>): Tone | undefined {
  if (word === '' || word.length > maxWordLength) return undefined;
  const lower = word.toLowerCase();
  if (own !== undefined && Object.hasOwn(own, lower)) return own[lower];
  return generalTone(word);
}

const generalTone = remembering((word: string): Tone | undefined => {
  const lower = word.toLowerCase();
  const whole = tones.get(lower.replaceAll(/[\s_-]+/g, ''));
  if (whole !== undefined) return whole;
  const words = word
    .replaceAll(bounds, '$1 ')
    .toLowerCase()
    .split(/[\s_.:,/-]+/);
  if (words.some((one) => negation.test(one))) return undefined;
  return phraseTones.find(([pattern]) => words.some((one) => pattern.test(one)))?.[1];
});

const failureWord =
  /(?:^|[a-z0-9_-])(?:Error|Errors|Errored|Fail|Failed|Failure|Failures|Failing|Invalid|Denied|Rejected|Refused|Unhealthy|Degraded|Crash|Crashed|Backoff|BackOff|Timeout|TimedOut|Exceeded|Unreachable|Unauthorized|Forbidden|NotFound|Missing|Expired|Conflict|Conflicted|Conflicts|Unavailable|Lost|Broken|Unsupported|NotSupported|DoesNotExist|NotExist|NotAllowed|NotPermitted|NotValid|NotAccepted|Aborted|Stuck|Stalled|Unschedulable|Unresolved|Mismatch|Mismatched|Exception|NotUsable|NoResources|Deadlock|Blocked)(?=$|[A-Z_-])/;
/** Names that only look like a problem. */
const harmless = /^(?:No|Non|Without|Zero)[A-Z_-]/;

/** Whether a condition's reason reports a failure: `BuildFailed`, `InvalidParameters`, `BackendNotFound`. */
export const isFailing = remembering((reason: string): boolean => {
  if (reason === '' || reason.length > maxWordLength * 2) return false;
  // By convention reasons are in camel case; some projects write constants or lower case.
  const name = /[a-z]/.test(reason)
    ? reason.charAt(0).toUpperCase() + reason.slice(1)
    : reason.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  return failureWord.test(name) && !(harmless.test(name) && name !== 'NoResources');
});

const underWay =
  /^(?:Pending|Progressing|Reconciling|Creating|Provisioning|Initializing|Initialising|InProgress|Updating|Upgrading|Deploying|Starting|Installing|Deleting|Terminating|Issuing|Scaling|Processing|Preparing|Queued|Running|Building|Waiting|Awaiting|Syncing|Migrating|Rebalancing|Restarting|Scheduling|Ongoing|NewRequest|Requested|Cloning|Pulling|Importing|Bootstrapping|Validating|Connecting|Resuming|Joining|Configuring)|(?:InProgress|Pending|Progressing|Ongoing|Provisioning|Creating|Initializing|Reconciling|Updating|Installing|Upgrading)$/;

/** Whether a reason says that work is in progress and reports no failure. */
export const isUnderWay = remembering(
  (reason: string): boolean =>
    reason.length <= maxWordLength * 2 &&
    underWay.test(reason) &&
    !/Retry/.test(reason) &&
    !isFailing(reason),
);

/** Whether a reason says that somebody paused the object. */
export const isHalted = (reason: string): boolean => /^(?:\w*Paused|\w*Suspended)$/.test(reason);
