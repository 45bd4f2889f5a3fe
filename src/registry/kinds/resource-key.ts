/** The group, version and plural of an API resource. */
export interface ResourceName {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** The name of the core group where an empty string is not possible. */
export const coreGroup = 'core';

/**
 * Names a kind without a file in paths and references: `group~version~plural`, with `core` for the core group. Ids of
 * kinds with a file have no tilde.
 */
export function formatResourceKey({ group, version, plural }: ResourceName): string {
  return `${group === '' ? coreGroup : group}~${version}~${plural}`;
}

const dnsName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/**
 * Parses the output of `formatResourceKey`; undefined for anything else, so that no part can change the structure of a
 * path.
 */
export function parseResourceKey(text: string): ResourceName | undefined {
  const [group, version, plural, ...rest] = text.split('~');
  if (group === undefined || version === undefined || plural === undefined || rest.length > 0)
    return undefined;
  if (text.length > 400 || !dnsName.test(group) || !label.test(version) || !label.test(plural))
    return undefined;
  return { group: group === coreGroup ? '' : group, version, plural };
}

/** A parsed name of a kind without a file. */
export interface KindName {
  /** Empty for the core group. */
  readonly group: string;
  /** Undefined for the version that the cluster prefers. */
  readonly version: string | undefined;
  /** The plural, or the Kind of objects and references, which begins with a capital letter. */
  readonly word: string;
}

const kindWord = /^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/;
/** The prefix of a definition's name that makes it the name of the defined resource. */
export const customPrefix = 'crd:';

/** Whether the word of a name is a Kind such as `Certificate`, not a plural. */
export function isKindWord(word: string): boolean {
  return /^[A-Z]/.test(word);
}

/** Whether a name denotes a custom resource in the version that its cluster prefers. */
export function isCustomName(text: string): boolean {
  return text.startsWith(customPrefix);
}

/** Names a custom resource in the version its cluster prefers: `crd:certificates.cert-manager.io`. */
export function formatCustomName({ group, plural }: Pick<ResourceName, 'group' | 'plural'>): string {
  return `${customPrefix}${plural}.${group}`;
}

/** Names a resource whose version (and plural, given a Kind) the cluster resolves: `apps~~Deployment`. */
export function formatKindName({ group, word }: Pick<KindName, 'group' | 'word'>): string {
  return `${group === '' ? coreGroup : group}~~${word}`;
}

/**
 * Parses any name of a kind without a file: `crd:plural.group` or `group~version~plural`, the latter also without a
 * version or with a Kind for the plural. Undefined for anything else, so that no part can change the structure of a
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
