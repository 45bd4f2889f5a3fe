import type { Logger } from 'pino';
import { Problem } from '../../contract/problem.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import type { Store } from '../store/store.ts';
import type { PlacedNeed } from './attendance.ts';
import type { Grants } from './grants.ts';
import { endWithGrants } from './open-grants.ts';
import { currentMember } from './people.ts';
import type { Member } from './person.ts';
import type { Watched } from './rights-watch.ts';
import type { SessionRights } from './session-rights.ts';

/** A file that is written while it is read. */
export interface Download {
  readonly person: Member;
  readonly clusterId: number;
  /** What the person must hold on the cluster, all of it, while it goes on; what is pushed later counts as well. */
  readonly needs: readonly PlacedNeed[];
  /** Breaks it off, called at most once. @param why a Problem where the person may no longer read it */
  readonly end: (why: unknown) => void;
}

interface OpenDownload extends Watched {
  readonly download: Download;
}

export interface DownloadsOptions {
  readonly grants: Pick<Grants, 'require'>;
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** Downloads that are under way: each ends at once with its person's grant, session or token. */
export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #open = new Set<OpenDownload>();
  readonly #dispose: () => void;

  constructor(options: DownloadsOptions) {
    this.#options = options;
    const { store, log, clock = systemClock } = options;
    this.#dispose = endWithGrants(
      { store, log, clock },
      {
        what: 'downloads',
        open: () => this.#open,
        endSession: (userId, tokenHash) => {
          for (const one of this.#open) {
            if (one.download.person.id !== userId) continue;
            if (tokenHash === undefined) void this.#recheck(one);
            else if (one.sessionHash === tokenHash) this.#end(one, signedOut());
          }
        },
      },
    );
  }

  /** Begins one; the returned function says that it is over. */
  begin(download: Download): () => void {
    // Asking again ends it with a sentence that says why.
    const compare = (current: SessionRights | undefined) => {
      if (this.#open.has(one) && !isAllowed(download, current)) void this.#recheck(one);
    };
    const one: OpenDownload = {
      download,
      companyId: download.person.companyId,
      sessionHash: download.person.sessionHash,
      clusterIds: new Set([download.clusterId]),
      compare,
      // Its reader has the bytes that were sent; what is read of the cluster next is judged by its own call.
      hold: () => compare,
    };
    this.#open.add(one);
    // The guard may have answered before a change whose notice came before this.
    void this.#recheck(one);
    return () => this.#open.delete(one);
  }

  close(): void {
    this.#dispose();
  }

  async #recheck(one: OpenDownload): Promise<void> {
    const { grants, store } = this.#options;
    const { person, clusterId, needs } = one.download;
    try {
      const now = await currentMember(store.db, person);
      if (now === undefined) throw signedOut();
      for (const { need, place } of needs) await grants.require(now, clusterId, need, place);
    } catch (error) {
      // Also where it could not be asked: nothing more is read that may not be.
      this.#end(one, error);
    }
  }

  #end(one: OpenDownload, why: unknown): void {
    if (this.#open.delete(one)) one.download.end(why);
  }
}

const signedOut = () => new Problem({ status: 401, title: 'The session ended.' });

/** Whether somebody may still read it. */
function isAllowed({ person, clusterId, needs }: Download, current: SessionRights | undefined): boolean {
  const rights = current?.rights.get(clusterId);
  if (current?.companyId !== person.companyId || rights === undefined) return false;
  return needs.every(({ need, place }) => rights.held.may(need, place));
}
