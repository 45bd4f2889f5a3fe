import { kindFacts } from '../../../commands/kinds/facts.ts';
import type { DeclaredFacts } from '../../registry/kind-facts.ts';

const byId = new Map(kindFacts.map((kind) => [kind.id, kind]));
const byName = new Map(kindFacts.map((kind) => [`${kind.kind}.${kind.group}`, kind]));

/** What is known of the kind with this id; undefined for one without a file. */
export function kindById(id: string): DeclaredFacts | undefined {
  return byId.get(id);
}

/** The kind that objects and references call by apiVersion and kind; undefined for one without a file. */
export function kindOfObject(apiVersion: string, kind: string): DeclaredFacts | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return byName.get(`${kind}.${group}`);
}
