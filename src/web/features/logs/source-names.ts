import type { ShownSource } from './stream.ts';

/** Colours that sources take in turn. */
export const sourceColours = 6;
/** Longest name in the column, characters. */
const maxNameLength = 28;

/** A source in its column. */
export interface SourceName {
  /** Without what all have in common. */
  readonly short: string;
  readonly full: string;
  /** From 1. */
  readonly colour: number;
}

/** The common beginning of some names, up to a dash. */
function commonStart(names: readonly string[]): number {
  const [first = ''] = names;
  let length = first.length;
  for (const name of names) {
    while (!name.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.lastIndexOf('-', length - 1) + 1;
}

const cut = (text: string) => (text.length > maxNameLength ? `…${text.slice(1 - maxNameLength)}` : text);

/**
 * The names of sources, by number: pods without what all their names begin with, containers where a pod has several.
 * @returns undefined where there is one source and nothing to tell apart
 */
export function sourceNames(sources: readonly ShownSource[]): readonly SourceName[] | undefined {
  if (sources.length < 2) return undefined;
  const pods = [...new Set(sources.map(({ pod }) => pod))];
  const containers = new Set(sources.map(({ container }) => container));
  const namespaces = new Set(sources.map(({ namespace }) => namespace));
  const start = pods.length > 1 ? commonStart(pods) : 0;
  return sources.map(({ id, namespace, pod, container }) => {
    const parts = [
      ...(namespaces.size > 1 ? [namespace] : []),
      ...(pods.length > 1 ? [pod.slice(start)] : []),
      ...(containers.size > 1 ? [container] : []),
    ];
    return {
      short: cut(parts.join('/')),
      full: `${namespace}/${pod}, container ${container}`,
      colour: (id % sourceColours) + 1,
    };
  });
}
