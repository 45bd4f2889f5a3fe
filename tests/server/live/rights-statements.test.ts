import { and, eq, inArray } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { rightsInterval } from '../../../src/server/access/open-rights.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { sendNotice } from '../notice.ts';
import { shareLive } from './live-console.ts';

// Rights are read because of notices alone: nothing falls due while statements are counted.
const lab = shareLive({
  ...systemClock,
  after: (ms, run) => (ms === rightsInterval ? () => {} : systemClock.after(ms, run)),
});
const { open, cluster } = lab;

/** Pages, and the lists that each has open. */
const pageCount = 50;
const kinds = ['pod', 'secret', 'service', 'configmap', 'ingress', 'namespace'];

test('a change of grants costs one statement, however many pages and lists are open', async () => {
  const { live } = lab;
  const { id } = await cluster();
  const people = [];
  for (let index = 0; index < pageCount; index += 1) {
    const person = await live.person();
    await live.grant(person, id, teamRoles.Viewer);
    await live.grant(person, id, teamRoles.SecretViewer);
    people.push(person);
  }
  const pages = await Promise.all(
    people.map(async (person) => {
      const client = await open(person);
      return { client, lists: kinds.map((kind) => client.subscribe({ clusterId: id, kind })) };
    }),
  );
  for (const { client, lists } of pages)
    await client.until('live', () => lists.every(({ state }) => state?.status === 'live'));
  const { db, pool } = live.store;
  const asked = vi.spyOn(pool, 'query');
  const counted = async (change: () => Promise<unknown>, isDone: () => boolean) => {
    await change();
    asked.mockClear();
    const seen = pages.map(({ client }) => client.grants);
    await sendNotice(live.store, 'grants', { companyId: live.companyId });
    await expect
      .poll(() => pages.every(({ client }, at) => client.grants > (seen[at] ?? 0)) && isDone(), {
        timeout: 10_000,
      })
      .toBe(true);
    return asked.mock.calls.length;
  };
  try {
    // Nobody's rights are others.
    expect(
      await counted(
        () => Promise.resolve(),
        () => true,
      ),
    ).toBe(1);
    // Everybody's are.
    const ofPeople = inArray(
      teamMembers.userId,
      people.map((person) => person.id),
    );
    const isEnded = (of: number) => pages.every(({ lists }) => lists[of]?.ended !== undefined);
    const withoutSecrets = () =>
      db.delete(teamMembers).where(and(ofPeople, eq(teamMembers.role, teamRoles.SecretViewer)));
    expect(await counted(withoutSecrets, () => isEnded(1))).toBe(1);
    expect(pages.flatMap(({ lists }) => lists.filter(({ ended }) => ended !== undefined))).toHaveLength(
      pageCount,
    );
    const withoutAny = () => db.delete(teamMembers).where(ofPeople);
    expect(await counted(withoutAny, () => kinds.every((_, at) => isEnded(at)))).toBe(1);
  } finally {
    asked.mockRestore();
  }
});
