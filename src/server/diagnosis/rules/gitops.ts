import type { Condition, KubeObject } from '../../../kube/object.ts';
import type { NamedObject } from '../../../registry/kinds/refs.ts';
import { condition, field, rule, trail } from '../rule.ts';

/** Objects that Flux and Argo CD apply, as far as their own objects name them. */
interface Applied extends KubeObject {
  readonly spec?: {
    readonly suspend?: boolean;
    readonly dependsOn?: readonly { readonly name?: string; readonly namespace?: string }[];
  };
  readonly status?: {
    readonly conditions?: Condition[];
    readonly operationState?: { readonly phase?: string; readonly message?: string };
    readonly resources?: readonly {
      readonly group?: string;
      readonly version?: string;
      readonly kind?: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly health?: { readonly status?: string };
    }[];
  };
}

/** Something that Flux fetches. */
interface Source extends KubeObject {
  readonly spec?: {
    readonly suspend?: boolean;
    readonly url?: string;
    readonly secretRef?: { readonly name?: string };
  };
  readonly status?: { readonly conditions?: Condition[] };
}

/** Kinds of Flux that somebody can suspend. */
const suspendable = [
  'Kustomization.kustomize.toolkit.fluxcd.io',
  'HelmRelease.helm.toolkit.fluxcd.io',
  ...['GitRepository', 'OCIRepository', 'HelmRepository', 'HelmChart', 'Bucket'].map(
    (kind) => `${kind}.source.toolkit.fluxcd.io`,
  ),
];

const application = 'Application.argoproj.io';

/** Rules about what is applied from Git. */
export const gitopsRules = [
  ...suspendable.map((kind) =>
    rule<Applied>({
      id: `${kind.split('.')[0]?.toLowerCase() ?? ''}.suspended`,
      kind,
      tone: 'info',
      sort: 'cause',
      find(object) {
        if (object.spec?.suspend !== true) return undefined;
        return {
          sentence: `${object.kind ?? ''} ${object.metadata?.name ?? ''} is suspended: nothing new is applied until somebody resumes it.`,
          evidence: [field(object, 'spec.suspend')],
        };
      },
    }),
  ),
  rule<Applied>({
    id: 'application.error',
    kind: application,
    tone: 'bad',
    sort: 'cause',
    find(object) {
      const found = object.status?.conditions?.find(({ type }) => type.endsWith('Error'));
      if (found === undefined) return undefined;
      return {
        sentence: `Application ${object.metadata?.name ?? ''} cannot be compared or applied (${found.type}): ${found.message ?? 'it does not say why'}`,
        evidence: [condition(object, found.type)],
      };
    },
  }),
  rule<Applied>({
    id: 'application.sync-failed',
    kind: application,
    tone: 'bad',
    sort: 'cause',
    find(object) {
      const { phase, message } = object.status?.operationState ?? {};
      if (phase !== 'Failed' && phase !== 'Error') return undefined;
      return {
        sentence: `The last sync of application ${object.metadata?.name ?? ''} failed: ${message ?? 'it does not say why'}`,
        evidence: [
          field(object, 'status.operationState.phase'),
          field(object, 'status.operationState.message'),
        ],
      };
    },
  }),
];

const isReady = ({ status }: Applied): boolean =>
  status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;

/** A source of Flux that cannot be fetched: from where, as whom, and why. */
export const sourceRules = suspendable.slice(2).map((kind) =>
  rule<Source>({
    id: `${kind.split('.')[0]?.toLowerCase() ?? ''}.not-fetched`,
    kind,
    tone: 'bad',
    // A Secret that is missing says more.
    sort: 'symptom',
    find(object) {
      const at = object.status?.conditions?.find(({ type }) => type === 'Ready');
      if (object.spec?.suspend === true || at?.status !== 'False' || at.message === undefined)
        return undefined;
      const secret = object.spec?.secretRef?.name;
      const words = at.message.trim().replace(/\.$/, '');
      const isSignIn =
        /auth|handshake|hostkey|host key|knownhosts|known_hosts|denied|forbidden|unauthori[sz]ed|credential|40[13]/i.test(
          words,
        );
      return {
        sentence: `${object.kind ?? ''} ${object.metadata?.name ?? ''} cannot be fetched${isSignIn && secret !== undefined ? ` with Secret ${secret}` : ''}: ${words}.`,
        evidence: [condition(object, 'Ready'), field(object, 'spec.url'), field(object, 'spec.secretRef')],
      };
    },
  }),
);

/** From what is applied to what it waits for, and to what of it is not healthy. */
export const gitopsTrails = [
  ...suspendable.slice(0, 2).map((kind) =>
    trail<Applied>({
      kind,
      next: (object, world) =>
        isReady(object)
          ? []
          : (object.spec?.dependsOn ?? []).flatMap(({ name, namespace = object.metadata?.namespace }) => {
              const { apiVersion = '', kind: label = '' } = object;
              const named = { apiVersion, kind: label, name: name ?? '' };
              const found = world.one(namespace === undefined ? named : { ...named, namespace });
              return found && !isReady(found) ? [found] : [];
            }),
    }),
  ),
  trail<Applied>({
    kind: application,
    next: (object, world) =>
      (object.status?.resources ?? [])
        .filter(({ health }) => health?.status === 'Degraded' || health?.status === 'Missing')
        .slice(0, 5)
        .flatMap(({ group = '', version = 'v1', kind = '', namespace, name = '' }) => {
          const named: NamedObject = {
            apiVersion: group === '' ? version : `${group}/${version}`,
            kind,
            ...(namespace === undefined ? {} : { namespace }),
            name,
          };
          return world.one(named) ?? [];
        }),
  }),
];
