import type { AuditSubject } from './audit.ts';

/** The parts of an object's metadata that say which version a write made. */
export interface WrittenMetadata {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly generation?: number | undefined;
}

/** Longest list of versions, in characters. */
const listLength = 8_000;

/**
 * The versions that the writes of one call returned, for the audit: with them an entry is found in the history of its
 * object. Nothing of an object that was not written.
 */
export function writtenVersions(written: readonly (WrittenMetadata | undefined)[]): AuditSubject {
  const all = written.flatMap((one) => (one?.resourceVersion === undefined ? [] : [one]));
  const [first] = all;
  if (first === undefined) return {};
  if (all.length > 1) {
    const versions = all.map(
      ({ namespace, name = '', resourceVersion }) =>
        `${namespace === undefined ? name : `${namespace}/${name}`} ${resourceVersion}`,
    );
    return { versions: versions.join(', ').slice(0, listLength) };
  }
  const { uid, resourceVersion, generation } = first;
  return {
    resourceVersion: resourceVersion ?? null,
    ...(uid === undefined ? {} : { uid }),
    ...(generation === undefined ? {} : { generation }),
  };
}
