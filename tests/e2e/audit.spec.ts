import { readFile } from 'node:fs/promises';
import { orgRoles, teamRoles } from '../../src/contract/permissions.ts';
import { TestClient } from '../server/http-client.ts';
import { type Receiver, startReceiver } from '../server/webhooks/receiver.ts';
import { alertExemptions, expectAccessible } from './axe.ts';
import { eachHand, expect, owner, ownClusters, sharedApp, test } from './kit.ts';

let receiver: Receiver;
test.beforeAll(async () => {
  receiver = await startReceiver();
});
test.afterAll(() => receiver.close());
const app = sharedApp(() => ({
  ...ownClusters,
  WHEELHOUSE_AUDIT_ALLOW_PORTS: String(receiver.port),
  WHEELHOUSE_AUDIT_ALLOW_CIDRS: '127.0.0.1/32',
}));

for (const { by, it } of eachHand) {
  it(`an Owner finds in the audit who changed what, and saves it (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const client = new TestClient(app().url);
    await client.call('signIn', { body: { email: owner.email, password: owner.password } });
    await client.call('changeAuditSettings', { body: { days: null } });
    const made = await client.call('createTeam', { body: { name: `Quay ${by}`, description: '' } });
    await client.call('updateTeam', {
      params: { teamId: made.id },
      body: { name: `Pier ${by}`, description: '' },
    });
    await app().enter(context);
    await page.goto(`${app().url}/settings`);
    await hands.press(
      page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit', exact: true }),
    );
    const table = page.getByRole('table', { name: 'Audit' });
    await expect(table).toBeVisible();

    const filter = page.getByRole('form', { name: 'Filter of the audit' });
    await hands.write(filter.getByLabel('Object'), `Pier ${by}`);
    await hands.press(filter.getByRole('button', { name: 'Search' }));
    await expect(page).toHaveURL(new RegExp(`section=audit.*object=Pier(\\+|%20)${by}`));
    const entry = table.getByRole('link', {
      name: `changed the team Quay ${by}: name Quay ${by} → Pier ${by}.`,
    });
    await expect(table.getByRole('link')).toHaveCount(1);
    await hands.press(entry);
    await expect(entry).toHaveAttribute('aria-expanded', 'true');
    const changes = page.getByRole('table', { name: 'Changes' });
    await expect(changes.getByRole('row', { name: `name Quay ${by} Pier ${by}` })).toBeVisible();
    await expectAccessible(page, 'an entry of the audit');

    const download = page.waitForEvent('download');
    await hands.press(page.getByRole('link', { name: 'Save these entries as CSV' }));
    const file = await (await download).path();
    const text = await readFile(file, 'utf8');
    expect(text).toContain(`Pier ${by}`);
    expect(text.trimEnd().split('\r\n')).toHaveLength(2);

    // The palette saves the same.
    const lines = page.waitForEvent('download');
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await page.keyboard.type('audit JSON lines');
    const command = page.getByRole('dialog').getByRole('option', { name: /as JSON lines/ });
    await expect(command).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    const saved = (await readFile(await (await lines).path(), 'utf8')).trimEnd().split('\n');
    // The first file is an entry that names what was looked for.
    expect(saved.map((line) => JSON.parse(line) as object)).toMatchObject([
      { action: 'exportAudit', subject: { format: 'csv' } },
      { action: 'updateTeam' },
    ]);

    await hands.select(filter.getByLabel('Outcome'), 'Refused');
    await expect(page.getByRole('heading', { name: 'No such entry' })).toBeVisible();
    await hands.press(filter.getByRole('button', { name: 'Clear' }));
    await expect(table.getByRole('link', { name: 'created the team' }).first()).toBeVisible();

    const kept = page.getByRole('region', { name: 'How long it is kept' });
    const days = async () => (await client.call('auditSettings', {})).days;
    const changed = table.getByRole('link', { name: 'set for how many days the audit is kept' });
    const before = await changed.count();
    // A shorter time deletes for good: it is asked about first.
    await hands.select(kept.getByLabel('Keep entries for'), 'One year');
    await hands.press(kept.getByRole('button', { name: 'Save…' }));
    const question = page.getByRole('alertdialog', {
      name: 'Keep entries for one year instead of for ever?',
    });
    await expect(question).toContainText('older than 365 days are deleted for good');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectAccessible(page, 'the question about a shorter retention', alertExemptions);
    await hands.press(question.getByRole('button', { name: 'Cancel' }));
    await expect(question).toBeHidden();
    expect(await days()).toBeNull();
    await hands.press(kept.getByRole('button', { name: 'Save…' }));
    await hands.press(question.getByRole('button', { name: 'Shorten', exact: true }));
    await expect(question).toBeHidden();
    await expect(page.getByText('Retention of the audit saved')).toBeVisible();
    expect(await days()).toBe(365);
    await expect(changed).toHaveCount(before + 1);

    // A longer time is not.
    await hands.select(kept.getByLabel('Keep entries for'), 'Two years');
    await hands.press(kept.getByRole('button', { name: 'Save', exact: true }));
    await expect.poll(days).toBe(730);
    await expect(question).toBeHidden();
  });

  it(`an Owner finds who gave somebody a place in a team that is gone, and saves the search (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const client = new TestClient(app().url);
    await client.call('signIn', { body: { email: owner.email, password: owner.password } });
    const team = await client.call('createTeam', { body: { name: `Dock ${by}`, description: '' } });
    const email = `mia-${by}@harbour.example`;
    const teams = [{ teamId: team.id, role: teamRoles.TeamAdmin }];
    await client.call('invite', { body: { email, orgRole: orgRoles.Member, teams } });
    await client.call('deleteTeam', { params: { teamId: team.id } });
    await app().enter(context);
    await page.goto(`${app().url}/settings?section=audit`);
    const table = page.getByRole('table', { name: 'Audit' });
    const filter = page.getByRole('form', { name: 'Filter of the audit' });
    await hands.write(filter.getByLabel('Search', { exact: true }), `dock mia ${by}`);
    await hands.press(filter.getByRole('button', { name: 'Search' }));
    const invited = table.getByRole('link', {
      name: `invited ${email} as Member into Dock ${by} (team ${team.id}) as TeamAdmin.`,
    });
    await expect(invited).toBeVisible();
    await expect(table.getByRole('link')).toHaveCount(1);
    await hands.select(filter.getByLabel('Show'), 'Changes only');
    await expect(page).toHaveURL(/changes=yes/);
    await expect(invited).toBeVisible();

    const saved = page.getByRole('region', { name: 'Saved searches' });
    await hands.write(saved.getByLabel('Name of this search'), `Mia by ${by}`);
    await hands.press(saved.getByRole('button', { name: 'Save search' }));
    await expect(page.getByText(`Saved the search “Mia by ${by}”`)).toBeVisible();
    await expectAccessible(page, 'a search of the audit that is saved');
    await hands.press(filter.getByRole('button', { name: 'Clear' }));
    await expect(saved.getByLabel('Name of this search')).toBeHidden();
    await hands.press(saved.getByRole('link', { name: `Mia by ${by}` }));
    await expect(page).toHaveURL(/words=dock.*changes=yes/);
    await expect(table.getByRole('link')).toHaveCount(1);
    await expect(saved.getByRole('link', { name: `Mia by ${by}` })).toHaveAttribute('aria-current', 'true');

    await page.setViewportSize({ width: 390, height: 844 });
    await expect(invited).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectAccessible(page, 'the audit in a narrow window');
    await hands.press(saved.getByRole('button', { name: `Delete the search “Mia by ${by}”` }));
    await expect(saved.getByRole('link')).toHaveCount(0);
  });

  it(`an Owner sends the audit to a SIEM, sees how far it got, and stops (${by})`, async ({
    page,
    context,
    hands,
    faults,
  }) => {
    faults.allowed.push(
      /400 \(Bad Request\)/,
      /failed with 400: The console sends the audit to port 443 only/,
    );
    await app().enter(context);
    await page.goto(`${app().url}/settings?section=audit`);
    const card = page.getByRole('region', { name: 'Stream to a SIEM' });
    const form = card.getByRole('form', { name: 'Audit receiver' });
    await hands.write(form.getByLabel('Address'), 'https://siem.example.org:9/');
    await hands.write(form.getByLabel('Secret'), 'Bearer of-the-receiver');
    await hands.press(form.getByRole('button', { name: 'Save' }));
    await expect(form.getByText(/The operator can list more in WHEELHOUSE_AUDIT_ALLOW_PORTS/)).toBeVisible();
    await expect(form.getByLabel('Secret')).toHaveValue('Bearer of-the-receiver');
    await expectAccessible(page, 'the form of a stream that was refused');

    receiver.answer({ status: 503, headers: { 'retry-after': '10' } });
    await hands.write(form.getByLabel('Address'), receiver.url);
    await hands.press(form.getByRole('button', { name: 'Save' }));
    await expect(page.getByText('Audit stream saved')).toBeVisible();
    await expect(card.getByText(new URL(receiver.url).origin)).toBeVisible();
    await expect(form.getByLabel('New address')).toHaveValue('');
    await expect(form.getByLabel('Secret')).toHaveValue('');
    await expect(card.getByRole('status')).toContainText('The receiver answered 503. Last tried');
    await expectAccessible(page, 'a stream whose receiver fails');
    await expect(card.getByText(/^Up to row \d+/)).toBeVisible({ timeout: 60_000 });
    await expect(card.getByRole('status')).toHaveText('');
    await expect
      .poll(() => receiver.received.map(({ body }) => body).join(''))
      .toContain('"action":"saveAuditStream"');
    expect(receiver.received.at(-1)?.headers['authorization']).toBe('Bearer of-the-receiver');

    await hands.press(card.getByRole('button', { name: 'Remove the stream…' }));
    const question = page.getByRole('alertdialog', { name: 'Remove the stream?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await hands.press(question.getByRole('button', { name: 'Remove', exact: true }));
    await expect(question).toBeHidden();
    await expect(form.getByLabel(/^Address/)).toBeVisible();
    await expect(card.getByText(/^Up to row/)).toBeHidden();
  });
}
