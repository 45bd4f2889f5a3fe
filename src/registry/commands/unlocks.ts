import type { Need, Permission } from '../../contract/permissions.ts';
import { type Command, plainTitle } from './command.ts';
import type { DeclaredFacts } from '../kinds/kind-facts.ts';

/** What a permission unlocks, in the titles by which the console shows it. */
export interface Unlocks {
  /** Kinds whose objects it shows. */
  readonly sees: readonly string[];
  /** Kinds whose objects it changes, with the other permissions that this needs. */
  readonly changes: readonly string[];
  /** What can be done by it, other than to create, edit and delete. */
  readonly acts: readonly string[];
}

/** Actions that every kind has: to change an object says them all. */
const isOfEveryKind = (id: string): boolean => id.startsWith('object.');

const withoutDots = (title: string): string => title.replace(/…$/, '');

const needsIt = (need: Need | undefined, permission: Permission): boolean =>
  need === permission || (Array.isArray(need) && need.includes(permission));

/** What a permission unlocks, as kinds and commands declare it. */
export function unlocksOf(
  permission: Permission,
  kinds: readonly DeclaredFacts[],
  commands: readonly Command[],
): Unlocks {
  const seen = kinds.filter(({ permissions }) => needsIt(permissions.view, permission));
  const changed = kinds.filter(({ permissions }) => needsIt(permissions.manage, permission));
  const ofKinds = kinds.flatMap(({ actions, permissions }) =>
    actions.filter(({ id, needs }) => !isOfEveryKind(id) && needsIt(needs ?? permissions.manage, permission)),
  );
  const ownCommands = commands.filter(
    (command) =>
      command.type === 'action' &&
      (typeof command.needs === 'string' || Array.isArray(command.needs)) &&
      needsIt(command.needs as Need, permission) &&
      !command.id.startsWith('cluster.namespace'),
  );
  return {
    sees: seen.map(({ title }) => title),
    changes: changed.map(({ title, permissions: { manage } }) => {
      const others = [manage].flat().filter((one) => one !== permission);
      return others.length === 0 ? title : `${title} (with ${others.join(', ')})`;
    }),
    acts: [
      ...new Set(
        [...ofKinds.map(({ title }) => title), ...ownCommands.map((one) => plainTitle(one))].map(withoutDots),
      ),
    ],
  };
}

/** What to know before a permission is given: what it amounts to beyond its name. */
export const permissionTraps: Readonly<Partial<Record<Permission, string>>> = {
  'clusters.view': 'Shows the addresses of nodes and of the API server.',
  'cronjobs.manage':
    'A job runs any image and can mount any Secret of its namespace, so people who start one can read them.',
  'deployments.manage':
    'Pods of a changed template run any image and can mount any Secret of the namespace, so people who change it can read them.',
  'deployments.view': 'Shows environment variables that are written into a template, passwords included.',
  'hpas.manage': 'A scaler overrides manual scaling, and drives the cost of the cluster.',
  'ingresses.manage': 'Controls what can be reached from outside, and under which name.',
  'namespaces.view': 'Shows ConfigMaps in full: they often contain values that belong in a Secret.',
  'persistentvolumeclaims.manage': 'Deleting a claim can delete its data for good.',
  'persistentvolumes.manage': 'Deleting a volume can delete its data for good.',
  'pods.manage':
    'Opens shells: a shell can read every Secret mounted in the pod and act with the rights of the pod.',
  'pods.view': 'Includes logs, with everything that applications write to them.',
  'resources.manage':
    'Creates resources of any kind from YAML, if the kind’s own permission is held too, and changes custom resources, on which operators act with their own rights.',
  'scaledobjects.manage': 'A scaler overrides manual scaling, and can scale to zero.',
  'secrets.view': 'Reveals the values of every Secret, and those in Helm releases. Each reveal is recorded.',
  'statefulsets.manage':
    'Pods of a changed template run any image and can mount any Secret of the namespace, so people who change it can read them.',
  'statefulsets.view': 'Shows environment variables that are written into a template, passwords included.',
};
