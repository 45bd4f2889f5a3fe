import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orgRoles } from '../../../src/contract/permissions.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type LiveClient, openLive } from '../live/live-client.ts';
import { companies } from '../../../src/server/store/schema/companies.ts';
import { foundCompany, prove, stranger } from './invitation-office.ts';

let console: TestConsole;
/** Another server over the same PostgreSQL, where pages are open. */
let there: TestConsole;
let companyId: number;
let owner: TestPerson;
let guest: TestPerson;
let pages: Readonly<Record<'owner' | 'member' | 'guest', LiveClient>>;

/** Opens a page of somebody on the other server. */
async function pageOf({ id }: TestPerson, companyId: number): Promise<LiveClient> {
  const client = await there.session(id, companyId);
  return await openLive(there.url, { cookie: client.cookie, origin: there.url });
}

beforeAll(async () => {
  console = await startConsole();
  there = await startConsole({ config: { databaseUrl: console.services.config.databaseUrl } });
  const company = await foundCompany(console);
  ({ owner, companyId } = company);
  const member = await console.person({ companyId: company.companyId });
  // Somebody of another company.
  const foreign = await foundCompany(console);
  guest = await console.person({ companyId: foreign.companyId });
  await prove(console, guest);
  pages = {
    owner: await pageOf(owner, company.companyId),
    member: await pageOf(member, company.companyId),
    guest: await pageOf(guest, foreign.companyId),
  };
});
afterAll(async () => {
  for (const { socket } of Object.values(pages)) socket.terminate();
  await there.close();
  await console.close();
});

const invite = () =>
  owner.client.call('invite', { body: { email: guest.email, orgRole: orgRoles.Member, teams: [] } });
const open = async () => (await invite()).invitation.inviteId;
const provider = () =>
  owner.client.call('addProvider', {
    body: {
      name: 'Sign-on',
      issuer: 'https://id.example.org',
      clientId: 'a',
      clientSecret: 'b',
      groupsClaim: null,
    },
  });

type Telling = readonly [page: keyof typeof pages, what: 'grants' | 'account'];
const ownersPage: Telling = ['owner', 'grants'];
const guestsMenu: Telling = ['guest', 'account'];

/** Changes that pages show, each with what it begins with, and the pages that are told. */
const changes: readonly {
  readonly name: string;
  readonly prepare?: () => Promise<number>;
  readonly change: (id: number) => Promise<unknown>;
  readonly tells: readonly Telling[];
}[] = [
  { name: 'an invitation', change: invite, tells: [ownersPage, guestsMenu] },
  {
    name: 'an invitation that is sent again',
    prepare: async () => (await owner.client.call('invitations', {})).invitations[0]?.inviteId ?? 0,
    change: (inviteId) => owner.client.call('resendInvitation', { params: { inviteId } }),
    tells: [ownersPage, guestsMenu],
  },
  {
    name: 'an invitation that is taken back',
    prepare: async () => (await owner.client.call('invitations', {})).invitations[0]?.inviteId ?? 0,
    change: (inviteId) => owner.client.call('revokeInvitation', { params: { inviteId } }),
    tells: [ownersPage, guestsMenu],
  },
  {
    name: 'an invitation that is rejected',
    prepare: open,
    change: (inviteId) => guest.client.call('rejectInvitation', { params: { inviteId } }),
    tells: [ownersPage, guestsMenu],
  },
  {
    name: 'an invitation that is accepted',
    prepare: open,
    change: (inviteId) => guest.client.call('acceptInvitation', { body: { inviteId } }),
    tells: [ownersPage, guestsMenu],
  },
  {
    name: 'another name of the company',
    change: () => owner.client.call('changeCompany', { body: { name: 'Renamed', domain: null } }),
    tells: [
      ['owner', 'account'],
      ['member', 'account'],
    ],
  },
  {
    name: 'a request for an invitation',
    change: async () => {
      const { db } = console.store;
      await db.update(companies).set({ domain: 'asking.example' }).where(eq(companies.id, companyId));
      const { client } = await stranger(console, 'kim@asking.example');
      return await client.call('requestInvite', {});
    },
    tells: [['owner', 'account']],
  },
  { name: 'a provider', change: provider, tells: [ownersPage] },
  {
    name: 'a provider that is changed',
    prepare: async () => (await provider()).id,
    change: (providerId) =>
      owner.client.call('changeProvider', { params: { providerId }, body: { name: 'Other' } }),
    tells: [ownersPage],
  },
  // The last: nobody has a page in it from then on.
  {
    name: 'an invitation to a company that is deleted',
    prepare: async () => {
      const elsewhere = await console.company();
      guest = await console.person({ companyId: elsewhere });
      await prove(console, guest);
      pages.guest.socket.terminate();
      pages = { ...pages, guest: await pageOf(guest, elsewhere) };
      return await open();
    },
    change: () => owner.client.call('deleteCompany', { body: { name: 'Renamed' } }),
    tells: [guestsMenu],
  },
];

it.each(changes)('$name is told to the pages that show it, on every server', async (one) => {
  const id = (await one.prepare?.()) ?? 0;
  const counts = () => one.tells.map(([page, what]) => pages[page][what]);
  // What the preparation told has come once a later notice has: they keep their order.
  await settle();
  const before = counts();
  await one.change(id);
  await expect.poll(() => counts().every((count, index) => count > (before[index] ?? 0))).toBe(true);
});

/** Waits until the pages have heard all that was sent so far. */
async function settle(): Promise<void> {
  const { preferences } = pages.guest;
  await there.store.channel.notify('preferences', { userId: guest.id });
  await expect.poll(() => pages.guest.preferences).toBeGreaterThan(preferences);
}
