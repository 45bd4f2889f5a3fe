import { readFile } from 'node:fs/promises';
import { TestClient } from '../server/http-client.ts';
import { alertExemptions, expectAccessible, prepareAxe } from './axe.ts';
import { eachHand, expect, owner, ownClusters, sharedApp } from './kit.ts';

const app = sharedApp(ownClusters);

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
    await prepareAxe(context);
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
    const entry = table.getByRole('link', { name: 'Update team' });
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
    await expect(table.getByRole('link', { name: 'Create team' }).first()).toBeVisible();

    const kept = page.getByRole('region', { name: 'How long it is kept' });
    const days = async () => (await client.call('auditSettings', {})).days;
    const changed = table.getByRole('link', { name: 'Change audit settings' });
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
}
