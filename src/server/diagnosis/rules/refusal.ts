import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../../kube/apps.ts';
import type { Job } from '../../../kube/batch.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { refusedPods } from '../../../kube/workload-status.ts';
import { absent, type Clue, event, field, type Proof, rule } from '../rule.ts';
import { wantedAccount } from '../../objects/wanted.ts';
import { namedObject, namespaceOf, oneOf, seenAt, warningsOf, type World } from '../world.ts';
import { workloadOf } from './pod-parts.ts';

/** Why the API server refuses the pods of a controller, in its words. */
interface Refused {
  readonly message: string;
  readonly proof: Proof;
}

/** Events of refused pods outlive their cause: only one of the last minutes tells of now, seconds. */
const freshness = 1200;

function refusedBy(object: KubeObject, world: World, isShort: boolean): Refused | undefined {
  if (!isShort) return undefined;
  const told = object.kind === 'ReplicaSet' ? refusedPods(object) : undefined;
  if (told !== undefined) {
    const conditions: readonly { readonly type?: string }[] = (object as ReplicaSet).status?.conditions ?? [];
    const at = conditions.findIndex(({ type }) => type === 'ReplicaFailure');
    return { message: told, proof: field(object, `status.conditions[${at}].message`) };
  }
  const found = warningsOf(world, object).find(({ reason }) => reason === 'FailedCreate');
  if (found?.message === undefined || (seenAt(found) ?? world.now) < world.now - freshness) return undefined;
  return { message: found.message, proof: event(object, found) };
}

/** Whether a controller has fewer pods than it is to have. */
function isShort(object: KubeObject): boolean {
  const { spec = {}, status = {} } = object as Deployment & StatefulSet;
  const daemons = (object as DaemonSet).status;
  if (daemons?.desiredNumberScheduled !== undefined)
    return (daemons.currentNumberScheduled ?? 0) < daemons.desiredNumberScheduled;
  if (object.kind === 'Job') {
    const { active = 0, succeeded = 0, conditions = [] } = (object as Job).status ?? {};
    return active + succeeded === 0 && conditions.length === 0;
  }
  return (status.replicas ?? 0) < (spec.replicas ?? 1);
}

/** What refuses pods: a pattern of the API server's sentence, and what is said of it. */
interface Refuser {
  readonly id: string;
  readonly pattern: RegExp;
  readonly say: (match: RegExpExecArray, object: KubeObject, world: World, proof: Proof) => Clue;
}

/** The pods of a controller, as a sentence names them. */
const podsText = ({ kind = '', metadata }: KubeObject, article = 'the'): string =>
  `${article} pods of ${kind} ${metadata?.name ?? ''}`;

/** What the containers of a template ask for; never their environment, which the whole containers would show. */
function resourcesOf(object: KubeObject): Proof[] {
  const path = 'spec.template.spec.containers';
  const { spec } = object as {
    readonly spec?: { template?: { spec?: { containers?: readonly unknown[] } } };
  };
  const number = spec?.template?.spec?.containers?.length ?? 0;
  return Array.from({ length: Math.max(1, Math.min(number, 4)) }, (_, at) =>
    field(object, `${path}[${at}].resources`),
  );
}

const refusers: readonly Refuser[] = [
  {
    id: 'quota',
    pattern: /exceeded quota: ([^,]+)(?:, requested: (.+?), used: (.+?), limited: (.+))?$/,
    say([, name = '', asked, used, limit], object, world, proof) {
      const quota = oneOf(world, 'ResourceQuota', name, namespaceOf(object));
      return {
        object: namedObject('ResourceQuota', name, namespaceOf(object)),
        sentence: `The quota ${name} in namespace ${namespaceOf(object)} has no room for ${podsText(object)}${asked === undefined ? '' : `: a new pod asks for ${asked}, and ${used} of ${limit} is in use`}.`,
        evidence: [proof, ...(quota ? [field(quota, 'status.used'), field(quota, 'status.hard')] : [])],
        edits: [namedObject('ResourceQuota', name, namespaceOf(object))],
      };
    },
  },
  {
    id: 'quota-requests',
    pattern: /failed quota: ([^:]+): must specify (.+)$/,
    say: ([, name = '', what = ''], object, _world, proof) => ({
      sentence: `The quota ${name} requires every container to set ${what.replace(/ for: [^;]+/g, '').replaceAll(';', ',')}. ${podsText(object, 'The')} do not, so they are refused.`,
      evidence: [proof, ...resourcesOf(object)],
    }),
  },
  {
    id: 'pod-security',
    pattern: /violates PodSecurity "([^"]+)": (.+)$/s,
    say([, level = '', why = ''], object, world, proof) {
      const namespace = oneOf(world, 'Namespace', namespaceOf(object));
      return {
        sentence: `The namespace ${namespaceOf(object)} enforces the Pod Security level ${level.split(':')[0]}, and ${podsText(object)} violate it: ${why}.`,
        evidence: [proof, ...(namespace ? [field(namespace, 'metadata.labels')] : [])],
      };
    },
  },
  {
    id: 'service-account',
    pattern: /serviceaccount "([^"]+)" not found|error looking up service account \S+?\/([^:\s]+)/,
    say([, name, other], object, _world, proof) {
      const account = name ?? other ?? '';
      return {
        sentence: `The service account ${account}, as which ${podsText(object)} run, does not exist.`,
        evidence: [
          proof,
          absent(namedObject('ServiceAccount', account, namespaceOf(object))),
          field(object, 'spec.template.spec.serviceAccountName'),
        ],
        // Each namespace gets the account `default` from the cluster itself.
        wanted: account === 'default' ? [] : [wantedAccount(account, namespaceOf(object))],
      };
    },
  },
  {
    id: 'limit-range',
    pattern:
      /(maximum|minimum) (cpu|memory|[\w./-]+) usage per (Container|Pod) is ([^,]+?), but (?:limit|request) is ([^,\]\s]+)|(\w+) max limit to request ratio/,
    say: (
      [, bound = 'ratio', what = '', per = 'Container', limit = '', asked = ''],
      object,
      _world,
      proof,
    ) => ({
      sentence:
        limit === ''
          ? `The limit range of the namespace refuses ${podsText(object)}: their limits are too far above their requests.`
          : `The limit range of the namespace allows a ${bound} of ${limit} ${what} for each ${per.toLowerCase()}, and ${podsText(object)} ask for ${asked.replace(/\.$/, '')}.`,
      evidence: [proof, ...resourcesOf(object)],
    }),
  },
  {
    id: 'priority-class',
    pattern: /no PriorityClass with name (\S+) was found/,
    say: ([, name = ''], object, _world, proof) => ({
      sentence: `The priority class ${name} of ${podsText(object)} does not exist.`,
      evidence: [
        proof,
        absent(namedObject('PriorityClass', name)),
        field(object, 'spec.template.spec.priorityClassName'),
      ],
    }),
  },
  {
    id: 'webhook',
    pattern: /failed calling webhook "([^"]+)": (.+)$|admission webhook "([^"]+)" denied the request: (.+)$/s,
    say: ([, failing, why = '', denying = '', said = ''], object, _world, proof) => ({
      sentence:
        failing === undefined
          ? `The admission webhook ${denying} refuses ${podsText(object)}: ${said}`
          : `The admission webhook ${failing} does not answer, so ${podsText(object)} cannot be created: ${why}`,
      evidence: [proof],
    }),
  },
  {
    id: 'admission-policy',
    pattern: /ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: (.+)$/s,
    say: ([, policy = '', said = ''], object, _world, proof) => ({
      sentence: `The admission policy ${policy} refuses ${podsText(object)}: ${said.trim()}`,
      evidence: [proof],
    }),
  },
];

/** The finding for any other refuser of pods, by the refuser's own words. */
const otherRefuser: Refuser = {
  id: 'refused',
  pattern: /^(?:Error creating: )?(?:pods? "[^"]*" is (?:forbidden|invalid): )?(.+)$/s,
  say: ([, said = ''], object, _world, proof) => ({
    sentence: `${podsText(object, 'The')} cannot be created: ${said.trim().replace(/\.$/, '')}.`,
    evidence: [proof],
  }),
};

/** What keeps controllers from creating pods, one rule for each refuser. */
export const refusalRules = ['ReplicaSet.apps', 'StatefulSet.apps', 'DaemonSet.apps', 'Job.batch'].flatMap(
  (kind) =>
    [...refusers, otherRefuser].map(({ id, pattern, say }) =>
      rule({
        id: `workload.${id}`,
        kind,
        tone: 'bad',
        sort: 'cause',
        find(object, world) {
          const refused = refusedBy(object, world, isShort(object));
          const match = refused && pattern.exec(refused.message);
          if (refused === undefined || match === null || match === undefined) return undefined;
          if (id === otherRefuser.id && refusers.some((one) => one.pattern.test(refused.message)))
            return undefined;
          const clue = say(match, object, world, refused.proof);
          const workload = workloadOf(object, world);
          const canScale = id === 'quota' && workload?.kind === 'Deployment';
          return canScale ? { ...clue, actions: [{ id: 'deployment.scale', on: workload }] } : clue;
        },
      }),
    ),
);
