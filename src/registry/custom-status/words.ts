import type { Tone } from '../tone.ts';

/**
 * Meaning of a word for its object.
 * - a tone: exactly that
 * - `soft`: a problem, unless work is or may be in progress
 * - `slow`: work that is or may be in progress, but a small problem after some time
 */
export type Saying = Tone | 'soft' | 'slow';

/** Meanings of the words of phases, states and health, in lower case and without separators. */
const wordsOf: Readonly<Record<Exclude<Saying, 'slow'>, string>> = {
  bad: `failed failure failing error errored errors fatal degraded unhealthy crashed crashloopbackoff broken invalid
    rejected denied aborted stalled stuck dead down red lost expired unreachable unavailable misconfigured
    unknownhost crash faulted unrecoverable conflict conflicted blocked offline exception timeout timedout rolledback unschedulable
    imagepullbackoff notfound corrupted oomkilled err noncompliant critical fail`,
  soft: 'notready notavailable notrunning nothealthy',
  warn: `outofsync warning warn yellow partial partiallyfailed partiallydegraded partiallyavailable
    inconclusive impaired drifted unstable incomplete orphaned unassigned`,
  info: `pending progressing inprogress creating provisioning updating upgrading starting initializing initialising
    installing deploying deleting terminating reconciling waiting processing scheduling queued preparing scaling
    restarting migrating rebalancing building resuming stopping draining new unknown scheduled requested
    awaitingapproval proposed pendingapproval syncing applying retrying submitted queueing inqueue notreconciled
    notstarted accepting bootstrapping awaited`,
  idle: `paused suspended stopped halted inactive disabled idle standby dormant hibernated hibernating shutdown cancelled
    canceled skipped skip unused released off none archived detached`,
  ok: `ready running active available healthy bound succeeded success successful complete completed deployed synced
    insync ok okay online up established valid approved accepted provisioned installed normal green done finished
    stable applied created connected enabled programmed resolved issued pass passed reconciled operational open
    processed normalised normalized live true updated current serving attached configured initialized exists
    compliant exists atlatestknown`,
};

const sayings: ReadonlyMap<string, Saying> = new Map(
  Object.entries(wordsOf).flatMap(([says, words]) =>
    words.split(/\s+/).map((word): [string, Saying] => [word, says as Saying]),
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
  [/^partially$/, 'warn'],
  [
    /^(?:unable|cannot|unrecoverable|crash|fail(?:ed|ure|ing)?|err|errors?|errored|fatal|degraded|unhealthy|crashed|broken|invalid|rejected|denied|aborted|stalled|expired|unreachable|unavailable|noncompliant)$/,
    'bad',
  ],
  [/^(?:warn|warning|impaired|inconclusive)$/, 'warn'],
  [/^(?:paused|suspended|stopped|disabled|cancell?ed)$/, 'idle'],
  [/^(?!running$)\w{3,}ing$|^(?:wait|progress|scheduled)$/, 'info'],
  [/^(?:ready|healthy|succeeded|successful|success|completed?|running|available|ok|synced|deployed)$/, 'ok'],
];
const negation = /^(?:no|not|non|never|without|un)$/;
const lack = /(?:^|[\s_.:,/-])not[\s_-](?:ready|available|running|healthy)(?:$|[\s_.:,/-])/;
/** The boundary between two words in camel case. */
const bounds = /([a-z0-9])(?=[A-Z])/g;

/**
 * Meaning of a phase or state, also one of several words (`Deploy complete`, `HEALTH_WARN`).
 * @param own what the words of its family say, in lower case; they come first
 * @returns undefined for an unknown word
 */
export function readWord(word: string, own?: Readonly<Record<string, Saying>>): Saying | undefined {
  if (word === '' || word.length > 2 * maxWordLength) return undefined;
  const lower = word.toLowerCase();
  if (own !== undefined && Object.hasOwn(own, lower)) return own[lower];
  // A longer text that is not known as a whole is a sentence.
  if (word.length > maxWordLength) return undefined;
  return generalSaying(word);
}

const generalSaying = remembering((word: string): Saying | undefined => {
  const lower = word.toLowerCase();
  const whole = sayings.get(lower.replaceAll(/[\s_-]+/g, ''));
  if (whole !== undefined) return whole;
  const phrase = word.replaceAll(bounds, '$1 ').toLowerCase();
  const words = phrase.split(/[\s_.:,/-]+/);
  if (lack.test(phrase)) return 'soft';
  if (/\bout[\s_-]of[\s_-]?sync\b/.test(phrase)) return 'warn';
  // A negation turns the words after it.
  const negated = words.findIndex((one) => negation.test(one));
  const plain = negated < 0 ? words : words.slice(0, negated);
  return phraseTones.find(([pattern]) => plain.some((one) => pattern.test(one)))?.[1];
});

/** Counts in a text: `1/3`. */
const ratio = /^(\d{1,9})\/(\d{1,9})$/;

/** Tone and label of a text of two counts; undefined for any other text. */
export function ratioIn(text: string): readonly [says: Saying, label: string] | undefined {
  const [, part, whole] = ratio.exec(text) ?? [];
  if (part === undefined || whole === undefined) return undefined;
  return Number(part) >= Number(whole) ? ['ok', 'Ready'] : ['slow', `${part} of ${whole} ready`];
}

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

/** A message that reports a failure, where the reason does not. */
export const isFailureMessage = (message: string | undefined): boolean =>
  /^(?:error|failed|failure|fatal|cannot|unable|could not)\b/i.test(message ?? '');

/** Whether a reason reports that something is missing, which may still be made. */
export const isAbsence = (reason: string): boolean =>
  /(?:NotFound|Missing|DoesNotExist|NotExist)$/.test(reason);

/** Whether a reason says that somebody paused or ended the object. */
export const isHalted = (reason: string): boolean =>
  /^(?:\w*Paused|\w*Suspended|\w*Halted|\w*Cancell?ed|Stopped)$/.test(reason);
