/** A resource of an API server by its place there. */
export interface ResourceName {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** How the core group is written where an empty word cannot stand. */
export const coreGroup = 'core';

/**
 * Names a kind that has no file, in paths and references: `group~version~plural`, the core group as `core`.
 * No id of a kind with a file has a tilde.
 */
export function formatResourceKey({ group, version, plural }: ResourceName): string {
  return `${group === '' ? coreGroup : group}~${version}~${plural}`;
}

const dnsName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Reads what `formatResourceKey` wrote; undefined for anything else, so that no part can leave its place in a path. */
export function parseResourceKey(text: string): ResourceName | undefined {
  const [group, version, plural, ...rest] = text.split('~');
  if (group === undefined || version === undefined || plural === undefined || rest.length > 0)
    return undefined;
  if (text.length > 400 || !dnsName.test(group) || !label.test(version) || !label.test(plural))
    return undefined;
  return { group: group === coreGroup ? '' : group, version, plural };
}

/** What a name of a kind without a file says: where it is, in the cluster's words. */
export interface KindName {
  /** Empty for the core group. */
  readonly group: string;
  /** Undefined: the one that the cluster prefers. */
  readonly version: string | undefined;
  /** Its plural, or its Kind as objects and references call it: that begins with a capital. */
  readonly word: string;
}

const kindWord = /^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/;
/** What stands before the name of a definition to name what it defines. */
export const customPrefix = 'crd:';

/** Whether the word of a name is a Kind, as in `Certificate`, and not a plural. */
export function isKindWord(word: string): boolean {
  return /^[A-Z]/.test(word);
}

/** Whether a name is that of a custom resource in the version its cluster prefers. */
export function isCustomName(text: string): boolean {
  return text.startsWith(customPrefix);
}

/** Names a custom resource in the version its cluster prefers: `crd:certificates.cert-manager.io`. */
export function formatCustomName({ group, plural }: Pick<ResourceName, 'group' | 'plural'>): string {
  return `${customPrefix}${plural}.${group}`;
}

/** Names a resource whose version, and maybe whose plural, the cluster is to say: `apps~~Deployment`. */
export function formatKindName({ group, word }: Pick<KindName, 'group' | 'word'>): string {
  return `${group === '' ? coreGroup : group}~~${word}`;
}

/**
 * Reads any name of a kind without a file: `crd:plural.group`, `group~version~plural`, the latter also without a
 * version or with a Kind instead of the plural. Undefined for anything else, so that no part can leave its place in a
 * path.
 */
export function parseKindName(text: string): KindName | undefined {
  if (text.length > 400) return undefined;
  if (isCustomName(text)) {
    const dot = text.indexOf('.');
    const [word, group] = [text.slice(customPrefix.length, dot), text.slice(dot + 1)];
    return dot > 0 && label.test(word) && dnsName.test(group)
      ? { group, version: undefined, word }
      : undefined;
  }
  const [group, version, word, ...rest] = text.split('~');
  if (group === undefined || version === undefined || word === undefined || rest.length > 0) return undefined;
  if (!dnsName.test(group) || (version !== '' && !label.test(version))) return undefined;
  if (!(isKindWord(word) ? kindWord : label).test(word)) return undefined;
  return { group: group === coreGroup ? '' : group, version: version || undefined, word };
}
