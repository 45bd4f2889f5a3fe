import { type AuditReport, type ChainReport, verifyAudit } from '../../audit/verify.ts';
import { verifyRecordings } from '../../recordings/verify.ts';
import { StartError } from '../../kit/start-error.ts';
import { openStore } from '../../store/open.ts';
import { companies } from '../../store/schema/companies.ts';
import type { AdminContext } from './admin.ts';

/** `audit verify`: checks every chain of the audit, and the recordings of shells that it tells of. Throws StartError with the first thing that is wrong of each. */
export async function auditCommand({ config, say }: AdminContext, task: string): Promise<void> {
  if (task !== 'verify') throw new StartError(`There is no "audit ${task}". There is: audit verify.`);
  const store = await openStore(config);
  try {
    const names = new Map(
      (await store.db.select({ id: companies.id, name: companies.name }).from(companies)).map(
        ({ id, name }) => [id, `${name} (${id})`],
      ),
    );
    const nameOf = ({ chain }: ChainReport) =>
      names.get(chain) ?? (chain === 0 ? 'The installation' : `A deleted organisation (${chain})`);
    const report = await verifyAudit(store);
    for (const chain of report.chains) {
      const { position, hash } = chain.head;
      if (chain.problem === null)
        say(`${nameOf(chain)}: ${chain.links} rows are as recorded. Position ${position} has hash ${hash}`);
    }
    if (report.waiting > 0)
      say(`${report.waiting} rows are not in a chain yet; a running console does it within seconds.`);
    const { earlier } = report;
    if (earlier.count > 0) {
      say(
        `Rows from before the database kept entries as they were begun, which it would refuse now: ${earlier.count}.`,
      );
      for (const sentence of earlier.named) say(`  ${sentence}`);
      if (earlier.count > earlier.named.length) say(`  … and ${earlier.count - earlier.named.length} more.`);
    }
    const recordings = await verifyRecordings(store);
    if (recordings.right > 0) say(`${recordings.right} recordings of shells match the audit.`);
    const problems = [...problemsOf(report, nameOf), ...recordings.problems];
    if (problems.length > 0) throw new StartError(problems);
    say(
      'The audit is complete. Keep the positions and hashes elsewhere: they show whether an end is cut off later.',
    );
  } finally {
    await store.close();
  }
}

function problemsOf(
  { chains, unlinked, hidden, rewritten }: AuditReport,
  nameOf: (chain: ChainReport) => string,
): string[] {
  return [
    ...chains.flatMap((chain) => (chain.problem === null ? [] : [`${nameOf(chain)}: ${chain.problem}`])),
    ...[unlinked, hidden, rewritten].filter((problem) => problem !== null),
  ];
}
