import { requireNeeds } from './grants.ts';
import type { PlacedNeed } from './held.ts';
import type { OpenRights } from './open-rights.ts';
import type { Member } from './person.ts';

/** A file that is written while it is read. */
export interface Download {
  readonly person: Member;
  readonly clusterId: number;
  /** The needs of its person on the cluster, all of them, while it goes on; those that are pushed later count as well. */
  readonly needs: readonly PlacedNeed[];
  /** Breaks it off, called at most once. @param why a Problem where the person may no longer read it */
  readonly end: (why: unknown) => void;
}

/** Begins a download, which ends at once with its person's grant, session or token; the returned function says that it is over. */
export function beginDownload(rights: OpenRights, { person, clusterId, needs, end }: Download): () => void {
  const open = rights.open({
    sort: 'downloads',
    person,
    clusterId,
    judge(current) {
      requireNeeds(current.rights.get(clusterId), needs);
      return false;
    },
    // Its reader has the bytes that were sent; each further read of the cluster is judged by its own call.
    end: (why) => end(why),
  });
  // The guard may have answered before a change whose notice came before this.
  rights.ask('doubt', [open]);
  return () => rights.end(open);
}
