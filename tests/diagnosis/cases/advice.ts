import { object, type RuleCase } from './rule-case.ts';

const map = (data: string, metadata = '') => object('v1', 'ConfigMap', 'settings', data, metadata);
const large = (kibibytes: number) =>
  map(`data: { big: ${'x'.repeat(kibibytes * 1024)} }`, 'labels: { app: web }');
const role = (kind: string, name: string, rule: string) =>
  object('rbac.authorization.k8s.io/v1', kind, name, `rules: [{ ${rule} }]`);
const every = "verbs: ['*'], apiGroups: ['*'], resources: ['*']";

/** Cases of what is not broken, and told to whoever asks about the object itself. */
export const adviceCases: readonly RuleCase[] = [
  {
    rule: 'configmap.large',
    broken: large(1000),
    names: /1000 of the 1024 KiB .* big/,
    near: { 'it is half full': large(512), 'it is small': map('data: { a: b }') },
  },
  ...(['Role', 'ClusterRole'] as const).map((kind) => ({
    rule: `${kind.toLowerCase()}.wildcard`,
    broken: role(kind, 'deployer', every),
    names: /role allows every verb on every resource/,
    near: {
      'it only reads': role(kind, 'deployer', "verbs: [get, list], apiGroups: ['*'], resources: ['*']"),
      'it is for one resource': role(kind, 'deployer', "verbs: ['*'], apiGroups: [''], resources: [pods]"),
      'it comes with every cluster': role(kind, 'system:admin', every).replace(
        'name: system:admin',
        "name: 'system:admin'",
      ),
    },
  })),
];
