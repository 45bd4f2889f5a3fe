import {
  type BindingObject,
  accountOf,
  rbacGroup,
  type RoleObject,
  type Subject,
} from '../../../kube/rbac.ts';
import type { NamedObject } from '../../../registry/kinds/refs.ts';
import { absent, field, type Proof } from '../rule.ts';
import type { World } from '../world.ts';

/** Right that a service account was refused, as the API server reports it. */
export interface RefusedRight {
  readonly account: { readonly namespace: string; readonly name: string };
  readonly verb: string;
  readonly resource: string;
  readonly group: string;
  /** Undefined for the whole cluster. */
  readonly namespace: string | undefined;
}

/** Why no role grants something, as the end of a sentence. */
interface MissingGrant {
  readonly why: string;
  readonly evidence: readonly Proof[];
}

const apiVersion = `${rbacGroup}/v1`;
const includes = (values: readonly string[] | undefined, value: string) =>
  values?.some((one) => one === '*' || one === value) === true;

const grants = ({ rules }: RoleObject, { verb, resource, group }: RefusedRight): boolean =>
  (rules ?? []).some(
    (one) => includes(one.verbs, verb) && includes(one.resources, resource) && includes(one.apiGroups, group),
  );

/** The role of a binding: null for one that does not exist. */
function roleOf({ roleRef, metadata }: BindingObject, world: World) {
  const { kind = 'Role', name = '' } = roleRef ?? {};
  const namespace = kind === 'Role' ? metadata?.namespace : undefined;
  const named: NamedObject = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const role: RoleObject | null | undefined = world.one(named);
  return { named, role };
}

const nameOf = ({ kind = '', metadata }: BindingObject) => `${kind} ${metadata?.name ?? ''}`;
const accounts = ({ subjects = [] }: BindingObject) =>
  subjects.flatMap((one: Subject) => (one.kind === 'ServiceAccount' ? (accountOf(one) ?? []) : []));

/** Why a service account may not do something: the binding or role that was meant to allow it. */
export function missingGrant(right: RefusedRight, world: World): MissingGrant | undefined {
  const { account, namespace } = right;
  const listed = (kind: string, place?: string) =>
    (world.all({ apiVersion, kind, namespace: place }) ?? []) as readonly BindingObject[];
  const near = [
    ...(namespace === undefined ? [] : listed('RoleBinding', namespace)),
    ...listed('ClusterRoleBinding'),
  ];
  const isBound = (binding: BindingObject) =>
    accounts(binding).some((one) => one.name === account.name && one.namespace === account.namespace);
  for (const binding of near) {
    const { role } = roleOf(binding, world);
    const other = accounts(binding).find(
      (one) => (one.name === account.name) !== (one.namespace === account.namespace),
    );
    if (!role || other === undefined || isBound(binding) || !grants(role, right)) continue;
    return {
      why: `${nameOf(binding)} grants it to service account ${other.name} of namespace ${other.namespace}, not to this one`,
      evidence: [field(binding, 'subjects'), field(binding, 'roleRef')],
    };
  }
  const own = near.filter(isBound);
  for (const binding of own) {
    const { named, role } = roleOf(binding, world);
    if (role !== null) continue;
    const elsewhere = (world.all({ apiVersion, kind: named.kind }) ?? []).find(
      ({ metadata }) => metadata?.name === named.name,
    );
    return {
      why: `${nameOf(binding)} names ${named.kind} ${named.name}, which does not exist${named.namespace === undefined ? '' : ` in namespace ${named.namespace}`}${elsewhere === undefined ? '' : `, but in namespace ${elsewhere.metadata?.namespace ?? ''}`}`,
      evidence: [
        field(binding, 'roleRef'),
        absent(named),
        ...(elsewhere === undefined ? [] : [field(elsewhere, 'metadata.namespace')]),
      ],
    };
  }
  for (const binding of listed('RoleBinding')) {
    const { role } = roleOf(binding, world);
    if (!role || !isBound(binding) || binding.metadata?.namespace === namespace || !grants(role, right))
      continue;
    return {
      why: `${nameOf(binding)} grants it only in namespace ${binding.metadata?.namespace ?? ''}`,
      evidence: [field(binding, 'subjects'), field(binding, 'metadata.namespace')],
    };
  }
  for (const binding of own) {
    const { named, role } = roleOf(binding, world);
    const about = role?.rules?.find((one) => includes(one.resources, right.resource));
    if (!role || about === undefined) continue;
    return {
      why: includes(about.apiGroups, right.group)
        ? `its ${named.kind} ${named.name} grants only ${(about.verbs ?? []).join(', ')}`
        : `its ${named.kind} ${named.name} grants it in API group “${(about.apiGroups ?? []).join(', ')}” alone`,
      evidence: [field(binding, 'roleRef'), field(role, 'rules')],
    };
  }
  return undefined;
}
