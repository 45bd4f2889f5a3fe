import type { BrowserContext, Page } from 'playwright/test';
import { type Issuer, issuerClient, startIssuer } from '../issuer.ts';
import { TestClient } from '../server/http-client.ts';
import { type MailServer, startMailServer } from '../server/mail/mail-server.ts';
import { alertExemptions, expectAccessible } from './axe.ts';
import { addMembers, grantClusters } from './grants.ts';
import { eachHand, expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import { kubeconfigOf } from './kubeconfigs.ts';
import { dialogOf, podRows, toastOf } from './places.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';
import { addPerson } from './store.ts';
import { inBothHands } from '../gate/turn.ts';

let mail: MailServer;
let issuer: Issuer;
let cluster: SecondCluster;
test.beforeAll(async () => {
  [mail, issuer, cluster] = await Promise.all([startMailServer(), startIssuer(), startSecondCluster()]);
});
const app = sharedApp(() => ({
  ...ownClusters,
  WHEELHOUSE_SMTP_URL: `smtp://127.0.0.1:${mail.settings.port}`,
  WHEELHOUSE_MAIL_FROM: 'Wheelhouse <console@example.org>',
  WHEELHOUSE_OIDC_CORP_ISSUER: issuer.url,
  WHEELHOUSE_OIDC_CORP_CLIENT_ID: issuerClient.clientId,
  WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: issuerClient.clientSecret,
}));
test.beforeAll(() => issuer.open([`${app().url}/api/auth/callback/corp`]));
test.afterAll(() => Promise.all([mail.close(), issuer.close(), cluster.stop()]));

/** What somebody who looks on sees within this time, once it was done (ms). */
const atOnce = 2_000;

/** The text of the newest mail to an address whose subject says this. */
async function mailTo(email: string, subject: RegExp): Promise<string> {
  const found = () =>
    mail.mails.findLast(
      ({ to, subject: said }) =>
        subject.test(said ?? '') && (Array.isArray(to) ? to : [to]).some((one) => one?.text === email),
    );
  await expect.poll(found).toBeDefined();
  return found()?.text ?? '';
}
const linkIn = (text: string) => /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '';

/** Makes somebody of the first organisation, and signs a browser in as them by a set-up link of the operator. */
async function enterAsFounder(context: BrowserContext, email: string, name: string): Promise<void> {
  await addPerson(app().product, email, name);
  const [, token = ''] = /#setup=(\S+)/.exec(await app().product.admin('setup-link')) ?? [];
  const client = new TestClient(app().url);
  await client.call('setup', { body: { token, name, email, password: owner.password } });
  await context.addCookies([...client.cookies].map(([key, value]) => ({ name: key, value, url: app().url })));
}

const offerOf = (page: Page, company: string) =>
  page.getByRole('region', { name: `Invitation to ${company}` });
const sidebarOf = (page: Page) => page.getByRole('navigation', { name: 'Sidebar' });

for (const { by, it, handsOf } of eachHand) {
  it(
    `a company is founded, people come by mail, see what their team reaches, and lose it (${by})`,
    inBothHands,
    async ({ page, context, another, allow, hands }) => {
      // What is read while it is taken away is not there; with the organisation its sessions end.
      allow(/status of 40[14]/, /failed with 40[14]/);
      const { url } = app();
      const company = `Foundry of ${by}`;
      const domain = `${by}.example.org`;
      const addressOf = (name: string) => `${name.toLowerCase()}@${domain}`;
      const settings = page.getByRole('navigation', { name: 'Settings' });
      const invite = async (email: string) => {
        const inviting = page.getByRole('dialog', { name: 'Invite somebody' });
        await hands.press(inviting.getByRole('button', { name: 'Invite', exact: true }));
        const sent = page.getByRole('dialog', { name: `Invitation for ${email}` });
        await expect(sent.getByText(`The invitation was mailed to ${email}.`)).toBeVisible();
        await hands.press(sent.getByRole('button', { name: 'Done' }));
      };
      const signInThere = async (theirs: Page, name: string) => {
        const subject = addressOf(name);
        issuer.people.set(subject, { email: subject, email_verified: true, name });
        const own = handsOf(theirs);
        await own.press(theirs.getByRole('button', { name: 'Continue with single sign-on' }));
        await own.write(theirs.getByLabel('Subject'), subject);
        await own.press(theirs.getByRole('button', { name: 'Sign in there' }));
      };

      await test.step('somebody founds it in the settings, and shows that their address is theirs', async () => {
        await enterAsFounder(context, addressOf('Fay'), 'Fay Founder');
        await page.goto(`${url}/settings?section=companies`);
        await hands.write(page.getByLabel('Name of the organisation'), company);
        await hands.press(page.getByRole('button', { name: 'Create the organisation' }));
        await expect(page.getByRole('button', { name: 'Add cluster' }).first()).toBeVisible();

        await page.goto(`${url}/settings?section=profile`);
        await hands.press(page.getByRole('button', { name: 'Mail me a link' }));
        await expect(page.getByText(`A link is on its way to ${addressOf('Fay')}.`)).toBeVisible();
        await expectAccessible(page, 'a mailed link for the own address');
        const opened = await context.newPage();
        await opened.goto(linkIn(await mailTo(addressOf('Fay'), /Confirm your email address/)));
        await expect(opened.getByText(`${addressOf('Fay')} is confirmed as your address.`)).toBeVisible();
        await expect(opened).toHaveURL(`${url}/settings?section=profile`);
        await opened.close();
        await hands.press(settings.getByRole('link', { name: 'Organisation', exact: true }));
        await hands.write(page.getByRole('textbox', { name: 'Domain' }), domain);
        await hands.press(page.getByRole('button', { name: 'Save' }));
        await expect(page.getByText('Organisation saved')).toBeVisible();
      });

      await test.step('its cluster is added', async () => {
        await page.goto(`${url}/clusters`);
        await hands.press(page.getByRole('button', { name: 'Add clusters' }).first());
        const adding = dialogOf(page, 'Add clusters');
        const { server, token } = cluster;
        await hands.paste(
          adding.getByLabel('Kubeconfig'),
          kubeconfigOf(cluster, [{ name: 'harbour', server, user: { token } }]),
        );
        await hands.press(adding.getByRole('button', { name: 'Add cluster' }));
        await expect(adding).toBeHidden();
      });

      const [ada, ben] = [await (await another()).newPage(), await (await another()).newPage()];
      await test.step('two people are invited by mail: one comes by password, one by single sign-on', async () => {
        await page.goto(`${url}/settings/organization/members`);
        await expect(page.getByRole('link', { name: 'Invitations 0' })).toBeVisible();
        if (by === 'pointer') await expectAccessible(page, 'the members of a new organisation');
        for (const name of ['Ada', 'Ben']) {
          await hands.press(page.getByRole('button', { name: 'Invite…' }));
          await hands.write(dialogOf(page, 'Invite somebody').getByLabel('Email'), addressOf(name));
          await invite(addressOf(name));
        }
        await ada.goto(linkIn(await mailTo(addressOf('Ada'), /invites you/)));
        await expect(ada.getByRole('button', { name: 'Continue with single sign-on' })).toBeVisible();
        await expectAccessible(ada, 'an invitation with a provider');
        await handsOf(ada).write(ada.getByLabel('Your name'), 'Ada');
        await handsOf(ada).write(ada.getByLabel(/^Password/), owner.password);
        await handsOf(ada).press(ada.getByRole('button', { name: 'Create your account' }));
        await ben.goto(linkIn(await mailTo(addressOf('Ben'), /invites you/)));
        await signInThere(ben, 'Ben');
        for (const theirs of [ada, ben]) {
          await handsOf(theirs).press(offerOf(theirs, company).getByRole('button', { name: 'Accept' }));
          await expect(theirs.getByText('An Owner of your organisation can add clusters')).toBeVisible();
        }
      });

      const team = page.getByRole('region', { name: 'Checkout', exact: true });
      const restrict = async (...names: readonly string[]) => {
        await hands.press(team.getByRole('button', { name: 'Namespaces of harbour' }));
        const restricting = dialogOf(page, 'What Checkout reaches of harbour');
        for (const name of names) await hands.tick(restricting.getByLabel(name, { exact: true }));
        await hands.press(restricting.getByRole('button', { name: 'Save' }));
        await expect(restricting).toBeHidden();
      };
      await test.step('they come into a team with one cluster and two namespaces', async () => {
        await hands.press(page.getByRole('banner').getByRole('link', { name: 'Teams' }));
        await hands.press(page.getByRole('button', { name: 'New team' }).first());
        await hands.write(dialogOf(page, 'New team').getByLabel('Name'), 'Checkout');
        await hands.press(dialogOf(page, 'New team').getByRole('button', { name: 'Create team' }));
        await grantClusters(hands, team, ['harbour'], ['shop', 'payments']);
        await expect(team.getByRole('link', { name: 'harbour', exact: true })).toBeVisible();
        await addMembers(hands, team, ['Ada', 'Ben']);
        await hands.select(team.getByLabel('Role of Ben'), 'SecretViewer view with secrets');
      });

      await test.step('each sees these namespaces in list and palette, and what their role allows', async () => {
        for (const theirs of [ada, ben]) {
          const own = handsOf(theirs);
          const clusters = theirs.getByRole('region', { name: /^Clusters/ });
          await own.press(clusters.getByRole('link', { name: 'harbour' }).first());
          await own.press(sidebarOf(theirs).getByRole('link', { name: 'Pods' }));
          for (const name of ['shop', 'payments'])
            await expect(podRows(theirs).filter({ hasText: name }).first()).toBeVisible();
          await expect(podRows(theirs).filter({ hasNotText: /shop|payments/ })).toHaveCount(0);
          await expect(sidebarOf(theirs).getByRole('link', { name: 'Nodes' })).toHaveCount(0);
          await theirs.keyboard.press('ControlOrMeta+k');
          await theirs.keyboard.type('@');
          for (const name of ['shop', 'payments'])
            await expect(theirs.getByRole('option', { name }).first()).toBeVisible();
          await expect(theirs.getByRole('option', { name: 'kube-system' })).toHaveCount(0);
          await theirs.keyboard.press('Escape');
        }
        await expect(sidebarOf(ben).getByRole('link', { name: 'Secrets' })).toBeVisible();
        await expect(sidebarOf(ada).getByRole('link', { name: 'Secrets' })).toHaveCount(0);
      });

      await test.step('what is taken away goes while they look, and their page says so', async () => {
        await restrict('payments');
        for (const theirs of [ada, ben]) {
          await expect(podRows(theirs).filter({ hasText: 'payments' })).toHaveCount(0, { timeout: atOnce });
          await expect(podRows(theirs).filter({ hasText: 'shop' }).first()).toBeVisible();
        }
        const lost = async (theirs: Page) => {
          const options = { timeout: atOnce };
          await expect(toastOf(theirs, 'You no longer have access to harbour')).toBeVisible(options);
          await expect(theirs).toHaveURL(`${url}/`, options);
        };
        await hands.press(team.getByRole('button', { name: 'Remove Ada' }));
        await expect(team.getByLabel('Role of Ada')).toHaveCount(0);
        await lost(ada);
        await expect(podRows(ben).first()).toBeVisible();
        await hands.press(team.getByRole('button', { name: 'Take harbour away' }));
        await expect(team.getByText('This team has no access to a cluster yet.')).toBeVisible();
        await lost(ben);
      });

      await test.step('somebody of the domain asks for an invitation, and comes by it', async () => {
        const cleo = await (await another()).newPage();
        await cleo.goto(`${url}/login`);
        await signInThere(cleo, 'Cleo');
        await handsOf(cleo).press(cleo.getByRole('button', { name: 'Ask for an invitation' }));
        await expect(cleo.getByText('its Owners will see your request')).toBeVisible();
        await expectAccessible(cleo, 'asking for an invitation');
        const asked = await mailTo(addressOf('Fay'), /^Cleo asks for an invitation to/);
        expect(linkIn(asked)).toBe(`${url}/settings/organization/members`);
        await page.goto(linkIn(asked));
        await hands.press(page.getByRole('link', { name: /^Asking for an invitation \d/ }));
        await hands.press(page.getByRole('button', { name: `Invite ${addressOf('Cleo')}` }));
        await invite(addressOf('Cleo'));
        await handsOf(cleo).press(cleo.getByRole('button', { name: 'Check again' }));
        await handsOf(cleo).press(offerOf(cleo, company).getByRole('button', { name: 'Accept' }));
        await expect(cleo.getByText('An Owner of your organisation can add clusters')).toBeVisible();
      });

      await test.step('it is deleted with its name typed, and everybody is signed out of it', async () => {
        await hands.press(settings.getByRole('link', { name: 'Organisation', exact: true }));
        await hands.press(page.getByRole('button', { name: 'Delete organisation…' }));
        const deleting = dialogOf(page, `Delete ${company}?`);
        await hands.write(deleting.getByLabel(`Type ${company} to confirm`), company);
        await expectAccessible(page, 'deleting an organisation', alertExemptions);
        await hands.press(deleting.getByRole('button', { name: 'Delete organisation' }));
        await expect(page).toHaveURL(/\/login/);
        await expect(ada).toHaveURL(/\/login/);
        // The account stays, and with it the organisation that it came from.
        await hands.write(page.getByLabel('Email'), addressOf('Fay'));
        await hands.write(page.getByLabel(/^Password/), owner.password);
        await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
        await expect(page.getByText('An Owner of your organisation can add clusters')).toBeVisible();
      });
    },
  );
}
