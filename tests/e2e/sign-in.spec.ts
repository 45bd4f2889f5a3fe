import type { Page } from 'playwright/test';
import { type Issuer, issuerClient, startIssuer } from '../issuer.ts';
import { expectAccessible, prepareAxe } from './axe.ts';
import type { Hands } from './hands.ts';
import { type App, eachHand, expect, ownClusters, owner, startApp, test } from './kit.ts';

let issuer: Issuer;
let app: App;

test.beforeAll(async () => {
  issuer = await startIssuer();
  app = await startApp({
    ...ownClusters,
    WHEELHOUSE_OIDC_CORP_ISSUER: issuer.url,
    WHEELHOUSE_OIDC_CORP_CLIENT_ID: issuerClient.clientId,
    WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: issuerClient.clientSecret,
    WHEELHOUSE_GOOGLE_CLIENT_ID: issuerClient.clientId,
    WHEELHOUSE_GOOGLE_CLIENT_SECRET: issuerClient.clientSecret,
  });
  issuer.open([`${app.url}/api/auth/callback/corp`]);
});
test.afterAll(async () => {
  await app.product.remove();
  await issuer.close();
});

const section = '/settings?section=sign-in';
const ways = (page: Page) => page.getByRole('list', { name: 'Ways to sign in' });

/** Signs in at the issuer, whose page shows. */
async function signInThere(page: Page, hands: Hands, subject: string): Promise<void> {
  await hands.write(page.getByLabel('Subject'), subject);
  await hands.press(page.getByRole('button', { name: 'Sign in there' }));
}

for (const { by, it } of eachHand) {
  it(`connecting a provider, signing in by it, and signing out elsewhere (${by})`, async ({
    page,
    hands,
    another,
  }) => {
    const subject = `robin-${by}`;
    issuer.people.set(subject, { email: owner.email, email_verified: true, name: owner.name });

    await prepareAxe(page.context());

    await test.step('an account is connected by its own session', async () => {
      await app.enter(page.context(), 'own');
      await page.goto(app.url + section);
      await hands.press(page.getByRole('button', { name: 'Connect single sign-on', exact: true }));
      await signInThere(page, hands, subject);
      await expect(page).toHaveURL(app.url + section);
      await expect(ways(page)).toContainText(`single sign-on${owner.email}`);
      if (by === 'pointer') await expectAccessible(page, 'sign-in and sessions');
    });

    await test.step('signed out, the provider leads back to the place that was asked for', async () => {
      await page.context().clearCookies();
      await page.goto(`${app.url}/settings?section=keys`);
      await expect(page.getByText('After signing in you return to')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
      if (by === 'pointer') await expectAccessible(page, 'sign-in with providers');
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

    await test.step('who declines at the provider reads a sentence', async () => {
      issuer.signsIn = null;
      await page.context().clearCookies();
      await page.goto(`${app.url}/login`);
      await hands.press(page.getByRole('button', { name: 'Continue with single sign-on' }));
      await expect(page.getByRole('alert')).toContainText('single sign-on did not sign you in');
      issuer.signsIn = undefined;
    });
  });
}

test('an Owner adds a provider of the organisation and tests its sign-in', async ({ page }) => {
  await prepareAxe(page.context());
  const client = await app.enter(page.context(), 'own');
  await page.goto(`${app.url}/settings?section=company-sign-in`);
  await page.getByRole('button', { name: 'Add provider…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Example sign-on');
  await dialog.getByLabel('Issuer').fill(issuer.url);
  await dialog.getByLabel('Client id').fill(issuerClient.clientId);
  await dialog.getByLabel('Client secret').fill(issuerClient.clientSecret);
  await dialog.getByLabel('Groups claim').fill('groups');
  await dialog.getByRole('button', { name: 'Add provider' }).click();
  const card = page.getByRole('region', { name: 'Example sign-on' });
  await expect(card).toContainText('Not tested');
  await expectAccessible(page, 'a provider of the organisation');

  const [added] = await client.call('companyProviders', {});
  issuer.open([`${app.url}/api/auth/callback/corp`, added?.redirectUri ?? '']);
  issuer.signsIn = 'tester';
  issuer.people.set('tester', { email: 'tester@example.org', email_verified: true });
  await card.getByRole('button', { name: 'Test sign-in' }).click();
  await expect(card).toContainText(/Tested \d/);
  issuer.signsIn = undefined;
  await card.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove provider' }).click();
  await expect(page.getByText('No provider yet.')).toBeVisible();
});
