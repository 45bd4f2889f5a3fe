import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole, testPassword } from '../harness.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';
import {
  foundCompany,
  freshAddress,
  prove,
  storedInvitation,
  stranger,
  titleOf,
  tokenOf,
} from './invitation-office.ts';

let mail: MailServer;
let console: TestConsole;
beforeAll(async () => {
  mail = await startMailServer();
  console = await startConsole({ config: { mail: mail.settings } });
});
afterAll(async () => {
  await console.close();
  await mail.close();
});

/** Rows of every table, by name, but those in which the audit is chained and the calls of networks are counted. */
async function rowCounts(of: TestConsole): Promise<Record<string, number>> {
  const { rows } = await of.store.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'
      and table_name not in ('audit_queue', 'audit_links', 'rate_windows')`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const answer = await of.store.db.execute<{ count: number }>(
      sql`select count(*)::int as count from ${sql.identifier(name)}`,
    );
    counts[name] = answer.rows[0]?.count ?? 0;
  }
  return counts;
}

describe('mistakes that others paid for', () => {
  it('CVE-2022-39306, GHSA-2x6g-h2hg-rq84: an invitation link lets nobody sign up with another address', async () => {
    const { owner } = await foundCompany(console);
    const email = freshAddress();
    const { link } = await owner.client.call('invite', { body: { email, orgRole: 2 } });
    const claim = { token: tokenOf(link), name: 'Eve', password: testPassword };
    const browser = console.visitor();
    const answer = await browser.send('POST', '/api/v1/invitations/claim', {
      ...claim,
      email: 'eve@evil.example',
    });
    expect(answer.status).toBe(400);
    expect(await browser.call('claimInvitation', { body: claim })).toMatchObject({ email });
  });

  it('CVE-2022-39307: an Owner who invites does not learn which addresses have accounts', async () => {
    const there = await foundCompany(console);
    const known = await console.person({ companyId: there.companyId, password: testPassword });
    const { owner } = await foundCompany(console);
    const seen = [];
    for (const email of [known.email, freshAddress()]) {
      const before = await rowCounts(console);
      const mails = mail.mails.length;
      const answer = await owner.client.send('POST', '/api/organization/invitations', { email, orgRole: 2 });
      await mail.received(mails + 1);
      const { link } = answer.json as { link: string };
      const read = await console.visitor().send('POST', '/api/v1/invitations/link', { token: tokenOf(link) });
      const after = await rowCounts(console);
      const shape = (text: string) =>
        text
          .replaceAll(email, 'ADDRESS')
          .replaceAll(/#invite=[\w-]+/g, '#invite=TOKEN')
          .replaceAll(/"(createdAt|expiresAt)":"[^"]+"/g, '"$1":"TIME"')
          .replace(/"inviteId":\d+/, '"inviteId":0');
      seen.push({
        status: answer.status,
        body: shape(answer.text),
        link: shape(read.text),
        rows: Object.entries(after).filter(([name, count]) => count !== before[name]),
        added: Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]),
        mails: mail.mails.length - mails,
        mail: shape(mail.mails.at(-1)?.text ?? ''),
      });
    }
    const [first, second] = seen.map(({ rows: _rows, ...rest }) => rest);
    expect(first).toEqual(second);
  });

  it('CVE-2022-21703: another site cannot make an Owner invite somebody', async () => {
    const { owner } = await foundCompany(console);
    const body = { email: 'eve@evil.example', orgRole: 1 };
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: null, 'sec-fetch-site': null },
      { 'x-xsrf-token': null },
      { 'content-type': 'text/plain' },
    ]) {
      const answer = await owner.client.send('POST', '/api/organization/invitations', body, { headers });
      expect([403, 415]).toContain(answer.status);
    }
    expect((await owner.client.call('invitations', {})).invitations).toEqual([]);
  });

  it('GHSA-fmh4-wcc4-5jm3: an account with the invited address and no proof of it has no part in the invitation', async () => {
    const { owner } = await foundCompany(console);
    const email = freshAddress();
    const claimant = await stranger(console, email, false);
    const { invitation } = await owner.client.call('invite', { body: { email, orgRole: 1 } });
    const { inviteId } = invitation;
    expect(await claimant.client.call('pendingInvitations', {})).toEqual([]);
    expect(await claimant.client.call('currentUser', {})).toMatchObject({ isInvitePending: false });
    for (const [path, body] of [
      ['/api/v1/invitations/accept', { inviteId }],
      [`/api/team/invites/${inviteId}/reject`, undefined],
    ] as const)
      expect(titleOf(await claimant.client.send('POST', path, body))).toEqual([
        404,
        'There is no such invitation.',
      ]);
    await prove(console, claimant);
    expect(await claimant.client.call('pendingInvitations', {})).toHaveLength(1);
  });

  it('blocks-os 352: nobody who is signed out gets or confirms anything by the id of an invitation', async () => {
    const { companyId, owner } = await foundCompany(console);
    const email = freshAddress();
    const expiresAt = Date.now() + 60_000;
    const { inviteId } = await storedInvitation(console, {
      companyId,
      email,
      invitedBy: owner.id,
      expiresAt,
    });
    for (const [method, path, body] of [
      ['POST', '/api/v1/invitations/accept', { inviteId }],
      ['POST', `/api/team/invites/${inviteId}/reject`],
      ['GET', '/api/v1/invitations/pending'],
      ['GET', '/api/organization/invitations'],
    ] as const)
      expect((await console.visitor().send(method, path, body)).status).toBe(401);
    for (const token of [String(inviteId), email]) {
      const answer = await console.visitor().send('POST', '/api/v1/invitations/link', { token });
      expect(answer.status).toBe(410);
      expect(answer.text).not.toContain(email);
    }
  });

  it('vibe-kanban 3430: not any account that is signed in can redeem a link', async () => {
    const { owner } = await foundCompany(console);
    const email = freshAddress();
    const { link, invitation } = await owner.client.call('invite', { body: { email, orgRole: 2 } });
    const eve = await stranger(console);
    const answer = await eve.client.send('POST', '/api/v1/invitations/claim', { token: tokenOf(link) });
    expect(titleOf(answer)).toEqual([
      409,
      `This invitation is for ${email}. You are signed in as ${eve.email}: sign out, then open the link again.`,
    ]);
    const { inviteId } = invitation;
    const accepted = await eve.client.send('POST', '/api/v1/invitations/accept', { inviteId });
    expect(accepted.status).toBe(404);
  });
});
