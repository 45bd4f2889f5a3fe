import { jobHealth } from '../../../kube/batch.ts';
import type { Pod } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { controllerOf } from '../../../kube/owners.ts';
import { absent, type Clue, field, logLine, type Proof, rule, trail } from '../rule.ts';
import { allOf, namedObject, oneOf, type World } from '../world.ts';
import { shortened } from '../shortened.ts';
import { addressesOf } from './addresses.ts';
import {
  type CalledService,
  configuredServices,
  isOwnHost,
  serviceAt,
  serviceNamed,
  servicesIn,
} from './called-services.ts';
import { nodeClock } from './node-clock.ts';
import { dnsService } from './dns.ts';
import { storesBehind } from './ceph.ts';
import { refusedGrowth } from './storage.ts';
import { lostPort } from './service-ports.ts';
import {
  containerSaying,
  endText,
  endWords,
  type SpeakingContainer,
  speakingContainer,
} from './ended-container.ts';
import { listenerOf } from './listener.ts';
import { missingGrant, type RefusedRight } from './missing-grant.ts';
import { blockText, type LogReason, type ReasonId, tellingLine } from './log-reasons.ts';
import { architectureOf, type NamedContainer, workloadRemedy } from './pod-parts.ts';
import { staleSource } from './stale-source.ts';

/** The rest of the sentence about a program that ended or is not ready, and the evidence besides the line. */
interface Explanation {
  readonly why: string;
  readonly evidence?: readonly Proof[];
}

interface ExplainedLog {
  readonly speaker: SpeakingContainer;
  readonly reason: LogReason;
  readonly pod: Pod;
  readonly world: World;
}

/** The beginning of a sentence about a container: how it ended, or that it is not ready. */
function beginning({ found, ended }: SpeakingContainer, pod: Pod): string {
  const owner = controllerOf(pod);
  const job = owner?.kind === 'Job' ? ` of job ${owner.name}` : '';
  return ended === undefined
    ? `Container ${found.name}${job} is not ready`
    : `The program in container ${found.name}${job} ${endText(ended.code)}`;
}

/** How a container ended, or that it is not ready, as evidence besides its log. */
const stateProofs = (pod: Pod, { found, ended }: SpeakingContainer): readonly Proof[] =>
  ended?.proofs.filter(({ type }) => type !== 'log') ?? [field(pod, `${found.statusPath}.ready`)];

const logRule = (id: ReasonId, sort: 'cause' | 'symptom', explain: (found: ExplainedLog) => Explanation) =>
  rule<Pod>({
    id: `pod.log-${id}`,
    kind: 'Pod',
    tone: 'bad',
    sort,
    find(pod, world): Clue | undefined {
      const said = containerSaying(id, pod, world);
      if (said === undefined) return undefined;
      const { speaker, reason, line } = said;
      const { why, evidence = [] } = explain({ speaker, reason, pod, world });
      return {
        sentence: `${beginning(speaker, pod)}: ${why}.`,
        evidence: [line, ...stateProofs(pod, speaker), ...evidence],
        actions: workloadRemedy(pod, world, 'rollback'),
      };
    },
  });

const prefixed = (text: string, before = ' '): string => (text === '' ? '' : `${before}${text}`);

/** The service that a reason names, or that stands in its line, with the port. */
function calledIn(reason: LogReason, pod: Pod, world: World): CalledService | undefined {
  const [, host = reason.named, port] = /^(.*?):(\d+)$/.exec(reason.named) ?? [];
  const service = serviceAt(host, pod, world);
  return service === undefined
    ? servicesIn(reason.line.text, pod, world)[0]
    : { service, port: port === undefined ? undefined : Number(port) };
}

/** Explanation of a call that is not answered, with the service behind. @param failure `is refused`, `times out` */
function callText({ reason, pod, world }: ExplainedLog, failure: string): Explanation {
  const [, host = reason.named] = /^(.*?)(?::\d+)?$/.exec(reason.named) ?? [];
  if (host !== '' && isOwnHost(host)) return { why: `nothing listens on ${reason.named} in its own pod` };
  const called = calledIn(reason, pod, world);
  const wanted = host === '' ? undefined : serviceNamed(host, pod, world);
  if (called === undefined) {
    const isMissing = wanted && oneOf(world, 'Service', wanted.name, wanted.namespace) === null;
    return {
      why: `its connection to${prefixed(reason.named) || ' another program'} ${failure}${isMissing === true ? `: there is no service ${wanted?.name ?? ''} in namespace ${wanted?.namespace ?? ''}` : ''}`,
      evidence:
        isMissing === true && wanted !== undefined
          ? [absent(namedObject('Service', wanted.name, wanted.namespace))]
          : [],
    };
  }
  const { service, port } = called;
  const name = service.metadata?.name ?? '';
  const ports = (service.spec?.ports ?? []).flatMap((one) => one.port ?? []);
  const isLost =
    port !== undefined && ports.length > 0 && !ports.includes(port) && serviceAt(host, pod, world);
  const isReady = (addressesOf(service, world)?.ready ?? 0) > 0;
  const lost = isReady ? lostPort(service, port, world) : undefined;
  if (lost !== undefined)
    return {
      why: `its connection to ${prefixed(reason.named, '') || name} ${failure}: service ${name} leads to ${lost.text}`,
      evidence: lost.evidence,
    };
  return {
    why: isLost
      ? `it calls port ${port} of service ${name}, which has only ${ports.join(', ')}`
      : `its connection to ${prefixed(reason.named, '') || name} ${failure}${isReady ? `, though service ${name} has ready pods` : `: service ${name} has no ready pod`}`,
    evidence: [field(service, 'spec.ports'), field(service, 'spec.selector')],
  };
}

/** Services of other namespaces with the name that a program cannot find. */
function namesakes(reason: LogReason, pod: Pod, world: World) {
  const wanted = serviceNamed(reason.named, pod, world);
  if (wanted === undefined || oneOf(world, 'Service', wanted.name, wanted.namespace) !== null)
    return undefined;
  const others = allOf(world, 'Service')?.filter(({ metadata }) => metadata?.name === wanted.name) ?? [];
  return { wanted, other: others.length === 1 ? others[0] : undefined };
}

/** Where the token of a pod's service account is mounted. */
const tokenPlace = '/var/run/secrets/kubernetes.io/serviceaccount/';

/** That a pod or its service account switches the mount of its token off; undefined for other files. */
function accountTokenOf(path: string, pod: Pod, world: World): Explanation | undefined {
  if (!path.startsWith(tokenPlace)) return undefined;
  const name = pod.spec?.serviceAccountName ?? 'default';
  const account: (KubeObject & { readonly automountServiceAccountToken?: boolean }) | null | undefined =
    oneOf(world, 'ServiceAccount', name, pod.metadata?.namespace);
  const isPods = pod.spec?.automountServiceAccountToken === false;
  if (!isPods && account?.automountServiceAccountToken !== false) return undefined;
  return {
    why: `the token of service account ${name} is not mounted, as automountServiceAccountToken is false in its ${isPods ? 'pod template' : 'service account'}`,
    evidence: [
      isPods || !account
        ? field(pod, 'spec.automountServiceAccountToken')
        : field(account, 'automountServiceAccountToken'),
    ],
  };
}

/** Rules for the last lines of a program, by the words of the libraries that write them. */
export const logRules = [
  // Why the service behind has no pods that answer says more.
  logRule('refused', 'symptom', (found) => callText(found, 'is refused')),
  logRule('timeout', 'symptom', (found) => callText(found, 'times out')),
  logRule('upstream', 'symptom', ({ reason, pod, world }) => {
    const called = calledIn(reason, pod, world)?.service;
    return {
      why: `what it calls answers with an error${called === undefined ? `: “${quoted(reason.line.text)}”` : `: service ${called.metadata?.name ?? ''}`}`,
      evidence: called === undefined ? [] : [field(called, 'spec.selector')],
    };
  }),
  // Why no name is found at all says more.
  logRule('name', 'symptom', ({ reason, pod, world }) => {
    const missing = namesakes(reason, pod, world);
    if (missing === undefined) return { why: `it cannot find the host ${reason.named} by DNS` };
    const { wanted, other } = missing;
    const place = other?.metadata?.namespace ?? '';
    return {
      why: `it cannot find the host ${reason.named}, and there is no service ${wanted.name} in namespace ${wanted.namespace}${other === undefined ? '' : `; there is one in namespace ${place}, whose name here is ${wanted.name}.${place}`}`,
      evidence: [
        absent(namedObject('Service', wanted.name, wanted.namespace)),
        ...(other === undefined ? [] : [field(other, 'metadata.namespace')]),
      ],
    };
  }),
  logRule('variable', 'cause', ({ reason }) => ({
    why: `the environment variable${prefixed(reason.named)} that it needs is not set`,
  })),
  logRule('file', 'cause', ({ reason, speaker, pod, world }) => {
    const off = accountTokenOf(reason.named, pod, world);
    if (off !== undefined) return off;
    return {
      why: `the file${prefixed(reason.named)} that it needs does not exist in the container`,
      evidence: [field(pod, `${speaker.found.specPath}.volumeMounts`)],
    };
  }),
  logRule('permission', 'cause', ({ reason, speaker, pod }) => ({
    why: permissionText(reason),
    evidence: [field(pod, `${speaker.found.specPath}.securityContext`), field(pod, 'spec.securityContext')],
  })),
  logRule('port', 'cause', ({ reason, speaker, pod }) => {
    const port = Number(/(\d+)$/.exec(reason.named)?.[1] ?? Number.NaN);
    const holder = listenerOf(pod, port, speaker.found.name);
    return {
      why: `the address ${reason.named} on which it wants to listen is already in use in its pod${holder === undefined ? '' : `, by container ${holder.name}, which has ${holder.where}`}`,
      evidence: [
        field(pod, `${speaker.found.specPath}.ports`),
        ...(holder === undefined ? [] : [field(pod, holder.path)]),
      ],
    };
  }),
  logRule('watches', 'cause', ({ reason, pod }) => {
    const node = pod.spec?.nodeName;
    return {
      why: `${/open files/i.test(reason.named) ? 'it has no file handle left' : `no inotify ${/watch/i.test(reason.named) ? 'watch' : 'instance'} is left for its user`}${node === undefined ? '' : ` on node ${node}`}, by a limit of ${/open files/i.test(reason.named) ? 'its process' : 'the node'}: “${quoted(reason.line.text)}”`,
      evidence: node === undefined ? [] : [field(pod, 'spec.nodeName')],
    };
  }),
  logRule('identity', 'cause', ({ reason, pod, world }) => {
    const name = pod.spec?.serviceAccountName ?? 'default';
    const account = oneOf(world, 'ServiceAccount', name, pod.metadata?.namespace);
    const [key, role] =
      Object.entries(account?.metadata?.annotations ?? {}).find(([one]) => roleAnnotation.test(one)) ?? [];
    return {
      why: `the cloud refuses its service account ${name}${role === undefined ? '' : ` the role ${role} that it names`}: “${shortened(reason.named, 80)}”`,
      evidence: [
        field(pod, 'spec.serviceAccountName'),
        ...(account && key !== undefined ? [field(account, 'metadata.annotations')] : []),
      ],
    };
  }),
  // The object that is to make the topic says more.
  logRule('topic', 'symptom', ({ reason }) => ({
    why: `the topic or queue ${reason.named} that it needs does not exist`,
  })),
  logRule('memory', 'cause', ({ reason, speaker, pod }) => ({
    why: `its own runtime ran out of memory${prefixed(reason.named, ': ')}`,
    evidence: [field(pod, `${speaker.found.specPath}.resources.limits.memory`)],
  })),
  // The reason why the volume cannot grow, or the storage behind it, says more.
  logRule('disk', 'symptom', ({ reason, speaker, pod, world }) => {
    const claim = fullClaim(reason.named, speaker.found, pod, world);
    const refused = claim && refusedGrowth(claim, world);
    return {
      why: `no space is left on ${claim === undefined ? 'its disk' : `the volume of claim ${claim.metadata?.name ?? ''}`}${refused === undefined ? prefixed(reason.named, ': ') : `, and ${refused.text}`}`,
      evidence: [
        ...(refused?.proofs ?? []),
        field(pod, `${speaker.found.specPath}.volumeMounts`),
        ...(pod.spec?.volumes === undefined ? [] : [field(pod, 'spec.volumes')]),
      ],
    };
  }),
  logRule('architecture', 'cause', ({ speaker, pod, world }) => {
    const node = architectureOf(pod, world);
    return {
      why: `its image is built for another CPU architecture than that of its node${node === undefined ? '' : `, ${node.architecture}`}`,
      evidence: [field(pod, `${speaker.found.specPath}.image`), ...(node === undefined ? [] : [node.proof])],
    };
  }),
  logRule('forbidden', 'cause', ({ reason, pod, world }) => {
    const { what, right } = forbiddenIn(reason, pod);
    const missing = right && missingGrant(right, world);
    return {
      why: `${what}: ${missing?.why ?? 'no role grants it'}`,
      evidence: [field(pod, 'spec.serviceAccountName'), ...(missing?.evidence ?? [])],
    };
  }),
  logRule('database-right', 'cause', ({ reason }) => ({
    why: `its database user has no permission for ${reason.named}: “${quoted(reason.line.text)}”`,
  })),
  // The job that failed to make it says more.
  logRule('database-missing', 'symptom', ({ reason }) => ({
    why: `its database has no ${missingPart(reason.line.text)} ${reason.named}`,
  })),
  logRule('key-pair', 'cause', ({ reason, speaker, pod }) => {
    const mount = speaker.found.container?.volumeMounts?.find(({ mountPath = '?' }) =>
      reason.named.startsWith(mountPath),
    );
    const volume = pod.spec?.volumes?.find(({ name }) => name === mount?.name);
    const secret = volume?.secret?.secretName;
    return {
      why: `its certificate and its private key do not belong together${secret === undefined ? '' : ` (Secret ${secret})`}: “${quoted(reason.line.text)}”`,
      evidence: [field(pod, `${speaker.found.specPath}.volumeMounts`)],
    };
  }),
  logRule('certificate', 'cause', ({ reason, pod, world }) => {
    const clock = clockOf(pod, world);
    if (clock !== undefined && /not yet valid|is before|expired/i.test(reason.line.text))
      return {
        why: `a certificate is not valid by the clock of its node ${pod.spec?.nodeName ?? ''}, which is ${clock.text}`,
        evidence: clock.evidence,
      };
    const isEarly = /current time \S+ is before/.test(reason.line.text);
    return { why: isEarly ? certificateText('not yet valid') : certificateText(reason.named) };
  }),
  logRule('sign-in', 'cause', ({ reason, speaker, pod, world }) => {
    const stale = staleSource(pod, world, speaker);
    if (stale !== undefined) return stale;
    return {
      why: /does not exist/.test(reason.line.text)
        ? `its database has no user${prefixed(reason.named)}`
        : `what it signs in to refuses its user name and password${prefixed(reason.named, ': user ')}`,
    };
  }),
  logRule('migration', 'cause', ({ reason }) => ({
    why: /lock/i.test(reason.line.text)
      ? 'the migrations of its database are locked by another run'
      : `a migration of its database failed${prefixed(reason.named.replace(/[.\s]+$/, ''), ': ')}`,
  })),
];

/** The lines before the end that are cited. */
export const citedLines = 4;

/** A program that ended with an error which no rule knows: its own last words are the answer. */
export const crashRule = rule<Pod>({
  id: 'pod.crash',
  kind: 'Pod',
  tone: 'bad',
  sort: 'cause',
  find(pod, world) {
    const speaker = speakingContainer(pod, world);
    const ended = speaker?.ended;
    // The rules about logs say why.
    if (speaker === undefined || ended === undefined || speaker.reason !== undefined) return undefined;
    const { container, previous } = speaker.log;
    const telling = tellingLine(speaker.lines);
    const cited = [
      ...new Set([...(telling === undefined ? [] : [telling]), ...speaker.lines.slice(-citedLines)]),
    ];
    return {
      sentence:
        telling === undefined
          ? `${endWords(ended) ?? `${beginning(speaker, pod)}, and no log of it says why`}.`
          : `${beginning(speaker, pod)}: “${quoted(blockText(speaker.lines, telling))}”.`,
      evidence:
        cited.length === 0
          ? ended.proofs
          : [
              ...cited.map((line) => logLine(pod, { container, previous, ...line })),
              ...stateProofs(pod, speaker),
            ],
      actions: workloadRemedy(pod, world, 'rollback'),
    };
  },
});

/** Annotations of service accounts that name a role of a cloud. */
const roleAnnotation =
  /^(?:eks\.amazonaws\.com\/role-arn|iam\.gke\.io\/gcp-service-account|azure\.workload\.identity\/client-id)$/;

function missingPart(text: string): string {
  if (/column/i.test(text)) return 'column';
  return /database "|Unknown database/i.test(text) ? 'database' : 'table';
}

/** The claim whose volume is full: the one at the path, or the only one. */
function fullClaim(path: string, found: NamedContainer, pod: Pod, world: World) {
  const claimed = (found.container?.volumeMounts ?? []).flatMap(({ name, mountPath = '' }) => {
    const volume = pod.spec?.volumes?.find((one) => one.name === name);
    const claim = volume?.persistentVolumeClaim?.claimName;
    return claim === undefined ? [] : [{ claim, mountPath }];
  });
  const isWithin = ({ mountPath }: { readonly mountPath: string }) =>
    path === mountPath || path.startsWith(`${mountPath.replace(/\/$/, '')}/`);
  const one = path.startsWith('/') ? claimed.find(isWithin) : undefined;
  const [only] = claimed;
  const full = one ?? (path.startsWith('/') || claimed.length > 1 ? undefined : only);
  const name = full?.claim;
  return name === undefined
    ? undefined
    : (oneOf(world, 'PersistentVolumeClaim', name, pod.metadata?.namespace) ?? undefined);
}

/** Characters of a line that a sentence quotes. */
const quoteLimit = 130;

/** The part of a line that says most: without its time and level, and not too long. */
export function quoted(text: string): string {
  const plain = text
    .trim()
    .replace(/^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?\s+)/, '')
    .replace(/^(?:UTC|GMT)?\s*(?:\[\d+\])?\s*(?=(?:FATAL|ERROR|PANIC|DETAIL|HINT): )/, '')
    .replace(/^DETAIL:\s+/, '')
    .replace(/^(?:\[?(?:ERROR|FATAL|CRITICAL|WARN(?:ING)?)\]?:?\s+)/, '');
  const message = /"(?:msg|message|error|err)"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(plain)?.[1];
  const said = (message ?? plain).replace(furtherReading, '').replace(/[.\s]+$/, '');
  return shortened(firstSentences(said.replace(packageName, '')), quoteLimit, 0.3);
}

/** Where a line refers to further reading at its end. */
const furtherReading =
  /[;,.]?\s*(?:for more (?:information|details),? )?\(?see:? \[?https?:\/\/\S+?[\])]*[.\s]*$/i;
/** The package of an exception at the beginning of a line. */
const packageName = /^(?:[a-z][\w$]*\.)+(?=[A-Z]\w*(?:Exception|Error)\b)/;
/** Length from which on the first sentences of a line say enough by themselves. */
const tellingLength = 40;

/** The first sentences of a text, as many as may be quoted: what is advised after them is left out first. */
function firstSentences(text: string): string {
  if (text.length <= quoteLimit) return text;
  const parts = text.split(/(?<=[\w)\]"'])\. (?=[A-Z])/);
  let first = parts[0] ?? '';
  for (const next of parts.slice(1)) {
    if (first.length + next.length + 2 > quoteLimit) break;
    first = `${first}. ${next}`;
  }
  return first.length < tellingLength ? text : first;
}

function permissionText({ named: place, line }: LogReason): string {
  if (/:\d+$/.test(place))
    return `it may not listen on ${place}. Ports below 1024 need a permission of their own`;
  return /read-only/i.test(line.text)
    ? `it cannot write ${place}: the file system there is read-only`
    : `its user has no permission for ${place}`;
}

/** Which account may not do what, as the API server refuses it. */
function forbiddenIn(
  { named, line }: LogReason,
  pod: Pod,
): { readonly what: string; readonly right: RefusedRight | undefined } {
  const [, place = '', name = named] = /^system:serviceaccount:([^:]+):(.+)$/.exec(named) ?? [];
  const [, verb = 'do', resource = ''] =
    /(?:cannot|not allowed to) (\w+)(?: resource "([^"]+)")?/.exec(line.text) ?? [];
  const group = /in API group "([^"]*)"/.exec(line.text)?.[1] ?? '';
  const namespace = /in the namespace "([^"]+)"/.exec(line.text)?.[1];
  const isHome = place === '' || place === pod.metadata?.namespace;
  return {
    what: `service account ${name}${isHome && place !== namespace ? '' : ` of namespace ${place}`} may not ${verb} ${resource}${group === '' ? '' : `.${group}`}${namespace === undefined ? '' : ` in namespace ${namespace}`}`,
    right:
      place === '' || resource === ''
        ? undefined
        : { account: { namespace: place, name }, verb, resource, group, namespace },
  };
}

/** How far the clock of a pod's node is off. */
function clockOf({ spec }: Pod, world: World) {
  const node = spec?.nodeName === undefined ? undefined : oneOf(world, 'Node', spec.nodeName);
  return node ? nodeClock(node, world) : undefined;
}

function certificateText(what: string): string {
  if (/not yet valid/i.test(what) && !/expired or is not yet/i.test(what))
    return 'a certificate that a server showed it is not valid yet';
  if (/expired/i.test(what)) return 'a certificate that a server showed it has expired';
  return /authority|issuer|self|PKIX|LEAF/i.test(what)
    ? 'it does not trust the certificate that a server showed it: it does not know who issued it'
    : `the certificate that a server showed it is not valid for it: ${what.trim()}`;
}

/** Jobs of the namespace that were to change a database and failed. */
const failedMigrations = (pod: Pod, world: World): readonly KubeObject[] =>
  (allOf(world, 'Job', { namespace: pod.metadata?.namespace }) ?? []).filter(
    (job) =>
      /migrat|schema|flyway|liquibase|alembic|db-?(?:init|setup)/i.test(job.metadata?.name ?? '') &&
      jobHealth(job).state === 'failed',
  );

/** The objects that are to make a topic or queue, by its name. */
function topicsNamed(topic: string, pod: Pod, world: World): readonly KubeObject[] {
  const kinds = [
    { apiVersion: 'kafka.strimzi.io/v1beta2', kind: 'KafkaTopic' },
    { apiVersion: 'rabbitmq.com/v1beta1', kind: 'Queue' },
  ] as const;
  const isIt = ({ spec, metadata }: KubeObject & { readonly spec?: { topicName?: string; name?: string } }) =>
    (spec?.topicName ?? spec?.name ?? metadata?.name) === topic;
  return kinds.flatMap((one) =>
    [...(world.all({ ...one, namespace: pod.metadata?.namespace }) ?? []), ...(world.all(one) ?? [])].filter(
      isIt,
    ),
  );
}

/** Reasons that lead to what a program calls. */
const calls: readonly ReasonId[] = ['refused', 'timeout', 'upstream'];

/**
 * From a program whose calls fail to the services that it calls: those that its line names, else those of its
 * configuration that nobody answers for. From one that finds no names to what answers for them.
 */
export const logTrail = trail<Pod>({
  kind: 'Pod',
  next(pod, world) {
    const speaker = speakingContainer(pod, world);
    if (speaker === undefined) return [];
    const { reason, lines } = speaker;
    if (reason?.id === 'name') return [dnsService(world) ?? []].flat();
    if (reason === undefined) {
      const telling = tellingLine(lines);
      return telling === undefined || speaker.ended !== undefined
        ? []
        : servicesIn(telling.text, pod, world).map(({ service }) => service);
    }
    if (reason.id === 'database-missing') return failedMigrations(pod, world);
    if (reason.id === 'topic') return topicsNamed(reason.named, pod, world);
    if (reason.id === 'disk') {
      const claim = fullClaim(reason.named, speaker.found, pod, world);
      return claim === undefined ? [] : storesBehind(claim, world);
    }
    if (!calls.includes(reason.id)) return [];
    const named = calledIn(reason, pod, world);
    if (named !== undefined) return [named.service];
    if (reason.named !== '' && isOwnHost(reason.named)) return [];
    const address = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(reason.named)?.[1];
    const called =
      address === undefined
        ? undefined
        : allOf(world, 'Pod', { namespace: pod.metadata?.namespace })?.find(
            ({ status }) => status?.podIP === address,
          );
    if (called !== undefined) return [called];
    return configuredServices(pod, world)
      .map(({ service }) => service)
      .filter((service) => addressesOf(service, world)?.ready === 0);
  },
});
