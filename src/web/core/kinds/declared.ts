import { firstFacts } from '../../../../commands/kinds/first-facts.ts';
import type { FirstFacts } from '../../../registry/kinds/kind-facts.ts';

const byId = new Map(firstFacts.map((kind) => [kind.id, kind]));
const byResource = new Map(firstFacts.map((kind) => [`${kind.plural}.${kind.group}`, kind]));
const byName = new Map(firstFacts.map((kind) => [`${kind.kind}.${kind.group}`, kind]));
const byWord = new Map([...byName, ...firstFacts.map((kind) => [kind.kind, kind] as const)]);

/** The first facts of the kind with this id; undefined for a kind without a file. */
export function kindById(id: string): FirstFacts | undefined {
  return byId.get(id);
}

/** The kind of a resource, whatever its version; undefined for one without a file. */
export function kindOfResource({
  group,
  plural,
}: Pick<FirstFacts, 'group' | 'plural'>): FirstFacts | undefined {
  return byResource.get(`${plural}.${group}`);
}

/** The kind that objects and references call by apiVersion and kind; undefined for one without a file. */
export function kindOfObject(apiVersion: string, kind: string): FirstFacts | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return byName.get(`${kind}.${group}`);
}

/** The kind that a cell calls by Kubernetes' word, as `objectCell` writes it; undefined for one without a file. */
export function kindByWord(word: string): FirstFacts | undefined {
  return byWord.get(word);
}
