import { type FileReport, verifyFile } from '../../audit/verify-file.ts';
import { type AuditReport, type ChainReport, verifyAudit } from '../../audit/verify.ts';
import { verifyRecordings } from '../../recordings/verify.ts';
import { StartError } from '../../kit/start-error.ts';
import { type OpenStore, openStore } from '../../store/open.ts';
import { companies } from '../../store/schema/companies.ts';
import type { AdminContext } from './context.ts';

/**
 * `audit verify`: checks every chain of the audit, what receivers confirmed of it, and the recordings of shells that it
 * tells of. Throws StartError with the first thing that is wrong of each.
 * @param file absolute path of lines that a receiver has, which are compared as well
 */
export async function auditCommand(
  { config, say }: AdminContext,
  task: string,
  file?: string,
): Promise<void> {
  if (task !== 'verify') throw new StartError(`There is no "audit ${task}". There is: audit verify.`);
  const store = await openStore(config);
  try {
    const names = new Map(
      (await store.db.select({ id: companies.id, name: companies.name }).from(companies)).map(
        ({ id, name }) => [id, `${name} (${id})`],
      ),
    );
    const nameOf = ({ chain }: Pick<ChainReport, 'chain'>) =>
      names.get(chain) ?? (chain === 0 ? 'The installation' : `A deleted organisation (${chain})`);
    const report = await verifyAudit(store);
    for (const chain of report.chains) {
      const { position, hash } = chain.head;
      if (chain.problem === null)
        say(`${nameOf(chain)}: ${chain.links} rows are as recorded. Position ${position} has hash ${hash}`);
    }
    if (report.waiting > 0)
      say(`${report.waiting} rows are not in a chain yet; a running console does it within seconds.`);
    for (const { problem, ...stream } of report.streams)
      if (problem === null)
        say(`${nameOf(stream)}: ${stream.receiver} has confirmed position ${stream.position}.`);
    const lines = file === undefined ? [] : await linesOf(store, file);
    for (const { problem, ...line } of lines)
      if (problem === null)
        say(
          line.isDropped
            ? `${nameOf(line)}: the file ends with position ${line.position}. The audit no longer keeps that position, so the two cannot be compared.`
            : `${nameOf(line)}: the file ends with position ${line.position}, and matches the audit there.`,
        );
    const { earlier } = report;
    if (earlier.count > 0) {
      say(
        `Rows of before an upgrade that break rules which the database has enforced since: ${earlier.count}.`,
      );
      for (const sentence of earlier.named) say(`  ${sentence}`);
      if (earlier.count > earlier.named.length) say(`  … and ${earlier.count - earlier.named.length} more.`);
    }
    const recordings = await verifyRecordings(store);
    if (recordings.right > 0) say(`${recordings.right} recordings of shells match the audit.`);
    const problems = [...problemsOf(report, lines, nameOf), ...recordings.problems];
    if (problems.length > 0) throw new StartError(problems);
    say(
      'The audit is complete. Keep the positions and hashes elsewhere: they show whether an end is cut off later.',
    );
  } finally {
    await store.close();
  }
}

async function linesOf(store: Pick<OpenStore, 'db'>, file: string): Promise<FileReport[]> {
  try {
    return await verifyFile(store.db, file);
  } catch (error) {
    throw new StartError(`${file} could not be read: ${(error as Error).message}`, { cause: error });
  }
}

function problemsOf(
  { chains, streams, unlinked, hidden, rewritten }: AuditReport,
  lines: readonly FileReport[],
  nameOf: (chain: Pick<ChainReport, 'chain'>) => string,
): string[] {
  return [
    ...[...chains, ...streams, ...lines].flatMap((chain) =>
      chain.problem === null ? [] : [`${nameOf(chain)}: ${chain.problem}`],
    ),
    ...[unlinked, hidden, rewritten].filter((problem) => problem !== null),
  ];
}
