import { eq, sql } from 'drizzle-orm';
import { type Permission, teamRoles } from '../../../src/contract/permissions.ts';
import { accessRequests, temporaryGrants } from '../../../src/server/store/schema/temporary-access.ts';
import type { TestConsole, TestPerson } from '../harness.ts';

/** A company with a cluster, a Viewer who asks, and everybody who may or may not decide. */
export interface AccessOffice {
  readonly companyId: number;
  readonly clusterId: number;
  /** The team of the person, which reaches the whole cluster. */
  readonly teamId: number;
  readonly person: TestPerson;
  readonly owner: TestPerson;
  /** TeamAdmin of the person's team. */
  readonly admin: TestPerson;
}

/** Founds such a company. */
export async function accessOffice(console: TestConsole): Promise<AccessOffice> {
  const companyId = await console.company();
  const clusterId = await console.cluster(companyId);
  const owner = await console.person({ companyId, isOwner: true });
  const person = await console.person({ companyId });
  const admin = await console.person({ companyId });
  const teamId = await console.grant(companyId, person.id, clusterId, teamRoles.Viewer);
  await console.join(companyId, teamId, admin.id, teamRoles.TeamAdmin);
  return { companyId, clusterId, teamId, person, owner, admin };
}

/** Asks for permissions on the cluster for an hour. Answers the id of the request. */
export async function ask(
  { person, clusterId }: Pick<AccessOffice, 'person' | 'clusterId'>,
  permissions: Permission[] = ['pods.manage'],
  namespaces: string[] | null = null,
): Promise<number> {
  const body = { clusterId, permissions, namespaces, reason: 'An incident', minutes: 60 };
  return (await person.client.call('askAccess', { body })).id;
}

/** Lets the time of a request pass by moving its times: nobody can wait for an hour. @param left ms until its end */
export async function hasten(console: TestConsole, requestId: number, left: number): Promise<void> {
  const until = sql`clock_timestamp() + make_interval(secs => ${left / 1000})`;
  await console.store.db.transaction(async (tx) => {
    const [row] = await tx
      .update(accessRequests)
      .set({ decideBy: sql`least(decide_by, ${until})`, endsAt: sql`least(ends_at, ${until})` })
      .where(eq(accessRequests.id, requestId))
      .returning({ companyId: accessRequests.companyId });
    await tx.update(temporaryGrants).set({ endsAt: until }).where(eq(temporaryGrants.requestId, requestId));
    await console.store.channel.notify('grants', { companyId: row?.companyId ?? 0 }, tx);
  });
}
