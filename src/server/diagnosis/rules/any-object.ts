import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { isDue } from '../../live/attention-lines.ts';
import { groupOf, type NamedObject } from '../../../registry/refs.ts';
import { absent, event, field, rule, trail } from '../rule.ts';
import { nameOf, namespaceOf, seenAt, warningsOf, type World } from '../world.ts';

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
      sentence: `${object.kind ?? ''} ${name} has been waiting ${formatAge(world.now - since)} to be deleted: finalizer ${first} holds it, and the controller that has to remove it has not.`,
      evidence: [field(object, 'metadata.deletionTimestamp'), field(object, 'metadata.finalizers')],
    };
  },
});

/** Kinds whose trouble their pods and conditions tell: warnings about them pass. */
const ownWords =
  /^(Pod|Node|Namespace|Event|Deployment|ReplicaSet|StatefulSet|DaemonSet|Job|CronJob|PersistentVolumeClaim|HorizontalPodAutoscaler)$/;
/** How old a warning may be, s: what goes wrong is tried again. */
const freshness = 20 * 60;

/** A fresh warning about an object of which nothing else is known. */
const warningRule = rule({
  id: 'object.warning',
  kind: '*',
  tone: 'warn',
  sort: 'symptom',
  find(object, world) {
    if (ownWords.test(object.kind ?? '')) return undefined;
    const said = warningsOf(world, object)[0];
    const at = said === undefined ? null : seenAt(said);
    if (said?.message === undefined || at === null || at < world.now - freshness) return undefined;
    return {
      sentence: `${object.kind ?? ''} ${object.metadata?.name ?? ''}: ${said.message.trim()}`,
      evidence: [event(object, said)],
    };
  },
});

/** A part of an object that names another one. */
interface Reference {
  readonly path: string;
  readonly named: NamedObject;
}

/** API versions of kinds that others refer to without a group. */
const knownVersions: Readonly<Record<string, string>> = {
  Secret: 'v1',
  ConfigMap: 'v1',
  ServiceAccount: 'v1',
  Service: 'v1',
  GitRepository: 'source.toolkit.fluxcd.io/v1',
  OCIRepository: 'source.toolkit.fluxcd.io/v1',
  HelmRepository: 'source.toolkit.fluxcd.io/v1',
  HelmChart: 'source.toolkit.fluxcd.io/v1',
  Bucket: 'source.toolkit.fluxcd.io/v1',
};

/** Members that name an object by their own name, with its kind; others need a kind beside the name. */
const memberKinds: readonly (readonly [RegExp, string])[] = [
  [/secret(?:key)?ref$/i, 'Secret'],
  [/configmap(?:key)?ref$/i, 'ConfigMap'],
  [/^authenticationRef$/, 'TriggerAuthentication'],
];

/** Levels of a spec that are searched, references of one object, and places that are none. */
const depthLimit = 8;
const referenceLimit = 20;

/** The objects that a custom object refers to in its spec, by members such as `sourceRef` and `secretRef`. */
export function referencesOf(object: KubeObject): readonly Reference[] {
  const found: Reference[] = [];
  const home = namespaceOf(object);
  const search = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > depthLimit || found.length >= referenceLimit)
      return;
    for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
      const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      if (typeof inner !== 'object' || inner === null) continue;
      if (key.endsWith('Ref') && !Array.isArray(inner)) {
        const { name, namespace, kind, apiVersion, group } = inner as Readonly<Record<string, unknown>>;
        const label = typeof kind === 'string' ? kind : memberKinds.find(([member]) => member.test(key))?.[1];
        if (typeof name === 'string' && name !== '' && label !== undefined) {
          const ownGroup = groupOf(object.apiVersion ?? 'v1');
          const version =
            typeof apiVersion === 'string'
              ? apiVersion
              : typeof group === 'string' && group !== '' && group !== ownGroup
                ? `${group}/v1`
                : (knownVersions[label] ?? object.apiVersion ?? 'v1');
          const place = typeof namespace === 'string' ? namespace : label.startsWith('Cluster') ? '' : home;
          found.push({
            path: at,
            named: {
              apiVersion: version,
              kind: label,
              ...(place === '' ? {} : { namespace: place }),
              name,
            },
          });
          continue;
        }
      }
      search(inner, at, depth + 1);
    }
  };
  search((object as { readonly spec?: unknown }).spec, 'spec', 0);
  return found;
}

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

/** A custom object in trouble that refers to something which does not exist. */
const referenceRule = rule({
  id: 'object.reference-missing',
  kind: '*',
  tone: 'bad',
  sort: 'cause',
  find(object, world) {
    if (!isCustom(object) || !isTroubled(object, world)) return undefined;
    const missing = referencesOf(object).find(({ named }) => world.one(named) === null);
    if (missing === undefined) return undefined;
    const { kind, name, namespace } = missing.named;
    return {
      sentence: `${kind} ${name}, which ${object.kind ?? ''} ${object.metadata?.name ?? ''} refers to, does not exist${namespace === undefined ? '' : ` in namespace ${namespace}`}.`,
      evidence: [field(object, missing.path), absent(missing.named)],
    };
  },
});

/** Rules about objects of every kind. */
export const anyObjectRules = [finalizerRule, referenceRule, warningRule];

/** From a custom object in trouble to what it refers to. */
export const anyObjectTrails = [
  trail({
    kind: '*',
    next(object, world) {
      if (!isCustom(object) || !isTroubled(object, world)) return [];
      return referencesOf(object)
        .filter(({ named }) => named.kind !== 'Secret' && named.kind !== 'ConfigMap')
        .flatMap(({ named }) => {
          const found = world.one(named);
          return found && isTroubled(found, world) ? [found] : [];
        });
    },
  }),
];
