import { and, eq, gt } from 'drizzle-orm';
import { actSeconds } from '../../contract/passkeys.ts';
import { Problem } from '../../contract/problem.ts';
import type { Person } from '../access/person.ts';
import { sessionOf } from '../access/session-of.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { passkeys } from '../store/schema/passkeys.ts';
import { sessions } from '../store/schema/sessions.ts';
import type { Database } from '../store/store.ts';
import { relyingParty } from './relying-party.ts';
import type { Clock } from '../kit/clock.ts';

/** A dangerous act that somebody is about to do. */
interface Act {
  readonly person: Person;
  readonly cluster: Pick<ClusterRow, 'name' | 'isPasskeyRequired'>;
  /** Origin at which the console was opened. */
  readonly origin: string;
}

/**
 * Takes the passkey that was used for a dangerous act, which counts for one act. Throws Problem 403 where the cluster asks
 * for one and none was used, with the code `passkey-needed` where the person can use one, and Problem 409 at an address
 * without passkeys.
 */
export type RequireActProof = (act: Act) => Promise<void>;

const secondsAgo = (now: number, seconds: number) => new Date(now - seconds * 1_000).toISOString();

/** The check before dangerous acts. */
export function createActProof(db: Database, clock: Clock): RequireActProof {
  return async ({ person, cluster, origin }) => {
    if (cluster.isPasskeyRequired)
      await takeActProof(db, { person, origin, where: cluster.name }, clock.now());
  };
}

/**
 * As `RequireActProof`, also where the cluster does not ask for it yet.
 * @param where what asks for the passkey, in words
 * @param now the time in ms
 */
export async function takeActProof(
  db: Database,
  { person, origin, where }: Pick<Act, 'person' | 'origin'> & { readonly where: string },
  now: number,
): Promise<void> {
  if (person.token !== null) {
    throw new Problem({
      status: 403,
      title: `${where} asks for a passkey before this, which an API token cannot use. Do it in the console.`,
    });
  }
  const taken = await db
    .update(sessions)
    .set({ actProvedAt: null })
    .where(and(sessionOf(person), gt(sessions.actProvedAt, secondsAgo(now, actSeconds))))
    .returning({ id: sessions.id });
  if (taken.length > 0) return;
  const { id: host } = relyingParty(origin);
  const usable = await db.$count(passkeys, and(eq(passkeys.userId, person.id), eq(passkeys.host, host)));
  if (usable === 0) {
    throw new Problem({
      status: 403,
      title: `${where} asks for a passkey before this, and you have none for ${host}. Register one under Settings, Sign-in and sessions.`,
    });
  }
  throw new Problem({
    status: 403,
    title: `${where} asks for a passkey before this. Use one of yours, and try again.`,
    code: 'passkey-needed',
    proof: 'passkey',
  });
}
