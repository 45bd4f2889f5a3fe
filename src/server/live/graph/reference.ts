import { customPermissions } from '../../../../commands/kinds/custom.ts';
import { kindOfObject } from '../../../../commands/kinds/index.ts';
import type { Need } from '../../../contract/permissions.ts';
import { builtIns, isBuiltInGroup } from '../../../registry/kinds/builtin.ts';
import { formatKindName, formatResourceKey } from '../../../registry/kinds/resource-key.ts';

/** The object that a reference key means. */
export interface Reference {
  /** Id of its kind, or the name by which the server finds one without a file. */
  readonly kind: string;
  /** Kubernetes' own name of the kind. */
  readonly label: string;
  /** `Deployment.apps`: what tells kinds apart. */
  readonly kindName: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
  /** The permission needed to view it. */
  readonly need: Need;
}

const form = /^(\S+) ([A-Za-z][-A-Za-z0-9]*) ([^/\s]*)\/(\S+)$/;

/** Reads a reference key as `refKey` writes it; undefined for one that cannot be an object's. */
export function readReference(key: string): Reference | undefined {
  const [, prefix = '', label = '', namespace = '', name] = form.exec(key) ?? [];
  if (name === undefined) return undefined;
  const group = prefix === '~' ? '' : prefix;
  const base = { label, kindName: `${label}.${group}`, namespace, name };
  const declared = kindOfObject(group === '' ? 'v1' : `${group}/v1`, label);
  if (declared !== undefined) return { ...base, kind: declared.id, need: declared.permissions.view };
  const builtIn = builtIns.find(({ resource }) => resource.group === group && resource.kind === label);
  if (builtIn !== undefined) {
    return { ...base, kind: formatResourceKey(builtIn.resource), need: builtIn.permissions.view };
  }
  const need = isBuiltInGroup(group) ? 'owner' : customPermissions.view;
  return { ...base, kind: formatKindName({ group, word: label }), need };
}

/**
 * Whether the cluster gives an object to every pod: the certificates of the API server and the default account. An edge
 * from every pod says nothing.
 */
export const isGiven = (key: string): boolean =>
  (key.startsWith('~ ConfigMap ') && key.endsWith('/kube-root-ca.crt')) ||
  (key.startsWith('~ ServiceAccount ') && key.endsWith('/default'));
