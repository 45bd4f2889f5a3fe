import type { Pod } from '../../../kube/core.ts';
import type { Service } from '../../../kube/infrastructure.ts';
import { absent, type Clue, field, logLine, type Proof, rule, trail } from '../rule.ts';
import { allOf, namedObject, oneOf, type World } from '../world.ts';
import { type EndedContainer, endText, ownEnd } from './ended-container.ts';
import type { LogReason, ReasonId } from './log-reasons.ts';
import { workloadRemedy } from './pod-parts.ts';

/** The rest of the sentence about a program that ended, and the evidence besides the line. */
interface Explanation {
  readonly why: string;
  readonly evidence?: readonly Proof[];
}

interface ExplainedEnd {
  readonly ended: EndedContainer;
  readonly reason: LogReason;
  readonly pod: Pod;
  readonly world: World;
}

const logRule = (id: ReasonId, sort: 'cause' | 'symptom', explain: (found: ExplainedEnd) => Explanation) =>
  rule<Pod>({
    id: `pod.log-${id}`,
    kind: 'Pod',
    tone: 'bad',
    sort,
    find(pod, world): Clue | undefined {
      const own = ownEnd(pod, world);
      if (own?.reason === undefined || own.reason.id !== id) return undefined;
      const { ended, reason } = own;
      const { why, evidence = [] } = explain({ ended, reason, pod, world });
      const { container, previous } = ended.log;
      return {
        sentence: `The program in container ${ended.name} ${endText(ended.code)}: ${why}.`,
        evidence: [
          logLine(pod, { container, previous, ...reason.line }),
          ...ended.proofs.filter(({ type }) => type !== 'log'),
          ...evidence,
        ],
        actions: workloadRemedy(pod, world, 'rollback'),
      };
    },
  });

/** The service of a name as pods use it: `db`, `db.shop`, `db.shop.svc.cluster.local`; undefined for other names. */
function serviceNamed(
  host: string,
  pod: Pod,
): { readonly name: string; readonly namespace: string } | undefined {
  const [, name, namespace = pod.metadata?.namespace ?? '', svc] =
    /^([a-z][a-z0-9-]*)(?:\.([a-z0-9-]+)(\.svc(?:\.cluster\.local)?)?)?\.?$/.exec(host) ?? [];
  // `example.org` looks like a service of a namespace: only names that no one else can have are taken for one.
  if (name === undefined || name === 'localhost' || (host.includes('.') && svc === undefined))
    return undefined;
  return { name, namespace };
}

/** The service that an address leads to, by its name or its own address; undefined where none is known. */
function serviceAt(address: string, pod: Pod, world: World): Service | undefined {
  const host = address.replace(/:\d+$/, '');
  if (/^(?:127\.|::1|\[::1\]|0\.0\.0\.0|localhost)/.test(host) || host === '') return undefined;
  const named = serviceNamed(host, pod);
  if (named !== undefined) return oneOf(world, 'Service', named.name, named.namespace) ?? undefined;
  if (!/^[\d.]+$|^\[?[\da-f:]+\]?$/.test(host)) return undefined;
  const isHere = ({ spec }: Service) => spec?.clusterIP === host.replace(/[[\]]/g, '');
  const near = allOf(world, 'Service', { namespace: pod.metadata?.namespace });
  return near === undefined ? undefined : (near.find(isHere) ?? allOf(world, 'Service')?.find(isHere));
}

const prefixed = (text: string, before = ' '): string => (text === '' ? '' : `${before}${text}`);

/** What the last lines of a program that ended say, in the words of the libraries that write them. */
export const logRules = [
  // Why the service behind has no pods that answer says more.
  logRule('refused', 'symptom', ({ reason, pod, world }) => {
    const service = serviceAt(reason.named, pod, world);
    const isOwn = /^(?:127\.|\[?::1|localhost)/.test(reason.named);
    return {
      why: isOwn
        ? `nothing listens on ${reason.named} in its own pod`
        : `its connection to${prefixed(reason.named) || ' another program'} is refused${service === undefined ? ', as nothing listens there' : `. This is the service ${service.metadata?.name ?? ''}`}`,
      evidence: service === undefined ? [] : [field(service, 'spec.clusterIP'), field(service, 'spec.ports')],
    };
  }),
  logRule('name', 'cause', ({ reason, pod, world }) => {
    const wanted = serviceNamed(reason.named, pod);
    const service = wanted && oneOf(world, 'Service', wanted.name, wanted.namespace);
    return {
      why: `it cannot find the host ${reason.named}${wanted !== undefined && service === null ? `, and there is no service ${wanted.name} in namespace ${wanted.namespace}` : ' by DNS'}`,
      evidence:
        wanted !== undefined && service === null
          ? [absent(namedObject('Service', wanted.name, wanted.namespace))]
          : [],
    };
  }),
  logRule('variable', 'cause', ({ reason }) => ({
    why: `the environment variable${prefixed(reason.named)} that it needs is not set`,
  })),
  logRule('file', 'cause', ({ reason, ended, pod }) => ({
    why: `the file${prefixed(reason.named)} that it needs does not exist in the container`,
    evidence: [field(pod, `${ended.specPath}.volumeMounts`)],
  })),
  logRule('permission', 'cause', ({ reason, ended, pod }) => ({
    why: permissionText(reason),
    evidence: [field(pod, `${ended.specPath}.securityContext`), field(pod, 'spec.securityContext')],
  })),
  logRule('port', 'cause', ({ reason, ended, pod }) => ({
    why: `the address ${reason.named} on which it wants to listen is already in use in its pod`,
    evidence: [field(pod, `${ended.specPath}.ports`)],
  })),
  logRule('memory', 'cause', ({ reason, ended, pod }) => ({
    why: `its own runtime ran out of memory${prefixed(reason.named, ': ')}`,
    evidence: [field(pod, `${ended.specPath}.resources.limits.memory`)],
  })),
  logRule('certificate', 'cause', ({ reason }) => ({ why: certificateText(reason.named) })),
  logRule('sign-in', 'cause', ({ reason }) => ({
    why: /does not exist/.test(reason.line.text)
      ? `its database has no user${prefixed(reason.named)}`
      : `its database or another server refuses its user name or password${prefixed(reason.named, ': user ')}`,
  })),
  logRule('migration', 'cause', ({ reason }) => ({
    why: /lock/i.test(reason.line.text)
      ? 'the migrations of its database are locked: another run holds the lock, or left it behind'
      : `a migration of its database failed${prefixed(reason.named, ': ')}`,
  })),
];

function permissionText({ named: place, line }: LogReason): string {
  if (/:\d+$/.test(place))
    return `it may not listen on ${place}. Ports below 1024 need a permission of their own`;
  return /read-only/i.test(line.text)
    ? `it cannot write ${place}: the file system there is read-only`
    : `its user has no permission for ${place}`;
}

function certificateText(what: string): string {
  if (/expired/i.test(what)) return 'a certificate that a server showed it has expired, or is not valid yet';
  return /authority|issuer|self|PKIX|LEAF/i.test(what)
    ? 'it does not trust the certificate that a server showed it: it does not know who issued it'
    : `the certificate that a server showed it is not valid for it: ${what.trim()}`;
}

/** From a program whose connection is refused to the service that it wants to reach. */
export const logTrail = trail<Pod>({
  kind: 'Pod',
  next(pod, world) {
    const reason = ownEnd(pod, world)?.reason;
    const service = reason?.id === 'refused' ? serviceAt(reason.named, pod, world) : undefined;
    return service === undefined ? [] : [service];
  },
});
