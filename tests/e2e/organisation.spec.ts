import type { Locator, Page } from 'playwright/test';
import { alertExemptions, expectAccessible } from './axe.ts';
import { sharedCluster } from './cluster.ts';
import { addMembers, grantClusters } from './grants.ts';
import { companyName, eachHand, enterAs, expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import { podRows, toastOf } from './places.ts';
import { addPerson, inStore } from './store.ts';
import { BearerClient } from '../server/http-client.ts';
import { type MailServer, startMailServer } from '../server/mail/mail-server.ts';
import { inBothHands } from '../gate/turn.ts';

let mail: MailServer;
test.beforeAll(async () => {
  mail = await startMailServer();
});
test.afterAll(() => mail.close());
const app = sharedApp(() => ({
  ...ownClusters,
  WHEELHOUSE_SMTP_URL: `smtp://127.0.0.1:${mail.settings.port}`,
  WHEELHOUSE_MAIL_FROM: 'Wheelhouse <console@example.org>',
}));
sharedCluster(app, 'playground');

/** The text of the mail to an address; undefined before it is there. */
const mailTo = (email: string) =>
  mail.mails.find(({ to }) => (Array.isArray(to) ? to : [to]).some((one) => one?.text === email))?.text;

/** The link in the mail to an address, once it is there. */
async function mailedLink(email: string): Promise<string> {
  const link = () => mailTo(email)?.match(/^https?:\/\/\S+$/m)?.[0];
  await expect.poll(link).toBeDefined();
  return link() ?? '';
}

for (const { by, it, handsOf } of eachHand) {
  it(
    `somebody makes an API token, a script uses it, and it is revoked (${by})`,
    inBothHands,
    async ({ page, context, hands }) => {
      const name = `deploys ${by}`;
      await app().enter(context);
      await page.goto(`${app().url}/settings?section=tokens`);
      await expect(page.getByRole('heading', { name: 'No API tokens' })).toBeVisible();
      await expectAccessible(page, 'no API tokens');
      if (by === 'keyboard') {
        await page.keyboard.press('c');
        await page.keyboard.press('t');
      } else await hands.press(page.getByRole('button', { name: 'New token…' }));
      const asking = page.getByRole('dialog', { name: 'New API token' });
      await hands.write(asking.getByRole('textbox', { name: 'Name' }), name);
      await hands.tick(asking.getByRole('checkbox', { name: 'See deployments' }));
      await expectAccessible(page, 'a new API token');
      await hands.press(asking.getByRole('button', { name: 'Create token' }));
      const shown = page.getByRole('dialog', { name: `API token ${name}` });
      const secret = (await shown.getByLabel('Token, shown only now').textContent()) ?? '';
      const script = new BearerClient(app().url, secret);
      expect(await script.call('clusters', {})).not.toEqual([]);
      await expectAccessible(page, 'an API token');
      await hands.press(shown.getByRole('button', { name: 'Done' }));
      const list = page.getByRole('list', { name: 'Your API tokens' });
      await expect(list.getByText('See deployments')).toBeVisible();
      await expect(list).not.toContainText('whp_');
      await hands.press(list.getByRole('button', { name: `Revoke ${name}…` }));
      await hands.press(page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }));
      await expect(page.getByRole('heading', { name: 'No API tokens' })).toBeVisible();
      await expect(script.call('clusters', {})).rejects.toMatchObject({ status: 401 });
    },
  );

  it(
    `an Owner lets a team see a cluster, and takes somebody out while they look (${by})`,
    inBothHands,
    async ({ page, context, another, allow, hands }) => {
      // What is read while it is taken away is not there.
      allow(/status of 40[49]/, /failed with 40[49]/);
      const email = `noa-${by}@example.org`;
      const name = `Noa ${by}`;
      await addPerson(app().product, email, name);
      await app().enter(context);
      const noa = await enterAs(app(), email, await another());
      await expect(noa.getByText('An Owner of your organisation can add clusters')).toBeVisible();

      await page.goto(app().url);
      await hands.press(page.getByRole('banner').getByRole('link', { name: 'Teams' }));
      await expect(page.getByRole('heading', { name: 'Teams', level: 1 })).toBeVisible();
      await hands.press(page.getByRole('button', { name: 'New team' }));
      const creating = page.getByRole('dialog', { name: 'New team' });
      await hands.write(creating.getByLabel('Name'), `Checkout ${by}`);
      await hands.press(creating.getByRole('button', { name: 'Create team' }));
      const team = page.getByRole('region', { name: `Checkout ${by}`, exact: true });
      await expect(team).toBeVisible();
      await expect(page).toHaveURL(/\/settings\/teams\/\d+$/);

      await grantClusters(hands, team, ['playground']);
      await expect(team.getByRole('link', { name: 'playground', exact: true })).toBeVisible();
      await addMembers(hands, team, [name]);
      const role = team.getByLabel(`Role of ${name}`);
      await expect(role).toHaveText('Viewer view only');
      await expectAccessible(page, 'a team');
      if (hands.name === 'keyboard') {
        // A word that happens to be typed there gives no role: the list of roles stays open for a second look.
        await role.focus();
        await page.keyboard.type('secret');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('listbox', { name: `Role of ${name}` })).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(role).toHaveText('Viewer view only');
      }

      // The person sees the cluster at once, and it is gone at once when they are taken out.
      await noa
        .getByRole('region', { name: /^Clusters/ })
        .getByRole('link', { name: /^playground/ })
        .click();
      await noa.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Pods' }).click();
      await expect(podRows(noa).filter({ hasText: 'kube-system' }).first()).toBeVisible();

      // Of two namespaces the person sees what is in them alone, and one vanishes while they look.
      const restrict = async (change: (dialog: Locator) => Promise<void>) => {
        await hands.press(team.getByRole('button', { name: 'Namespaces of playground' }));
        const restricting = page.getByRole('dialog', { name: `What Checkout ${by} reaches of playground` });
        await change(restricting);
        await hands.press(restricting.getByRole('button', { name: 'Save' }));
        await expect(restricting).toBeHidden();
      };
      await restrict(async (dialog) => {
        await hands.tick(dialog.getByLabel('Only some namespaces'));
        await hands.tick(dialog.getByLabel('ingress', { exact: true }));
        await hands.write(dialog.getByLabel('More namespaces'), 'payments');
        await expectAccessible(page, 'the namespaces of a grant');
      });
      await expect(team.getByText('namespaces ingress, payments')).toBeVisible();
      await expect(podRows(noa).filter({ hasText: 'payments' }).first()).toBeVisible();
      await expect(podRows(noa).filter({ hasNotText: /ingress|payments/ })).toHaveCount(0);
      await expect(
        noa.getByRole('region', { name: /^Pods in playground, namespaces ingress, payments only/ }),
      ).toBeVisible();
      await expect(
        noa.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Nodes' }),
      ).toHaveCount(0);
      await restrict((dialog) => hands.tick(dialog.getByLabel('payments', { exact: true })));
      await expect(podRows(noa).filter({ hasText: 'payments' })).toHaveCount(0);
      await expect(podRows(noa).filter({ hasText: 'ingress' }).first()).toBeVisible();
      await expectAccessible(page, 'a team with a restricted grant');
      await hands.select(role, 'SecretViewer view with secrets');
      await hands.press(team.getByRole('button', { name: `Remove ${name}` }));
      await expect(team.getByText('Nobody is in this team yet.')).toBeVisible();
      await expect(podRows(noa)).toHaveCount(0);
      await expect(noa).toHaveURL(`${app().url}/`);

      // Toasts of what was done lie over the buttons up there; a pointer that waits on one keeps it.
      if (by === 'pointer') await page.mouse.move(0, 0);
      await expect(page.locator('[data-toast]')).toHaveCount(0);
      await hands.press(team.getByRole('button', { name: 'Delete team…' }));
      const deleting = page.getByRole('alertdialog');
      await hands.press(deleting.getByRole('button', { name: 'Delete team' }));
      await expect(page.getByText('No team yet')).toBeVisible();

      const settings = page.getByRole('navigation', { name: 'Settings' });
      const people = page.getByRole('table', { name: 'Members' });
      await hands.press(settings.getByRole('link', { name: 'Members' }));
      await expect(people.getByRole('row', { name })).toContainText('no team');
      await expectAccessible(page, 'the members');
      await hands.press(people.getByRole('link', { name: owner.name }));
      await expect(page.getByText('every permission (18)').first()).toBeVisible();
      await hands.press(page.getByRole('button', { name: 'Suspend…' }));
      await expect(toastOf(page, `${owner.name} is the last Owner of the organisation`)).toBeVisible();
      await expect(page.getByRole('alertdialog')).toHaveCount(0);

      await hands.press(page.getByRole('main').getByRole('link', { name: 'All members' }));
      await hands.press(people.getByRole('link', { name }));
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
      await expectAccessible(page, 'a member');
    },
  );

  it(
    `an Owner invites two people by mail; one joins, one rejects, and the Owner sees both (${by})`,
    inBothHands,
    async ({ page, context, another, hands }) => {
      const [joins, rejects] = [`ada-${by}@example.org`, `bo-${by}@example.org`];
      await app().enter(context);
      await page.goto(`${app().url}/settings/organization/members`);
      for (const email of [joins, rejects]) {
        await hands.press(page.getByRole('button', { name: 'Invite…' }));
        const inviting = page.getByRole('dialog', { name: 'Invite somebody' });
        await hands.write(inviting.getByLabel('Email'), email);
        await hands.write(inviting.getByLabel('Message in the mail'), 'Welcome, we begin on Monday.');
        if (email === joins) await expectAccessible(page, 'inviting');
        await hands.press(inviting.getByRole('button', { name: 'Invite', exact: true }));
        const sent = page.getByRole('dialog', { name: `Invitation for ${email}` });
        await expect(sent.getByText(`The invitation was mailed to ${email}.`)).toBeVisible();
        await expect(sent.getByLabel('Link, shown only now')).toContainText('/login#invite=');
        // Enter once too often copies the link: it does not close the only place that shows it.
        await expect(sent.getByRole('button', { name: 'Copy link' })).toBeFocused();
        if (email === joins) await expectAccessible(page, 'a sent invitation');
        await hands.press(sent.getByRole('button', { name: 'Done' }));
      }
      await hands.press(page.getByRole('link', { name: /^Invitations \d/ }));
      await expect(page.getByRole('listitem', { name: `Invitation for ${joins}` })).toContainText('Pending');
      await mailedLink(joins);
      expect(mailTo(joins)).toContain(`Message of ${owner.name}:\n> Welcome, we begin on Monday.\n`);
      await expectAccessible(page, 'open invitations');

      /** Opens the mailed link in a browser of its own, and signs up by it. */
      const arrive = async (email: string, name: string): Promise<Page> => {
        const browser = await another();
        const theirs = await browser.newPage();
        await theirs.goto(await mailedLink(email));
        await expect(theirs.getByText(`invites ${email} to ${companyName} as Member.`)).toBeVisible();
        await expect(theirs).toHaveURL(/\/login$/);
        await expect(theirs.getByLabel('Email')).toHaveValue(email);
        if (email === joins) await expectAccessible(theirs, 'an invitation link');
        const own = handsOf(theirs);
        await own.write(theirs.getByLabel('Your name'), name);
        await own.write(theirs.getByLabel(/^Password/), owner.password);
        await own.press(theirs.getByRole('button', { name: 'Create your account' }));
        return theirs;
      };
      const ada = await arrive(joins, `Ada ${by}`);
      const offer = ada.getByRole('region', { name: `Invitation to ${companyName}` });
      await expect(offer).toBeVisible();
      await expectAccessible(ada, 'a pending invitation');
      await handsOf(ada).press(offer.getByRole('button', { name: 'Accept' }));
      await expect(ada.getByText('An Owner of your organisation can add clusters')).toBeVisible();
      const bo = await arrive(rejects, `Bo ${by}`);
      await handsOf(bo).press(bo.getByRole('button', { name: 'Reject' }));
      await expect(bo).toHaveURL(/\/invite-rejected$/);
      await expect(bo.getByText('You declined this invitation.')).toBeVisible();

      await page.reload();
      await hands.press(page.getByRole('link', { name: /^Members \d/ }));
      await expect(
        page.getByRole('table', { name: 'Members' }).getByRole('row', { name: `Ada ${by}` }),
      ).toBeVisible();
      await hands.press(page.getByRole('link', { name: /^Invitations \d/ }));
      const rejected = page.getByRole('listitem', { name: `Invitation for ${rejects}` });
      await expect(rejected).toContainText('Rejected');
      await hands.press(rejected.getByRole('button', { name: `Revoke the invitation for ${rejects}` }));
      await hands.press(page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }));
      await expect(rejected).toBeHidden();
    },
  );

  it(
    `an Owner finds people among many, selects several, and changes them together (${by})`,
    inBothHands,
    async ({ page, context, hands }) => {
      const last = by === 'pointer' ? 'Abel' : 'Zacher';
      for (const first of ['Uma', 'Ulf', 'Udo']) {
        await addPerson(app().product, `${first}.${last}@example.org`.toLowerCase(), `${first} ${last}`);
      }
      await app().enter(context);
      await page.goto(`${app().url}/settings/organization/members`);
      const people = page.getByRole('table', { name: 'Members' });
      await expect(people.getByRole('row', { name: `Uma ${last}` })).toBeVisible();
      if (by === 'keyboard') {
        await page.keyboard.press('/');
        await expect(page.getByLabel('Search', { exact: true })).toBeFocused();
        await page.keyboard.type(last.toLowerCase());
      } else await hands.write(page.getByLabel('Search', { exact: true }), last.toLowerCase());
      await expect(people.getByRole('row')).toHaveCount(4);
      await expect(page).toHaveURL(new RegExp(`q=${last.toLowerCase()}`));
      await expect(people.getByRole('row').nth(1)).toContainText(`Udo ${last}`);
      await hands.press(people.getByRole('columnheader', { name: 'Name' }).getByRole('button'));
      await expect(people.getByRole('row').nth(1)).toContainText(`Uma ${last}`);
      await expectAccessible(page, 'members that fit a filter');

      if (by === 'keyboard') {
        await people.getByRole('link', { name: `Uma ${last}` }).focus();
        await page.keyboard.press('v');
        await page.keyboard.press('j');
        await page.keyboard.press('v');
      } else {
        await hands.tick(people.getByRole('checkbox', { name: `Select Uma ${last}` }));
        await hands.tick(people.getByRole('checkbox', { name: `Select Ulf ${last}` }));
      }
      const acts = page.getByRole('toolbar', { name: 'Acts on the selected members' });
      await expect(acts).toContainText('2 selected');
      await expectAccessible(page, 'selected members');
      if (by === 'keyboard') await page.keyboard.press('s');
      else await hands.press(acts.getByRole('button', { name: 'Suspend…' }));
      const asking = page.getByRole('alertdialog', { name: 'Suspend 2 people?' });
      await expect(asking).toContainText(`Ulf ${last}`);
      await expectAccessible(page, 'suspending several', alertExemptions);
      await hands.press(asking.getByRole('button', { name: 'Suspend' }));
      await expect(page.getByText('2 people are suspended')).toBeVisible();
      await expect(people.getByText('Suspended')).toHaveCount(2);

      if (by === 'keyboard') await page.keyboard.press('Shift+D');
      else await hands.press(acts.getByRole('button', { name: 'Remove…' }));
      const removing = page.getByRole('alertdialog', { name: 'Remove 2 people from the organisation?' });
      await expect(removing.getByRole('button', { name: 'Remove' })).toBeDisabled();
      await hands.write(removing.getByLabel(/^Type 2/), '2');
      await hands.press(removing.getByRole('button', { name: 'Remove' }));
      await expect(people.getByRole('row')).toHaveCount(2);
      await expect(acts).toBeHidden();
    },
  );

  it(`somebody in two organisations switches by the user menu and by the palette (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const other = `Second of ${by}`;
    await inStore(app().product, async (query) => {
      await query(
        `with company as (insert into companies (name) values ($1) returning id)
         insert into memberships (user_id, company_id, org_role)
         select u.id, company.id, 1 from company, users u where u.email = $2`,
        [other, owner.email],
      );
      await query(
        `with company as (insert into companies (name) values ($1) returning id)
         insert into invitations (company_id, email, org_role, link_hash, mail_hash, mail, expires_at, claimed_by)
         select company.id, u.email, 2, decode(md5($1), 'hex'), decode(md5($1 || 'm'), 'hex'), 'off',
           now() + interval '1 day', u.id from company, users u where u.email = $2`,
        [`Host of ${by}`, owner.email],
      );
    });
    await app().enter(context, 'own');
    await page.goto(app().url);
    const banner = page.getByRole('banner');
    // The menu says that somebody invites them.
    await hands.choose(banner.getByRole('button', { name: /account of/ }), '1 invitation');
    await hands.press(
      page.getByRole('region', { name: 'Invitations' }).getByRole('button', { name: /Reject/ }),
    );
    const own = page.getByRole('region', { name: 'Your organisations' });
    await expect(own.getByText('Current')).toBeVisible();
    await expectAccessible(page, 'the own organisations');
    await expect(own.getByRole('button', { name: `Switch to ${other}` })).toBeVisible();
    const account = banner.getByRole('button', { name: /account of/ });
    await hands.press(account);
    await expect(page.getByRole('menuitemradio', { name: companyName })).toBeChecked();
    await expectAccessible(page, 'the organisations in the user menu');
    await page.keyboard.press('Escape');
    await hands.choose(account, other);
    await expect(page).toHaveURL(`${app().url}/`);
    await expect(page.getByRole('button', { name: 'Add cluster' }).first()).toBeVisible();
    await expect(page.getByText('playground', { exact: true })).toHaveCount(0);

    await page.goto(`${app().url}/settings?section=company`);
    await hands.write(page.getByRole('textbox', { name: 'Name' }), `Third of ${by}`);
    await hands.press(page.getByRole('button', { name: 'Save' }));
    await expect(page.getByText('Organisation saved')).toBeVisible();
    await expectAccessible(page, 'the organisation');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('Switch organisation');
    await page.keyboard.press('Enter');
    await page.keyboard.type(companyName);
    await expect(page.getByRole('option', { name: companyName })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByText('playground', { exact: true }).first()).toBeVisible();
  });
}
