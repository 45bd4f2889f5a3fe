import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { Pod } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { isDue } from '../../live/dashboard/attention-lines.ts';
import { groupOf } from '../../../registry/kinds/refs.ts';
import type { PersistentVolumeClaim } from '../../../kube/storage.ts';
import type { Condition } from '../../../kube/object.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import { withoutStop } from '../../../kube/text.ts';
import { isVague, tellingWarning, timesSeen } from '../own-words.ts';
import { absent, condition, event, field, logLine, present, rule, trail } from '../rule.ts';
import { shortened } from '../shortened.ts';
import { type LogLine, nameOf, seenAt, warningsOf, type World } from '../world.ts';
import { quoted } from './log.ts';
import { troubleOf } from './pod-parts.ts';
import { addressesOf } from './addresses.ts';
import { partsOf } from './operator-parts.ts';
import { referencesOf, targetOf } from './references.ts';

/** How long finalizers may take, s. */
const patience = 120;

/** Finalizers by which the cluster itself protects what is in use. */
const protection = /^kubernetes\.io\/pvc?-protection$/;

/** An object that was deleted, and that a finalizer keeps. */
const finalizerRule = rule({
  id: 'object.finalizer',
  kind: '*',
  tone: 'bad',
  sort: 'cause',
  find(object, world) {
    const { deletionTimestamp, finalizers = [], name = '' } = object.metadata ?? {};
    const since = epochSeconds(deletionTimestamp);
    const first = finalizers.find((one) => !protection.test(one));
    if (since === null || since > world.now - patience || first === undefined) return undefined;
    return {
      sentence: `${object.kind ?? ''} ${name} has been waiting ${formatAge(world.now - since)} to be deleted: its finalizer ${first} is still there. Check that the controller that removes this finalizer is running.`,
      evidence: [field(object, 'metadata.deletionTimestamp'), field(object, 'metadata.finalizers')],
    };
  },
});

/** Kinds whose trouble their pods and conditions tell: warnings about them pass. */
const ownWords =
  /^(Pod|Node|Namespace|Event|Deployment|ReplicaSet|StatefulSet|DaemonSet|Job|CronJob|PersistentVolumeClaim|HorizontalPodAutoscaler)$/;
/** How old a warning may be, s: what goes wrong is tried again. */
const freshness = 20 * 60;

/** Whether an object says itself that it is well, or answers requests: an event alone is then no trouble. */
function isWell(object: KubeObject, world: World): boolean {
  if (object.kind === 'Service') return (addressesOf(object, world)?.ready ?? 0) > 0;
  const status = world.kindOf(nameOf(object))?.status?.(object);
  // An object without a status, which no controller has written yet, says nothing of itself.
  const isSilent = isCustom(object) && Object.keys((object as { status?: object }).status ?? {}).length === 0;
  return !isSilent && (status?.tone === 'ok' || status?.tone === 'idle');
}

/** A fresh warning, seen more than once, about an object that does not say that it is well. */
const warningRule = rule({
  id: 'object.warning',
  kind: '*',
  tone: 'warn',
  sort: 'symptom',
  find(object, world) {
    // Its own status says what is wrong.
    if (ownWords.test(object.kind ?? '') || isTroubled(object, world)) return undefined;
    const said = warningsOf(world, object)[0];
    const at = said === undefined ? null : seenAt(said);
    if (said?.message === undefined || at === null || at < world.now - freshness) return undefined;
    // A single event may be over.
    if ((said.series?.count ?? said.count ?? 1) < 2 || isWell(object, world)) return undefined;
    return {
      sentence: `${object.kind ?? ''} ${object.metadata?.name ?? ''}: ${said.message.trim()}`,
      evidence: [event(object, said)],
    };
  },
});

/** Whether an object is of a kind that Kubernetes itself does not have. */
const isCustom = ({ apiVersion = 'v1' }: KubeObject): boolean => {
  const group = groupOf(apiVersion);
  return group.includes('.') && !group.endsWith('.k8s.io');
};

/** Whether an object says that something is wrong with it. */
function isTroubled(object: KubeObject, world: World): boolean {
  const attention = world.kindOf(nameOf(object))?.attention?.(object);
  return attention !== undefined && isDue(attention, world.now);
}

/** Kinds that have rules of their own about what they refer to. */
const hasOwnRules = /^(?:Certificate|CertificateRequest|Order|Challenge)$/;

/** A custom object in trouble that refers to something which does not exist. */
const referenceRule = rule({
  id: 'object.reference-missing',
  kind: '*',
  tone: 'bad',
  sort: 'cause',
  find(object, world) {
    if (!isCustom(object) || !isTroubled(object, world)) return undefined;
    if (hasOwnRules.test(object.kind ?? '')) return undefined;
    const missing = referencesOf(object).find((one) => world.one(targetOf(one, world)) === null);
    if (missing === undefined) return undefined;
    const target = targetOf(missing, world);
    const { kind, name, namespace } = target;
    return {
      sentence: `${kind} ${name}, which ${object.kind ?? ''} ${object.metadata?.name ?? ''} refers to, does not exist${namespace === undefined ? '' : ` in namespace ${namespace}`}.`,
      evidence: [field(object, missing.path), absent(target)],
    };
  },
});

/** Words of operators whose disks are full. */
const fullWords =
  /not enough disk space|no space left|disk (?:is |quota )?(?:full|exceeded)|full osd|out of disk/i;

/** A custom object whose instances have no room left on their claims. */
const diskRule = rule({
  id: 'object.disk-full',
  kind: '*',
  tone: 'bad',
  sort: 'cause',
  find(object, world) {
    if (!isCustom(object) || !isTroubled(object, world)) return undefined;
    const { title = '', detail = '' } = world.kindOf(nameOf(object))?.attention?.(object) ?? {};
    if (!fullWords.test(`${title} ${detail}`)) return undefined;
    const claims = partsOf(object, 'PersistentVolumeClaim', world) as readonly PersistentVolumeClaim[];
    const names = claims.slice(0, 3).map(({ metadata, status }) => {
      const size = status?.capacity?.['storage'];
      return `${metadata?.name ?? ''}${size === undefined ? '' : ` (${size})`}`;
    });
    if (names.length === 0) return undefined;
    const words = detail === '' ? title : detail;
    return {
      sentence: `${object.kind ?? ''} ${object.metadata?.name ?? ''} has no disk space left on ${claims.length === 1 ? 'its claim' : 'its claims, as'} ${names.join(', ')}: ${words.replace(/\.$/, '')}.`,
      evidence: [present(object), ...claims.slice(0, 3).map((one) => field(one, 'status.capacity'))],
    };
  },
});

/** Letters from which on a word says what it is about. */
const tellingLength = 6;
/** Words that messages about anything have. */
const usualWords =
  /^(?:failed|failure|failing|errors?|cluster|instances?|object|resources?|status|message|reason|unexpected|cannot|unable|waiting|ready|update|reconcil\w*|could|should|because|please|invoking)$/;
/** Pods of one object whose logs are looked at. */
const speakerLimit = 2;

/** The newest error in a log that is about the same thing as a text. */
function lineAbout(text: string, lines: readonly LogLine[]): LogLine | undefined {
  const found = text.toLowerCase().match(new RegExp(`[a-z][a-z-]{${tellingLength - 1},}`, 'g')) ?? [];
  const words = found.filter((word) => !usualWords.test(word));
  const isAbout = (line: string) =>
    /error|fail|denied|refused|exception/i.test(line) &&
    words.some((word) => line.toLowerCase().includes(word)) &&
    // The very words of the object say no more than it does.
    !line.includes(text);
  return lines
    .filter((line) => isAbout(line.text))
    .toSorted((a, b) => causeRank(b.text) - causeRank(a.text))[0];
}

/** How much a line says of a cause. */
const causeRank = (line: string): number =>
  /does not exist|denied|invalid|not found|expired|refused|timed? ?out|no such|unauthori[sz]ed|forbidden/i.test(
    line,
  )
    ? 1
    : 0;

/** A custom object in trouble whose pods run: what they write about it. */
const partLogRule = rule({
  id: 'object.part-log',
  kind: '*',
  tone: 'bad',
  sort: 'symptom',
  find(object, world) {
    if (!isCustom(object) || !isTroubled(object, world)) return undefined;
    const { detail } = world.kindOf(nameOf(object))?.attention?.(object) ?? {};
    if (detail === undefined) return undefined;
    for (const pod of (partsOf(object, 'Pod', world) as readonly Pod[]).slice(0, speakerLimit)) {
      const container = pod.spec?.containers?.[0]?.name;
      const place = { container: container ?? '', previous: false };
      const line =
        container === undefined || troubleOf(pod, world) !== undefined
          ? undefined
          : lineAbout(detail, world.log({ pod: nameOf(pod), ...place }) ?? []);
      if (line === undefined) continue;
      return {
        sentence: `${object.kind ?? ''} ${object.metadata?.name ?? ''}: ${shortened(detail, 70)}; pod ${pod.metadata?.name ?? ''} says: “${quoted(line.text)}”.`,
        evidence: [present(object), logLine(pod, { ...place, ...line })],
      };
    }
    return undefined;
  },
});

/** How often a warning about an object that is well was seen, and how lately, s, to be worth a note. */
const repeated = { times: 3, within: 10 * 60 };

/** When an object was last said to be ready, epoch seconds; null where it says no time. */
const readySince = (object: KubeObject): number | null =>
  epochSeconds(
    conditionOf((object as { status?: { conditions?: Condition[] } }).status?.conditions, 'Ready')
      ?.lastTransitionTime,
  );

/** A warning that is repeated about an object in which nothing else is found. */
const repeatedRule = rule({
  id: 'object.repeated-warning',
  kind: '*',
  tone: 'info',
  sort: 'last',
  find(object, world) {
    const said = tellingWarning(object, world);
    const at = said === undefined ? null : seenAt(said);
    if (said?.message === undefined || at === null || timesSeen(said) < repeated.times) return undefined;
    // One of before it was ready is over.
    if (at < world.now - repeated.within || at <= (readySince(object) ?? 0)) return undefined;
    return {
      sentence: `No trouble shows, but a warning about ${object.kind ?? ''} ${object.metadata?.name ?? ''} is repeated (${said.reason ?? ''}): ${withoutStop(said.message)}.`,
      evidence: [event(object, said)],
    };
  },
});

/** How long an operator may be about something before that is worth a note, s. */
const underWay = 10 * 60;

/** An object that its operator has been about for long, without saying that anything is wrong. */
const unsettledRule = rule({
  id: 'object.under-way',
  kind: '*',
  tone: 'info',
  sort: 'last',
  find(object, world) {
    const status = world.kindOf(nameOf(object))?.status?.(object);
    if (!isCustom(object) || (status?.tone !== 'info' && status?.tone !== 'warn')) return undefined;
    const { conditions } = (object as { status?: { conditions?: Condition[] } }).status ?? {};
    const open = conditions?.find(({ status: is, message = '' }) => is !== 'True' && !isVague(message));
    const since = epochSeconds(open?.lastTransitionTime);
    if (open?.message === undefined || since === null || since > world.now - underWay) return undefined;
    return {
      sentence: `${object.kind ?? ''} ${object.metadata?.name ?? ''} has not been ${open.type} for ${formatAge(world.now - since)}: ${withoutStop(open.message)}.`,
      evidence: [condition(object, open.type)],
    };
  },
});

/** Rules about objects of every kind. */
export const anyObjectRules = [
  finalizerRule,
  referenceRule,
  diskRule,
  partLogRule,
  warningRule,
  unsettledRule,
  repeatedRule,
];

/** Whether an object is in trouble, or says that something is still under way. */
function isUnsettled(object: KubeObject, world: World): boolean {
  const tone = world.kindOf(nameOf(object))?.status?.(object)?.tone;
  return isTroubled(object, world) || tone === 'info' || tone === 'warn';
}

/** Parts of one kind that are followed. */
const partLimit = 10;

/** From a custom object in trouble to what it refers to, and to what its operator made for it. */
export const anyObjectTrails = [
  trail({
    kind: '*',
    next(object, world) {
      if (!isCustom(object) || hasOwnRules.test(object.kind ?? '') || !isTroubled(object, world)) return [];
      return referencesOf(object)
        .filter(({ named }) => named.kind !== 'Secret' && named.kind !== 'ConfigMap')
        .flatMap((one) => {
          const found = world.one(targetOf(one, world));
          return found && isTroubled(found, world) ? [found] : [];
        });
    },
  }),
  // Pods and claims of an operator's object say more than that it waits for them.
  trail({
    kind: '*',
    next: (object, world) =>
      isCustom(object) && isUnsettled(object, world)
        ? ['Pod', 'PersistentVolumeClaim', 'StatefulSet', 'Deployment'].flatMap((kind) =>
            partsOf(object, kind, world).slice(0, partLimit),
          )
        : [],
  }),
];
