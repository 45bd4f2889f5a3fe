/** Before a search of the audit, which belongs to no cluster. */
export const auditPlace = 'audit?';

/** The address of a saved search of the audit. */
export const auditHref = (place: string): string =>
  `/settings?section=audit&${place.slice(auditPlace.length)}`;

/** The address of a saved filter: a list of a cluster, or a search of the audit. */
export const hrefOfPlace = (place: string, clusterId: string | number): string =>
  place.startsWith(auditPlace) ? auditHref(place) : `/clusters/${clusterId}/${place}`;
