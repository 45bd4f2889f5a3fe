/** A cluster whose names cannot be read. */
export interface UnreadCluster {
  readonly name: string;
  /** Why, in a sentence; undefined where the person may not know of what it names. */
  readonly message: string | undefined;
}

/** Clusters named in one line, at most. */
const namedClusters = 3;

/** Why names of a cluster cannot be read. */
export function noteOf({ name, message = 'its names cannot be read.' }: UnreadCluster): string {
  // A cluster's own failures begin with its name.
  return message.startsWith(name) ? message : `${name}: ${message}`;
}

/** Clusters that do not answer are one line: the dashboard and the lists of each say why. */
export function unreachedNotes(all: readonly UnreadCluster[]): readonly string[] {
  const [first, another] = all;
  if (first === undefined) return [];
  if (another === undefined) return [noteOf(first)];
  const names = all.slice(0, namedClusters).map(({ name }) => name);
  const more = all.length - names.length;
  const listed = [...names, ...(more > 0 ? [more === 1 ? 'one more cluster' : `${more} more clusters`] : [])];
  const text = new Intl.ListFormat('en-GB').format(listed);
  return [`${text} are unreachable, so some of their objects may not be found.`];
}

/**
 * Clusters whose names are still being read.
 * @param unread how many of them
 * @param all clusters that are searched
 */
export function unreadNotes(unread: number, all: number): readonly string[] {
  if (unread === 0) return [];
  if (all === 1) return ['Not all objects of this cluster are searched yet.'];
  return [`${unread} of ${all} clusters ${unread === 1 ? 'is' : 'are'} not searched yet.`];
}
