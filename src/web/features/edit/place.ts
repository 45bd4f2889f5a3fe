import type { ObjectRef } from '../../../registry/commands/invocation.ts';

/** How the draft of an object's edit is called. */
export function editPlace({ cluster, kind, namespace = '', name }: ObjectRef): string {
  return `edit ${cluster} ${kind} ${namespace} ${name}`.slice(0, 500);
}
