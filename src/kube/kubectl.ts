import type { ObjectAddress } from './change.ts';

/** Quotes a text as one word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** An object as an argument of kubectl, with its namespace: `deployments.apps/api -n shop`. */
export function kubectlObject({ group, plural, namespace, name }: Omit<ObjectAddress, 'version'>): string {
  const resource = group === '' ? plural : `${plural}.${group}`;
  const object = shellWord(`${resource}/${name}`);
  return namespace === undefined ? object : `${object} -n ${shellWord(namespace)}`;
}
