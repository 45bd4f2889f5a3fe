import type { Kind } from '../../src/registry/kind.ts';
import { namespace } from './namespace.ts';
import { pod } from './pod.ts';

/** Every resource kind of the console, in sidebar order. */
export const kinds: readonly Kind[] = [namespace, pod];

const byId = new Map(kinds.map((kind) => [kind.id, kind]));

/** The kind with this id, or undefined. */
export function kindById(id: string): Kind | undefined {
  return byId.get(id);
}
