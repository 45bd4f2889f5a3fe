import type { BrowserContext, Page } from 'playwright/test';
import { type Issuer, issuerClient, startIssuer } from '../issuer.ts';
import { expectAccessible } from './axe.ts';
import type { Hands } from './hands.ts';
import { type App, companyName, eachHand, expect, ownClusters, owner, startApp, test } from './kit.ts';
import { type MailServer, startMailServer } from '../server/mail/mail-server.ts';
import { addPerson, inStore } from './store.ts';
import { inBothHands } from '../gate/turn.ts';

let issuer: Issuer;
let mail: MailServer;
let app: App;

test.beforeAll(async () => {
  [issuer, mail] = await Promise.all([startIssuer(), startMailServer()]);
  app = await startApp({
    ...ownClusters,
    WHEELHOUSE_ISSUER_ALLOW_CIDRS: '127.0.0.0/8',
    WHEELHOUSE_OIDC_CORP_ISSUER: issuer.url,
    WHEELHOUSE_OIDC_CORP_CLIENT_ID: issuerClient.clientId,
    WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: issuerClient.clientSecret,
    WHEELHOUSE_OIDC_CORP_GROUPS_CLAIM: 'groups',
    WHEELHOUSE_SMTP_URL: `smtp://127.0.0.1:${mail.settings.port}`,
    WHEELHOUSE_MAIL_FROM: 'Wheelhouse <console@example.org>',
    WHEELHOUSE_GOOGLE_CLIENT_ID: issuerClient.clientId,
    WHEELHOUSE_GOOGLE_CLIENT_SECRET: issuerClient.clientSecret,
  });
  issuer.open([`${app.url}/api/auth/callback/corp`]);
});
test.afterAll(async () => {
  await app.product.remove();
  await Promise.all([issuer.close(), mail.close()]);
});

const googleScript = 'https://accounts.google.com/gsi/client';
/** In place of Google's script: it offers one account, and tells a token of it that nobody signed. */
const googleDouble = `
  const offer = document.createElement('button');
  offer.textContent = 'Continue as ${owner.email}';
  let callback;
  globalThis.google = { accounts: { id: {
    initialize: (options) => { ({ callback } = options); },
    prompt: () => document.querySelector('main').append(offer),
    cancel: () => offer.remove(),
  } } };
  offer.onclick = () => callback({ credential: '.' + btoa('{"email":"${owner.email}"}') + '.' });
`;
/** Keeps a browser from speaking to Google. */
async function withoutGoogle(context: BrowserContext): Promise<BrowserContext> {
  await context.route('https://accounts.google.com/**', (route) => route.abort());
  return context;
}
test.beforeEach(async ({ context, allow }) => {
  allow(/ERR_FAILED \(https:\/\/accounts\.google\.com/);
  await withoutGoogle(context);
});

const section = '/settings?section=sign-in';
const ways = (page: Page) => page.getByRole('list', { name: 'Ways to sign in' });

/** Signs in at the issuer, whose page shows. */
async function signInThere(page: Page, hands: Hands, subject: string): Promise<void> {
  await hands.write(page.getByLabel('Subject'), subject);
  await hands.press(page.getByRole('button', { name: 'Sign in there' }));
}

for (const { by, it } of eachHand) {
  it(
    `connecting a provider, signing in by it, and signing out elsewhere (${by})`,
    inBothHands,
    async ({ page, hands, another, allow }) => {
      // Until the identity is confirmed.
      allow(/status of 403/, /failed with 403/);
      const subject = `robin-${by}`;
      issuer.people.set(subject, { email: owner.email, email_verified: true, name: owner.name });

      await test.step('an account is connected by its own session', async () => {
        await app.enter(page.context(), 'own');
        await page.goto(app.url + section);
        await hands.press(page.getByRole('button', { name: 'Connect single sign-on', exact: true }));
        await signInThere(page, hands, subject);
        await expect(page).toHaveURL(app.url + section);
        await expect(ways(page)).toContainText(`single sign-on${owner.email}`);
        await expectAccessible(page, 'sign-in and sessions');
      });

      await test.step('signed out, the provider leads back to the place that was asked for', async () => {
        await page.context().clearCookies();
        await page.goto(`${app.url}/settings?section=keys`);
        await expect(page.getByText('After signing in you return to')).toBeVisible();
        await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
        await expectAccessible(page, 'sign-in with providers');
        await hands.press(page.getByRole('button', { name: 'Continue with single sign-on' }));
        await signInThere(page, hands, subject);
        await expect(page).toHaveURL(`${app.url}/settings?section=keys`);
      });

      await test.step('other sessions are listed and end at once', async () => {
        const browser = await another();
        await app.enter(browser, 'own');
        const other = await browser.newPage();
        await other.goto(`${app.url}/settings?section=keys`);
        await expect(other.getByRole('heading', { name: 'Keymap' })).toBeVisible();
        await page.goto(app.url + section);
        await expect(page.getByRole('list', { name: 'Sessions' })).toContainText('This one');
        await hands.press(page.getByRole('button', { name: 'Sign out everywhere else' }));
        await expect(page.getByText('Every other session is signed out')).toBeVisible();
        await expect(other).toHaveURL(/\/login/);
      });

      await test.step('disconnecting a while after signing in asks for the password again', async () => {
        await inStore(app.product, async (query) => {
          await query("update sessions set proved_at = now() - interval '1 hour'");
        });
        await hands.press(page.getByRole('button', { name: 'Disconnect single sign-on' }));
        const dialog = page.getByRole('alertdialog', { name: 'Disconnect single sign-on?' });
        const disconnect = dialog.getByRole('button', { name: 'Disconnect', exact: true });
        await hands.press(disconnect);
        const identity = page.getByRole('dialog', { name: 'Confirm your identity' });
        await expect(identity.getByLabel('Your password')).toBeFocused();
        await expectAccessible(page, 'an identity that is to be confirmed');
        await hands.press(identity.getByRole('button', { name: 'Cancel' }));
        await expect(dialog.getByRole('alert')).toContainText('You signed in a while ago');
        await hands.press(disconnect);
        await hands.write(identity.getByLabel('Your password'), 'none of mine');
        await hands.press(identity.getByRole('button', { name: 'Confirm' }));
        await expect(identity.getByRole('alert')).toContainText('The password is wrong.');
        await hands.write(identity.getByLabel('Your password'), owner.password);
        await hands.press(identity.getByRole('button', { name: 'Confirm' }));
        await expect(identity).toHaveCount(0);
        await expect(ways(page)).not.toContainText('single sign-on');
      });

      await test.step('who declines at the provider reads a sentence', async () => {
        issuer.signsIn = null;
        await page.context().clearCookies();
        await page.goto(`${app.url}/login`);
        await hands.press(page.getByRole('button', { name: 'Continue with single sign-on' }));
        await expect(page.getByRole('alert')).toContainText('single sign-on did not sign you in');
        issuer.signsIn = undefined;
      });
    },
  );
}

for (const { by, it, handsOf } of eachHand) {
  it(
    `Google’s script offers accounts, and without it the button leads to Google (${by})`,
    inBothHands,
    async ({ page, hands }) => {
      const asked: string[] = [];
      const leaves = `${app.url}/api/auth/login?*provider=google*`;
      await page.route(leaves, async (route) => {
        asked.push(new URL(route.request().url()).search);
        await route.fulfill({ contentType: 'text/html', body: '<title>At Google</title>' });
      });
      const button = page.getByRole('button', { name: 'Continue with Google' });

      await test.step('blocked, it leaves the button as it is', async () => {
        await page.goto(`${app.url}/login?returnUrl=%2Fgraph`);
        await hands.press(button);
        await expect(page).toHaveTitle('At Google');
        expect(asked).toEqual(['?provider=google&returnUrl=%2Fgraph']);
      });

      await test.step('loaded, it offers an account, which is a hint on the same path', async () => {
        await page.route(googleScript, (route) =>
          route.fulfill({ contentType: 'text/javascript', body: googleDouble }),
        );
        await page.goto(`${app.url}/login?returnUrl=%2Fgraph`);
        await expect(button).toBeVisible();
        await hands.press(page.getByRole('button', { name: `Continue as ${owner.email}` }));
        await expect(page).toHaveTitle('At Google');
        expect(asked.at(-1)).toBe('?provider=google&returnUrl=%2Fgraph&loginHint=robin%40example.org');
      });

      await test.step('no session comes to live in the document that loaded it', async () => {
        await page.goto(`${app.url}/login?returnUrl=${encodeURIComponent(section)}`);
        await expect(page.getByRole('button', { name: /^Continue as/ })).toBeVisible();
        expect(await page.evaluate(() => 'google' in globalThis)).toBe(true);
        await hands.write(page.getByLabel('Email'), owner.email);
        await hands.write(page.getByLabel('Password'), owner.password);
        await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
        await expect(ways(page)).toBeVisible();
        expect(await page.evaluate(() => 'google' in globalThis)).toBe(false);
      });
    },
  );

  it(
    `a forgotten password is reset by mail, and one session is ended from another (${by})`,
    inBothHands,
    async ({ page, hands, another, allow }) => {
      // A sign-in is slowed down; two new passwords are refused; the session that another ends is told so.
      allow(/status of 4(00|01|29)/, /failed with 4(00|01|29)/);
      const email = `forgetful-${by}@example.org`;
      const next = 'another correct horse';
      const { userId } = await addPerson(app.product, email, 'Fay Forgetful');
      await inStore(app.product, async (query) => {
        await query('update users set email_proven_at = now() where id = $1', [userId]);
      });

      // Others guess: the page says what signs in meanwhile.
      await page.goto(`${app.url}/login`);
      const guessed = `guessed-${userId}@example.org`;
      for (let count = 0; count < 10; count += 1)
        await page.request.post(`${app.url}/api/auth/login`, {
          data: { email: guessed, password: 'not the password' },
          headers: { origin: app.url },
        });
      await hands.write(page.getByLabel('Email'), guessed);
      await hands.write(page.getByLabel('Password'), 'not the password');
      await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
      await expect(page.getByRole('alert')).toContainText('Too many failed attempts');
      await expect(page.getByRole('alert')).toContainText(
        'You can sign in with a provider or a passkey without waiting.',
      );
      await expectAccessible(page, 'sign-in that is slowed down');

      await hands.press(page.getByRole('button', { name: 'Forgot your password?' }));
      await hands.write(page.getByLabel('Email'), email);
      await hands.press(page.getByRole('button', { name: 'Mail a reset link' }));
      await expect(page.getByRole('status')).toContainText('a link is on its way');
      await expectAccessible(page, 'asking for a reset link');
      const link = () =>
        mail.mails
          .find(({ to }) => (Array.isArray(to) ? to : [to]).some((one) => one?.text === email))
          ?.text?.match(/^https?:\/\/\S+$/m)?.[0];
      await expect.poll(link).toBeDefined();

      // The page is at the path of the link already: the browser loads nothing.
      await page.goto(link() ?? '');
      await hands.write(page.getByRole('textbox', { name: 'New password' }), 'too short');
      await hands.press(page.getByRole('button', { name: 'Change password' }));
      await expect(page.getByText('A password needs at least 12 characters.')).toBeVisible();
      await hands.write(page.getByRole('textbox', { name: 'New password' }), 'password1234');
      await hands.press(page.getByRole('button', { name: 'Change password' }));
      await expect(page.getByText('This is one of the most common passwords')).toBeVisible();
      await expectAccessible(page, 'choosing a new password');
      await hands.write(page.getByRole('textbox', { name: 'New password' }), next);
      await hands.press(page.getByRole('button', { name: 'Change password' }));
      await expect(page.getByText('Password changed')).toBeVisible();
      const enter = async (shown: Page, how: Hands) => {
        await how.write(shown.getByLabel('Email'), email);
        await how.write(shown.getByLabel('Password'), next);
        await how.press(shown.getByRole('button', { name: 'Sign in', exact: true }));
      };
      await enter(page, hands);
      await expect(page.getByText('An Owner of your organisation can add clusters')).toBeVisible();

      const other = await (await withoutGoogle(await another())).newPage();
      await other.goto(`${app.url}/login?returnUrl=${encodeURIComponent(section)}`);
      await enter(other, handsOf(other));
      const sessions = other.getByRole('list', { name: 'Sessions' });
      await expect(sessions.getByRole('listitem')).toHaveCount(2);
      await handsOf(other).press(sessions.getByRole('button', { name: /^Sign out / }));
      await expect(sessions.getByRole('listitem')).toHaveCount(1);
      await expect(page).toHaveURL(/\/login/);
    },
  );

  it(
    `an Owner adds a provider, maps a group, tests and enforces it, and removes it (${by})`,
    inBothHands,
    async ({ page, hands, another, allow }) => {
      // Enforcing ends the Owner's own session, and the password is refused from then on.
      allow(/status of 40[13]/, /failed with 40[13]/);
      const client = await app.enter(page.context(), 'own');
      const team = `Operators ${by}`;
      await client.call('createTeam', { body: { name: team, description: '' } });
      const colleague = `colleague-${by}@example.org`;
      await addPerson(app.product, colleague, 'Coco Colleague');
      const bySubject = (subject: string, email: string) =>
        issuer.people.set(subject, { email, email_verified: true, groups: ['operators'] });
      bySubject(`owner-${by}`, owner.email);
      bySubject(`colleague-${by}`, colleague);
      const name = `Example sign-on ${by}`;
      const companySection = `${app.url}/settings?section=company-sign-in`;
      const card = page.getByRole('region', { name });

      await test.step('it is added, and its groups are mapped', async () => {
        await page.goto(companySection);
        await hands.press(page.getByRole('button', { name: 'Add provider…' }));
        const dialog = page.getByRole('dialog');
        await hands.write(dialog.getByLabel('Name'), name);
        await hands.write(dialog.getByLabel('Issuer'), issuer.url);
        await hands.write(dialog.getByLabel('Client id'), issuerClient.clientId);
        await hands.write(dialog.getByLabel('Client secret'), issuerClient.clientSecret);
        await hands.write(dialog.getByLabel('Groups claim'), 'groups');
        await hands.press(dialog.getByRole('button', { name: 'Add provider' }));
        await expect(card).toContainText('Not tested');
        await hands.write(card.getByRole('textbox', { name: 'Group' }), 'operators');
        await hands.select(card.getByLabel('Team'), team);
        await hands.press(card.getByRole('button', { name: 'Add group' }));
        await expect(card.getByRole('listitem')).toHaveText(`operators gives Viewer in ${team}Remove`);
        const shared = page.getByRole('region', { name: 'Groups of single sign-on' });
        await hands.write(shared.getByRole('textbox', { name: 'Group' }), 'auditors');
        await hands.select(shared.getByLabel('Team'), team);
        await hands.press(shared.getByRole('button', { name: 'Add group' }));
        await expect(shared.getByRole('listitem')).toHaveText(`auditors gives Viewer in ${team}Remove`);
        await expectAccessible(page, 'a provider of the organisation');
        await hands.press(shared.getByRole('button', { name: `Remove auditors from ${team}` }));
        await expect(shared.getByRole('listitem')).toHaveCount(0);
      });

      await test.step('it is tested, connected to the Owner’s account, and enforced', async () => {
        const [added] = await client.call('companyProviders', {});
        issuer.open([`${app.url}/api/auth/callback/corp`, added?.redirectUri ?? '']);
        issuer.signsIn = `owner-${by}`;
        await hands.press(card.getByRole('button', { name: 'Test sign-in' }));
        await expect(card).toContainText(/Tested \d/);
        await page.goto(app.url + section);
        await hands.press(page.getByRole('button', { name: `Connect ${name} (${companyName})` }));
        await expect(ways(page)).toContainText(`${name} of ${companyName}`);
        await page.goto(companySection);
        await hands.press(card.getByRole('button', { name: 'Enforce…' }));
        await hands.press(
          page.getByRole('alertdialog').getByRole('button', { name: 'Enforce', exact: true }),
        );
        await expect(page).toHaveURL(/\/login/);
      });

      await test.step('a password is refused with the way in beside it', async () => {
        await hands.write(page.getByLabel('Email'), owner.email);
        await hands.write(page.getByLabel('Password'), owner.password);
        await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
        const refusal = page.getByRole('alert');
        await expect(refusal).toContainText(`${companyName} lets its people sign in only with ${name}.`);
        await expectAccessible(page, 'a password where a provider is enforced');
        await hands.press(refusal.getByRole('button', { name: `Continue with ${name}` }));
        await expect(card).toContainText('Enforced');
      });

      await test.step('who has yet to connect it is led to it, and the group gives the place in the team', async () => {
        issuer.signsIn = `colleague-${by}`;
        const there = await (await withoutGoogle(await another())).newPage();
        await there.goto(`${app.url}/login`);
        const hand = handsOf(there);
        await hand.write(there.getByLabel('Email'), colleague);
        await hand.write(there.getByLabel('Password'), owner.password);
        await hand.press(there.getByRole('button', { name: 'Sign in', exact: true }));
        await expect(there).toHaveURL(`${app.url}/invite-not-found`);
        await expect(
          there.getByText(`${companyName} lets its people sign in only with ${name}.`),
        ).toBeVisible();
        await hand.press(there.getByRole('button', { name: `Continue with ${name}` }));
        await expect(there.getByText('An Owner of your organisation can add clusters')).toBeVisible();
        await page.goto(`${app.url}/settings/teams`);
        await hands.press(page.getByRole('link', { name: team }));
        await expect(page.getByLabel('Role of Coco Colleague')).toHaveText('Viewer view only');
      });

      await test.step('it is enforced no more, and removed', async () => {
        await page.goto(companySection);
        await hands.press(card.getByRole('button', { name: 'Stop enforcing…' }));
        await hands.press(page.getByRole('alertdialog').getByRole('button', { name: 'Stop enforcing' }));
        await expect(card).toContainText(/Tested \d/);
        issuer.signsIn = undefined;
        // Its sessions end with it, the one that removes it too.
        await hands.press(card.getByRole('button', { name: 'Remove…' }));
        await hands.press(page.getByRole('alertdialog').getByRole('button', { name: 'Remove provider' }));
        await expect(page).toHaveURL(/\/login/);
      });
    },
  );
}
