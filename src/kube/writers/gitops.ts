import type { KubeObject } from '../object.ts';
import { isPlainObject } from '../plain.ts';
import {
  annotationOf,
  fieldEvidence,
  groupOf,
  isNamed,
  isOwnMark,
  labelOf,
  managersLike,
  markEvidence,
  valueAt,
} from './marks.ts';
import type { Around, NamedOwner, Writer } from './writer.ts';

const argoManagers = /^argocd/;
const fluxManagers = /^(kustomize-controller|flux)/;
const fluxHelmManagers = /^helm-controller/;
const trackingId = 'argocd.argoproj.io/tracking-id';
/** Labels of Argo CD's own groups that name an application; its other marks are annotations. */
const ownLabel = /^([a-z0-9-]+\.)*argoproj\.io\/(instance|app|app-name|application)$/;
const argoSettings = { apiVersion: 'v1', kind: 'ConfigMap', name: 'argocd-cm' } as const;
/** Argo CD's default until version 3, which Helm's charts set as well. */
const commonLabel = 'app.kubernetes.io/instance';
const applicationVersion = 'argoproj.io/v1alpha1';
/** Where Argo CD has its Applications by default. */
const argoNamespaces = ['argocd', 'openshift-gitops'] as const;

/** Argo CD's mark on an object, and the application that it names. */
interface Tracking {
  readonly app: string;
  readonly namespace: string | undefined;
  readonly evidence: Writer['evidence'];
  /** Whether others set the same mark: then only the application can prove it. */
  readonly isWeak: boolean;
}

/** The application that tracks an object by its own marks; an annotation that names another object was copied. */
function trackingOf(object: KubeObject, around: Around): Tracking | undefined {
  const id = annotationOf(object, trackingId);
  if (id !== undefined) {
    const [, instance = '', group = '', kind = '', namespace = '', name = ''] =
      /^([^:]*):([^/:]*)\/([^:]*):([^/]*)\/(.*)$/.exec(id) ?? [];
    if (instance === '' || !isNamed(object, { group, kind, namespace, name })) return undefined;
    const evidence = [markEvidence('annotations', trackingId, id)];
    return { ...applicationName(instance), evidence, isWeak: false };
  }
  const key = trackingLabels(object, around).find((one) => labelOf(object, one) !== undefined);
  const value = key === undefined ? undefined : labelOf(object, key);
  if (key === undefined || value === undefined) return undefined;
  if (!isOwnMark(object, ['metadata', 'labels', key], argoManagers)) return undefined;
  const isWeak = key === commonLabel && managersLike(object, argoManagers).length === 0;
  return { ...applicationName(value), evidence: [markEvidence('labels', key, value)], isWeak };
}

/** Labels by which Argo CD may track an object: that of its settings, those of its own groups, and its old default. */
function trackingLabels(object: KubeObject, around: Around): readonly string[] {
  const own = Object.keys(object.metadata?.labels ?? {}).filter((key) => ownLabel.test(key));
  const isArgo = own.length > 0 || managersLike(object, argoManagers).length > 0;
  const settings = isArgo
    ? argoNamespaces.map((namespace) => around.one({ ...argoSettings, namespace }))
    : [];
  const set = settings.flatMap((one) => valueAt(one, 'data', 'application.instanceLabelKey') ?? []);
  return [...set.map(String), ...own, commonLabel];
}

/** Outside of Argo CD's own namespace an application is called by its namespace as well. */
function applicationName(instance: string): { readonly app: string; readonly namespace: string | undefined } {
  const at = instance.indexOf('_');
  return at < 0
    ? { app: instance, namespace: undefined }
    : { app: instance.slice(at + 1), namespace: instance.slice(0, at) };
}

const applicationIn = (namespace: string, name: string): NamedOwner => ({
  apiVersion: applicationVersion,
  kind: 'Application',
  namespace,
  name,
});

/** An application by its name: where Argo CD usually is, else anywhere in the cluster. */
function findApplication({ app, namespace }: Tracking, object: KubeObject, around: Around) {
  const usual = (namespace === undefined ? argoNamespaces : [namespace]).map((one) =>
    around.one(applicationIn(one, app)),
  );
  const there = usual.find((one) => one !== null && one !== undefined);
  if (there !== undefined) return there;
  if (namespace !== undefined) return usual[0];
  const named = around
    .all({ apiVersion: applicationVersion, kind: 'Application' })
    ?.filter(({ metadata }) => metadata?.name === app);
  if (named === undefined) return undefined;
  return named.find((one) => entryOf(one, object) !== undefined) ?? (named.length === 1 ? named[0] : null);
}

/** An application's own entry about an object. */
function entryOf(application: KubeObject, object: KubeObject): Readonly<Record<string, unknown>> | undefined {
  const resources = valueAt(application, 'status', 'resources');
  return (Array.isArray(resources) ? resources : [])
    .filter(isPlainObject)
    .find(({ group = '', kind, namespace = '', name }) =>
      isNamed(object, {
        group: String(group),
        kind: String(kind),
        namespace: String(namespace),
        name: String(name),
      }),
    );
}

/** Argo CD, if it tracks an object. */
export function argoWriters(object: KubeObject, around: Around): readonly Writer[] {
  const tracking = trackingOf(object, around);
  if (tracking === undefined) return [];
  const application = findApplication(tracking, object, around);
  const entry = application ? entryOf(application, object) : undefined;
  if (tracking.isWeak && entry === undefined) return [];
  const { app, evidence } = tracking;
  const base = {
    tool: 'argocd',
    label: `Argo CD ${app}`,
    fields: [],
    managers: managersLike(object, argoManagers),
  } as const;
  if (!application) {
    const namespace = tracking.namespace === undefined ? {} : { namespace: tracking.namespace };
    return [
      {
        ...base,
        by: { apiVersion: applicationVersion, kind: 'Application', ...namespace, name: app },
        sight: application === null ? 'absent' : 'unseen',
        when: 'unknown',
        evidence,
      },
    ];
  }
  const by = applicationIn(application.metadata?.namespace ?? '', app);
  const sync = valueAt(entry, 'status') ?? valueAt(application, 'status', 'sync', 'status');
  const { when, why, path, value } = argoTime(application, object);
  return [
    {
      ...base,
      by,
      sight: 'seen',
      when,
      why,
      ...(typeof sync === 'string' ? { syncState: sync } : {}),
      ignored: ignoredFields(application, object),
      evidence: [...evidence, fieldEvidence(by, path, value)],
    },
  ];
}

/** When an application puts an object back, and the setting that says so. */
function argoTime(
  application: KubeObject,
  object: KubeObject,
): { when: Writer['when']; why: string; path: string; value: unknown } {
  const skip = annotationOf(application, 'argocd.argoproj.io/skip-reconcile');
  if (skip === 'true')
    return {
      when: 'paused',
      why: 'skip-reconcile',
      path: 'metadata.annotations[argocd.argoproj.io/skip-reconcile]',
      value: skip,
    };
  const automated = valueAt(application, 'spec', 'syncPolicy', 'automated');
  if (!isPlainObject(automated) || automated['enabled'] === false)
    return {
      when: 'by-hand',
      why: 'automated sync off',
      path: 'spec.syncPolicy.automated',
      value: automated ?? 'not set',
    };
  const hook = annotationOf(object, 'argocd.argoproj.io/hook');
  if (hook !== undefined)
    return { when: 'next-sync', why: 'a hook', path: 'spec.syncPolicy.automated', value: automated };
  const heals = automated['selfHeal'] === true;
  return {
    when: heals ? 'at-once' : 'next-sync',
    why: heals ? 'self-heal on' : 'self-heal off',
    path: 'spec.syncPolicy.automated.selfHeal',
    value: automated['selfHeal'] ?? 'not set',
  };
}

/** The fields of an object whose differences an application ignores. */
function ignoredFields(application: KubeObject, object: KubeObject): readonly string[] {
  const rules = valueAt(application, 'spec', 'ignoreDifferences');
  const fits = (wanted: unknown, value: string | undefined) =>
    wanted === undefined || wanted === '' || wanted === '*' || wanted === value;
  return (Array.isArray(rules) ? rules : []).filter(isPlainObject).flatMap((rule) => {
    const { group = '', kind, name, namespace, jsonPointers } = rule;
    const { metadata } = object;
    const isGroup = group === '*' || group === groupOf(object.apiVersion);
    if (!isGroup || !fits(kind, object.kind) || !fits(name, metadata?.name)) return [];
    if (!fits(namespace, metadata?.namespace)) return [];
    return (Array.isArray(jsonPointers) ? jsonPointers : []).map((pointer) =>
      String(pointer)
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
        .join('.'),
    );
  });
}

const fluxLeaves = 'kustomize.toolkit.fluxcd.io/reconcile';
const fluxApply = 'kustomize.toolkit.fluxcd.io/ssa';
const fluxDrift = 'helm.toolkit.fluxcd.io/driftDetection';

/** The kinds of Flux that mark what they apply. */
const fluxKinds = [
  {
    mark: 'kustomize.toolkit.fluxcd.io',
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    managers: fluxManagers,
  },
  {
    mark: 'helm.toolkit.fluxcd.io',
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    managers: fluxHelmManagers,
  },
  {
    mark: 'resourceset.fluxcd.controlplane.io',
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    managers: /^flux-operator/,
  },
  {
    mark: 'fluxcd.controlplane.io',
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'FluxInstance',
    managers: /^flux-operator/,
  },
] as const;

/** Flux, if one of its objects applies this one. */
export function fluxWriters(object: KubeObject, around: Around): readonly Writer[] {
  return fluxKinds.flatMap((one): readonly Writer[] => {
    const { mark, apiVersion, kind, managers } = one;
    const name = labelOf(object, `${mark}/name`);
    if (name === undefined || !isOwnMark(object, ['metadata', 'labels', `${mark}/name`], managers)) return [];
    const namespace = labelOf(object, `${mark}/namespace`) ?? object.metadata?.namespace ?? '';
    const by = { apiVersion, kind, namespace, name };
    // An object that applies others may carry its own name, as the first Kustomization of a cluster applies itself.
    const owner = around.one(by);
    if (owner && kind === 'Kustomization' && !isInInventory(owner, object)) return [];
    return [
      {
        tool: 'flux',
        label: `Flux ${kind} ${namespace === '' ? name : `${namespace}/${name}`}`,
        by,
        fields: [],
        managers: managersLike(object, managers),
        ...fluxTime(object, owner, by),
        evidence: [markEvidence('labels', `${mark}/name`, name), ...(owner ? fluxSettings(owner, by) : [])],
      },
    ];
  });
}

/** Whether a Kustomization lists an object among what it applies; true where it lists nothing. */
function isInInventory(owner: KubeObject, { apiVersion, kind = '', metadata = {} }: KubeObject): boolean {
  const entries = valueAt(owner, 'status', 'inventory', 'entries');
  if (!Array.isArray(entries) || entries.length === 0) return true;
  const { namespace = '', name = '' } = metadata;
  const id = `${namespace}_${name.replaceAll(':', '__')}_${groupOf(apiVersion)}_${kind}`;
  return entries.some((entry) => valueAt(entry, 'id') === id);
}

function fluxSettings(owner: KubeObject, by: NamedOwner): Writer['evidence'] {
  return [['suspend'], ['driftDetection', 'mode'], ['interval']].flatMap((path) => {
    const value = valueAt(owner, 'spec', ...path);
    return value === undefined ? [] : [fieldEvidence(by, `spec.${path.join('.')}`, value)];
  });
}

/** Whether a label or an annotation has a value; Flux reads these from either, in any case of letters. */
const says = (object: KubeObject, key: string, value: string): boolean =>
  [annotationOf(object, key), labelOf(object, key)].some((one) => one?.toLowerCase() === value);

/** When Flux puts an object back. The object's own marks come first. */
function fluxTime(
  object: KubeObject,
  owner: KubeObject | null | undefined,
  { kind }: NamedOwner,
): Pick<Writer, 'when' | 'why' | 'every' | 'sight' | 'syncState'> {
  const sight = owner ? 'seen' : owner === null ? 'absent' : 'unseen';
  if (kind === 'Kustomization') {
    if (says(object, fluxLeaves, 'disabled')) return { sight, when: 'never', why: `${fluxLeaves}: disabled` };
    if (says(object, fluxApply, 'ignore')) return { sight, when: 'never', why: `${fluxApply}: Ignore` };
    if (says(object, fluxApply, 'ifnotpresent'))
      return { sight, when: 'never', why: `${fluxApply}: IfNotPresent` };
  }
  if (!owner) return { sight, when: 'unknown' };
  const ready = readyReason(owner);
  const base = { sight, ...(ready === undefined ? {} : { syncState: ready }) } as const;
  if (valueAt(owner, 'spec', 'suspend') === true) return { ...base, when: 'paused', why: 'suspended' };
  if (says(owner, 'fluxcd.controlplane.io/reconcile', 'disabled'))
    return { ...base, when: 'paused', why: 'reconcile disabled' };
  const interval = valueAt(owner, 'spec', 'interval');
  const every = typeof interval === 'string' ? { every: interval } : {};
  if (kind !== 'HelmRelease') return { ...base, ...every, when: 'interval' };
  const mode = valueAt(owner, 'spec', 'driftDetection', 'mode');
  if (says(object, fluxDrift, 'disabled'))
    return { ...base, when: 'next-sync', why: `${fluxDrift}: disabled` };
  return mode === 'enabled'
    ? { ...base, ...every, when: 'interval', why: 'drift detection on' }
    : { ...base, when: 'next-sync', why: 'drift detection off' };
}

function readyReason(owner: KubeObject): string | undefined {
  const conditions = valueAt(owner, 'status', 'conditions');
  const ready = (Array.isArray(conditions) ? conditions : []).find((one) => valueAt(one, 'type') === 'Ready');
  const reason = valueAt(ready, 'reason');
  return typeof reason === 'string' ? reason : undefined;
}
