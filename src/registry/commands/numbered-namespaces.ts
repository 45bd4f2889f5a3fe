import { numberNames } from '../numbers.ts';

/** The commands that show the namespaces with the numbers 1 to 9, in order. */
export const numberedNamespaces = numberNames.map((number) => `cluster.namespace${number}`);
