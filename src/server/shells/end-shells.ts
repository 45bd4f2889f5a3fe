import { asc, eq } from 'drizzle-orm';
import { recordEnd } from '../audit/audit.ts';
import { endLeftRecording } from '../recordings/left-recording.ts';
import { auditRows } from '../store/schema/audit.ts';
import { openShells } from '../store/schema/open-shells.ts';
import type { Transaction } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { auditStatus } from './outcome.ts';

/** How a shell ended whose cluster was removed. */
export const clusterRemoved = 'Its cluster was removed from this console.';

/** How a shell ended, as the audit and its recording tell it. */
interface EndedShell {
  readonly status: number;
  /** A sentence. */
  readonly ending: string;
}

/**
 * Ends a shell for the server that runs or ran it, with its recording: that server tells nothing more of it. Its row in
 * `open_shells` has to be locked. Throws errors of the database.
 */
export async function endShell(
  tx: Transaction,
  vault: Vault,
  { entry, recordingId }: Pick<typeof openShells.$inferSelect, 'entry' | 'recordingId'>,
  { status, ending }: EndedShell,
): Promise<void> {
  await tx.delete(openShells).where(eq(openShells.entry, entry));
  const content = recordingId === null ? undefined : await endLeftRecording(tx, vault, recordingId, ending);
  await recordEnd(tx, entry, status, {
    ending,
    ...(content === undefined ? {} : { recordingParts: content.parts, recordingHash: content.hash }),
  });
}

/** Ends the open shells of a cluster that is about to be removed, of every server. Throws errors of the database. */
export async function endShellsOf(tx: Transaction, vault: Vault, clusterId: number): Promise<void> {
  const open = await tx
    .select({ entry: openShells.entry, recordingId: openShells.recordingId })
    .from(openShells)
    .innerJoin(auditRows, eq(auditRows.id, openShells.entry))
    .where(eq(auditRows.clusterId, clusterId))
    .orderBy(asc(openShells.entry))
    .for('update', { of: openShells });
  for (const shell of open)
    await endShell(tx, vault, shell, { status: auditStatus.denied, ending: clusterRemoved });
}
