import type { FirstList, FirstLists } from '../../src/contract/first-lists.ts';
import { kindFacts } from './facts.ts';

/** The path of a list below its cluster. */
const pathInCluster = (path: string) => path.replace('/clusters/:clusterId/', '');

/**
 * The lists of all kinds with a file. The page receives them with its HTML, so that it can subscribe before its code
 * has loaded.
 */
export const firstLists: FirstLists = Object.fromEntries(
  kindFacts.map(({ id, scope, paths, window }): [string, FirstList] => [
    pathInCluster(paths.list),
    { kind: id, isNamespaced: scope === 'Namespaced', ...(window === undefined ? {} : { window }) },
  ]),
);
