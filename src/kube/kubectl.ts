import type { ObjectAddress } from './change.ts';

/** Text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** An object as kubectl takes it, its namespace included: `deployments.apps/api -n shop`. */
export function kubectlObject({ group, plural, namespace, name }: ObjectAddress): string {
  const resource = group === '' ? plural : `${plural}.${group}`;
  const object = shellWord(`${resource}/${name}`);
  return namespace === undefined ? object : `${object} -n ${shellWord(namespace)}`;
}
