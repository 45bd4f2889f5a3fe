import {
  matchesLabels,
  parseLabelSelector,
  type Requirement,
  SelectorError,
} from '../../../kube/selector.ts';

/** Selectors, and which of them meet an object's labels. */
export interface LabelIndex {
  /** @param key of the object that selects */
  add(namespace: string, key: string, selector: string): void;
  /** Keys of those whose selectors these labels meet. The same labels object is judged once. */
  matching(namespace: string, labels: Readonly<Record<string, string>>): readonly string[];
}

const noKeys: readonly string[] = [];

/** An empty index. Entries of one shape share their labels: thousands of pods are a handful of label sets. */
export function createLabelIndex(): LabelIndex {
  const byNamespace = new Map<string, { key: string; requirements: readonly Requirement[] }[]>();
  const judged = new Map<string, Map<object, readonly string[]>>();
  return {
    add(namespace, key, selector) {
      try {
        const one = { key, requirements: parseLabelSelector(selector) };
        const known = byNamespace.get(namespace);
        if (known === undefined) byNamespace.set(namespace, [one]);
        else known.push(one);
      } catch (error) {
        // A selector that cannot be read selects nothing.
        if (!(error instanceof SelectorError)) throw error;
      }
    },
    matching(namespace, labels) {
      const selectors = byNamespace.get(namespace);
      if (selectors === undefined) return noKeys;
      let known = judged.get(namespace);
      if (known === undefined) {
        known = new Map();
        judged.set(namespace, known);
      }
      let keys = known.get(labels);
      if (keys === undefined) {
        keys = selectors.flatMap(({ key, requirements }) => (matchesLabels(requirements, labels) ? key : []));
        known.set(labels, keys);
      }
      return keys;
    },
  };
}
