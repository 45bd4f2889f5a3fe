import type { PodTemplate } from '../../../kube/apps.ts';
import type { ConfigMap } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { RoleObject } from '../../../kube/rbac.ts';
import { field, rule } from '../rule.ts';
import { nameOf } from '../world.ts';

/** What containers say of their safety. */
interface ContainerSafety {
  readonly name?: string;
  readonly securityContext?: { readonly privileged?: boolean };
}

interface PodLike extends KubeObject {
  readonly spec?: PodTemplate['spec'] & {
    readonly securityContext?: object;
    readonly containers?: readonly ContainerSafety[];
    readonly automountServiceAccountToken?: boolean;
  };
}

const configMapRules = [
  rule<ConfigMap>({
    id: 'configmap.large',
    kind: 'ConfigMap',
    tone: 'warn',
    sort: 'advice',
    find(object) {
      const sizesOf = (field: 'data' | 'binaryData', encoding: BufferEncoding) =>
        Object.entries(object[field] ?? {}).map(([key, value]) => ({
          path: `${field}[${key}]`,
          key,
          size: Buffer.byteLength(value, encoding),
        }));
      const sizes = [...sizesOf('data', 'utf8'), ...sizesOf('binaryData', 'base64')];
      const total = sizes.reduce((sum, { size }) => sum + size, 0);
      const [largest] = sizes.toSorted((a, b) => b.size - a.size);
      // 1 MiB is what the API server takes: from nine tenths on the next change may be refused.
      if (total < 0.9 * 1024 * 1024 || largest === undefined) return undefined;
      return {
        sentence: `The ConfigMap has ${Math.round(total / 1024)} of the 1024 KiB that a ConfigMap may have; its largest key is ${largest.key}.`,
        evidence: [
          {
            type: 'field',
            of: nameOf(object),
            path: largest.path,
            value: `${largest.size} bytes`,
          },
        ],
      };
    },
  }),
];

const securityRules = [
  rule<PodLike>({
    id: 'pod.privileged',
    kind: 'Pod',
    tone: 'warn',
    sort: 'advice',
    find(pod) {
      const containers: readonly ContainerSafety[] = pod.spec?.containers ?? [];
      const at = containers.findIndex(({ securityContext }) => securityContext?.privileged === true);
      if (at < 0) return undefined;
      return {
        sentence: `Container ${containers[at]?.name ?? ''} is privileged: access to it gives full control of its node.`,
        evidence: [field(pod, `spec.containers[${at}].securityContext`)],
      };
    },
  }),
  rule<RoleObject>({
    id: 'role.wildcard',
    kind: 'Role.rbac.authorization.k8s.io',
    tone: 'warn',
    sort: 'advice',
    find: wildcardClue,
  }),
  rule<RoleObject>({
    id: 'clusterrole.wildcard',
    kind: 'ClusterRole.rbac.authorization.k8s.io',
    tone: 'warn',
    sort: 'advice',
    find: wildcardClue,
  }),
];

function wildcardClue(role: RoleObject) {
  // Those that come with every cluster are as they have to be.
  if (/^(system:|cluster-admin$|admin$)/.test(role.metadata?.name ?? '')) return undefined;
  const at = (role.rules ?? []).findIndex(
    ({ verbs, resources }) => verbs?.includes('*') === true && resources?.includes('*') === true,
  );
  if (at < 0) return undefined;
  return {
    sentence: 'The role allows every verb on every resource of its API groups.',
    evidence: [field(role, `rules[${at}]`)],
  };
}

/** What is not broken, and told only to who asks about this very object. */
export const adviceRules = [...configMapRules, ...securityRules];
