import type { Page } from 'playwright/test';
import { type Issuer, issuerClient, startIssuer } from '../issuer.ts';
import { expectAccessible } from './axe.ts';
import type { Hands } from './hands.ts';
import { type App, eachHand, expect, ownClusters, owner, startApp, test } from './kit.ts';
import { dialogOf } from './places.ts';
import { addPerson, inStore } from './store.ts';
import { addDevice } from './virtual-device.ts';
import { inBothHands } from '../gate/turn.ts';

let issuer: Issuer;
let app: App;

test.beforeAll(async () => {
  issuer = await startIssuer();
  app = await startApp({
    ...ownClusters,
    WHEELHOUSE_ISSUER_ALLOW_CIDRS: '127.0.0.0/8',
    WHEELHOUSE_OIDC_CORP_ISSUER: issuer.url,
    WHEELHOUSE_OIDC_CORP_CLIENT_ID: issuerClient.clientId,
    WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: issuerClient.clientSecret,
  });
  issuer.open([`${app.url}/api/auth/callback/corp`]);
});
test.afterAll(async () => {
  await app.product.remove();
  await issuer.close();
});

/** Makes all sessions some whose person confirmed their identity a while ago. */
async function passTime(): Promise<void> {
  await inStore(app.product, async (query) => {
    await query("update sessions set proved_at = now() - interval '1 hour'");
  });
}

const inviting = (page: Page) => dialogOf(page, 'Invite somebody');
const identity = (page: Page) => dialogOf(page, 'Confirm your identity');

/** Begins an invitation in a session that needs a confirmed identity for it. */
async function invite(page: Page, hands: Hands, address: string): Promise<void> {
  await passTime();
  await hands.press(page.getByRole('button', { name: 'Invite…' }));
  await hands.write(inviting(page).getByLabel('Email'), address);
  await hands.press(inviting(page).getByRole('button', { name: 'Invite', exact: true }));
  await expect(identity(page)).toContainText('Confirm that it is you to continue.');
}

for (const { by, it } of eachHand) {
  it(
    `what a provider does not confirm is said, and what was typed goes on after a right sign-in (${by})`,
    inBothHands,
    async ({ page, hands, allow }) => {
      // The identity is not confirmed at first; the provider is away for a while.
      allow(/status of (403|503)/, /failed with (403|502)/, /status of 502/);
      const subject = `fay-${by}`;
      issuer.people.set(subject, { email: `${subject}@example.org`, email_verified: true, name: 'Fay' });
      issuer.people.set('another', { email: 'another@example.org', email_verified: true, name: 'Ann' });
      const { userId } = await addPerson(app.product, `${subject}@example.org`, 'Fay Without');
      await inStore(app.product, async (query) => {
        await query('update users set password_hash = null where id = $1', [userId]);
        await query('update memberships set org_role = 1 where user_id = $1', [userId]);
        await query('insert into identities (user_id, issuer, subject) values ($1, $2, $3)', [
          userId,
          issuer.url,
          subject,
        ]);
      });
      const guest = `guest-${by}@example.org`;
      const leave = identity(page).getByRole('button', { name: 'Continue with single sign-on' });
      /** Goes to the provider in the window that opens. */
      const goThere = async () => {
        const opened = page.waitForEvent('popup');
        await hands.press(
          identity(page).getByRole('button', { name: /^(Continue with|Open) single sign-on/ }),
        );
        return await opened;
      };

      issuer.signsIn = subject;
      await page.goto(`${app.url}/settings/organization/members`);
      await hands.press(page.getByRole('button', { name: 'Continue with single sign-on' }));
      await expect(page.getByRole('button', { name: 'Invite…' })).toBeVisible();
      await invite(page, hands, guest);
      await expectAccessible(page, 'an identity that a provider confirms');

      await test.step('declined there', async () => {
        issuer.signsIn = null;
        await goThere();
        await expect(identity(page).getByRole('alert')).toContainText(
          'single sign-on did not sign you in: the sign-in was declined there.',
        );
        await expect(leave).toBeVisible();
        await expectAccessible(page, 'an identity that a provider did not confirm');
      });

      await test.step('signed in there as somebody else', async () => {
        issuer.signsIn = 'another';
        await goThere();
        await expect(identity(page).getByRole('alert')).toContainText('you signed in there as somebody else');
      });

      await test.step('the provider answers no more once the person came back', async () => {
        issuer.signsIn = subject;
        issuer.fault = ({ url }, response) => {
          if (url?.startsWith('/token') !== true) return false;
          response.writeHead(503).end();
          return true;
        };
        await goThere();
        await expect(identity(page).getByRole('alert')).toContainText('single sign-on did not answer');
      });

      await test.step('the provider is away, and the window shows what the browser makes of it', async () => {
        issuer.fault = (_request, response) => {
          response.writeHead(503).end('Closed for today');
          return true;
        };
        const opened = await goThere();
        await expect(opened.getByText('Closed for today')).toBeVisible();
        await expect(identity(page).getByRole('status')).toContainText('in the window that opened');
        await opened.close();
        issuer.fault = undefined;
      });

      await test.step('given up, the form is as it was', async () => {
        await hands.press(identity(page).getByRole('button', { name: 'Cancel' }));
        await expect(inviting(page).getByRole('alert')).toContainText(
          'You signed in a while ago. Sign in with single sign-on again first.',
        );
        await expect(inviting(page).getByLabel('Email')).toHaveValue(guest);
      });

      await test.step('a right one sends what was begun', async () => {
        await hands.press(inviting(page).getByRole('button', { name: 'Invite', exact: true }));
        await goThere();
        await expect(identity(page)).toBeHidden();
        await expect(dialogOf(page, `Invitation for ${guest}`)).toBeVisible();
      });
      issuer.signsIn = undefined;
    },
  );

  it(
    `a passkey that is cancelled is said, and what was typed goes on after a right one (${by})`,
    inBothHands,
    async ({ page, hands, allow }) => {
      allow(/status of 403/, /failed with 403/);
      const device = await addDevice(page);
      const url = app.url.replace('127.0.0.1', 'localhost');
      await inStore(app.product, async (query) => void (await query('delete from passkeys')));
      await page.goto(`${url}/settings?section=sign-in`);
      await hands.write(page.getByLabel('Email'), owner.email);
      await hands.write(page.getByLabel('Password'), owner.password);
      await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
      await hands.press(page.getByRole('button', { name: 'Add passkey…' }));
      const adding = page.getByRole('dialog');

      await test.step('at its registration', async () => {
        await device.answers(false);
        await hands.write(adding.getByLabel('Name'), 'Work laptop');
        await hands.press(adding.getByRole('button', { name: 'Add passkey' }));
        await expect(adding.getByRole('alert')).toContainText('No passkey was used');
        await expect(adding.getByLabel('Name')).toHaveValue('Work laptop');
        await device.answers(true);
        await hands.press(adding.getByRole('button', { name: 'Add passkey' }));
        await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Work laptop');
      });

      await test.step('where it confirms the identity', async () => {
        const guest = `mate-${by}@example.org`;
        await page.goto(`${url}/settings/organization/members`);
        await invite(page, hands, guest);
        const use = identity(page).getByRole('button', { name: 'Use a passkey' });
        await device.answers(false);
        await hands.press(use);
        await expect(identity(page).getByRole('alert')).toContainText(
          'No passkey was used: the request was cancelled, or it timed out.',
        );
        await expectAccessible(page, 'a passkey that was cancelled');
        await hands.press(identity(page).getByRole('button', { name: 'Cancel' }));
        await expect(inviting(page).getByRole('alert')).toContainText(
          'Sign in with one of your passkeys first.',
        );
        await expect(inviting(page).getByLabel('Email')).toHaveValue(guest);
        await hands.press(inviting(page).getByRole('button', { name: 'Invite', exact: true }));
        await device.answers(true);
        await hands.press(use);
        await expect(identity(page)).toBeHidden();
        await expect(dialogOf(page, `Invitation for ${guest}`)).toBeVisible();
      });
    },
  );
}
