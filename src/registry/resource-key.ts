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
