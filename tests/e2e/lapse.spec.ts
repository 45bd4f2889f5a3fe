import type { Page } from 'playwright/test';
import { specified } from '../web/create-spec.ts';
import { sharedCluster } from './cluster.ts';
import { editorText, type Hands, pointer } from './hands.ts';
import { eachHand, expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf, headingOf } from './places.ts';
import { addViewer } from './store.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

const loginUrl = () => `${app().url}/login`;
const continueButton = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const manifest = 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: unsaved, namespace: shop}';

/**
 * Answers calls with 401 while the session lives: changes at first, since any other call may be made before what is
 * to be refused, and every call but the public ones from `refuseAll` on. Gives all calls so far.
 */
async function refuseCalls(page: Page): Promise<{
  readonly calls: string[];
  readonly refuseAll: () => void;
  readonly stop: () => Promise<void>;
}> {
  const calls: string[] = [];
  let isAll = false;
  const pattern = '**/api/**';
  await page.route(pattern, async (route) => {
    const method = route.request().method();
    const { pathname } = new URL(route.request().url());
    calls.push(`${method} ${pathname}`);
    const isPublic = /^\/api\/auth\/(is-authenticated|options)$/.test(pathname);
    if (isPublic || (method === 'GET' && !isAll)) await route.continue();
    else await route.fulfill({ status: 401, json: { title: 'Sign in to continue.' } });
  });
  return {
    calls,
    refuseAll() {
      isAll = true;
    },
    stop: () => page.unroute(pattern),
  };
}

async function openCreate(page: Page, hands: Hands) {
  if (hands.name === 'keyboard') await page.keyboard.type('cr');
  else await page.getByRole('button', { name: 'Create Resource' }).first().click();
  const dialog = dialogOf(page, specified.title);
  const text = dialog.getByRole('textbox', { name: 'YAML of the resource' });
  await expect(text).toBeVisible();
  return text;
}

async function signIn(page: Page, hands: Hands, email = owner.email): Promise<void> {
  await hands.write(page.getByLabel('Email'), email);
  await hands.write(page.getByLabel(/^Password/), owner.password);
  await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
}

for (const { by, it } of eachHand) {
  it(
    `a call refused while the session lives leads to sign-in, which stays, and back with the text (${by})`,
    inBothHands,
    async ({ page, context, allow, hands }) => {
      allow(/401 \(Unauthorized\)/, /failed with 401/, /could not be kept/);
      await page.clock.install();
      await app().enter(context, 'own');
      const place = harbour().url('/namespaces/shop');
      await page.goto(place);
      await expect(headingOf(page, 'shop')).toBeVisible();
      const text = await openCreate(page, hands);
      const { calls, refuseAll, stop } = await refuseCalls(page);
      // Its draft is the call that is refused.
      await hands.paste(text, manifest);
      await expect(page).toHaveURL(loginUrl());
      refuseAll();
      await expect(page.getByText('“Sign in to continue.”')).toBeVisible();
      await expect(
        page.getByText(`You are still signed in as ${owner.name} (${owner.email}).`),
      ).toBeVisible();
      await expect(continueButton(page)).toBeFocused();
      await expect(page.getByText('that you have not applied or saved yet is kept')).toBeVisible();
      expect(calls.filter((call) => call.endsWith('/is-authenticated'))).toHaveLength(1);
      expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(6);

      const before = calls.length;
      await page.clock.runFor(10_000);
      await expect(page).toHaveURL(loginUrl());
      expect(calls.slice(before)).toEqual([]);

      await test.step('going on to a call that is still refused leads here once more, not round and round', async () => {
        await hands.press(continueButton(page));
        const asked = () => calls.filter((call) => call.endsWith('/is-authenticated')).length;
        await expect.poll(asked).toBeGreaterThanOrEqual(2);
        await expect(continueButton(page)).toBeFocused();
        await expect(page).toHaveURL(loginUrl());
        // The page that was gone on to may have asked as well before its call was refused.
        const settled = asked();
        expect(settled).toBeLessThanOrEqual(3);
        await page.clock.runFor(10_000);
        expect(asked()).toBe(settled);
      });

      await test.step('a reload leads nowhere either', async () => {
        await page.reload();
        await expect(continueButton(page)).toBeFocused();
        await page.clock.runFor(10_000);
        await expect(page).toHaveURL(loginUrl());
      });
      await stop();
      await hands.press(continueButton(page));
      await expect(page).toHaveURL(place);
      await expect(headingOf(page, 'shop')).toBeVisible();
    },
  );

  it(`the text of the dialog that creates survives a refused call, and the server keeps it afterwards (${by})`, async ({
    page,
    context,
    allow,
    hands,
  }) => {
    allow(/401 \(Unauthorized\)/, /failed with 401/, /could not be kept/);
    await app().client.call('deleteDraft', { params: { place: 'create' } });
    await app().enter(context, 'own');
    await page.goto(harbour().url('/namespaces/shop'));
    await expect(headingOf(page, 'shop')).toBeVisible();
    const text = await openCreate(page, hands);
    const { stop } = await refuseCalls(page);
    await hands.paste(text, manifest);
    await expect(continueButton(page)).toBeFocused();
    await stop();
    await hands.press(continueButton(page));
    await expect.poll(() => editorText(text)).toContain('name: unsaved');
    const draft = async () => (await app().client.call('draft', { params: { place: 'create' } })).draft?.text;
    await expect.poll(draft).toBe(manifest);
    await app().client.call('deleteDraft', { params: { place: 'create' } });
  });

  it(
    `a sign-in leads to the path that its address names, and to no other origin (${by})`,
    inBothHands,
    async ({ page, context, allow, hands }) => {
      // What the page asked while its session was taken away.
      allow(/401 \(Unauthorized\)/, /failed with 401/);
      const path = new URL(harbour().url('/pods?ns=shop')).pathname;
      await page.goto(`${app().url}/api/auth/login?returnUrl=${encodeURIComponent(`${path}?ns=shop`)}`);
      await expect(page).toHaveURL(`${loginUrl()}?returnUrl=${encodeURIComponent(`${path}?ns=shop`)}`);
      await expect(page.getByText(`${path}?ns=shop`)).toBeVisible();
      await signIn(page, hands);
      await expect(page).toHaveURL(`${app().url}${path}?ns=shop`);

      await context.clearCookies();
      for (const foreign of ['//evil.test', '/..//evil.test', '/\\evil.test', 'https://evil.test']) {
        await page.goto(`${loginUrl()}?returnUrl=${encodeURIComponent(foreign)}`);
        await expect(page.getByLabel('Email')).toBeFocused();
        await expect(page.getByText('evil.test')).toBeHidden();
      }
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await signIn(page, hands);
      await expect(page).toHaveURL(`${app().url}/`);
    },
  );
}

test('what is typed into a Secret survives a refused call in this page alone', async ({
  page,
  context,
  allow,
}) => {
  allow(/401 \(Unauthorized\)/, /failed with 401/);
  const path = '/api/v1/namespaces/shop/secrets';
  await harbour().cluster.call('POST', path, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'lapsed' },
    data: { a: 'MQ==' },
  });
  await app().enter(context, 'own');
  await page.goto(harbour().url('/namespaces/shop/secrets/lapsed?view=edit'));
  const text = page.getByRole('textbox', { name: 'YAML of lapsed' });
  const typed =
    'apiVersion: v1\nkind: Secret\nmetadata: {name: lapsed, namespace: shop}\nstringData: {b: CANARY-51c0}';
  await pointer(page).paste(text, typed);
  const { calls, stop } = await refuseCalls(page);
  await page.getByRole('button', { name: 'Review changes' }).click();
  await expect(continueButton(page)).toBeFocused();
  expect(calls.filter((call) => call.startsWith('PUT /api/profile/drafts'))).toEqual([]);
  expect(
    await page.evaluate(() => [sessionStorage, localStorage].flatMap((kept) => Object.values(kept)).join()),
  ).not.toContain('CANARY-51c0');
  await stop();
  await continueButton(page).click();
  await expect.poll(() => editorText(text)).toContain('CANARY-51c0');
});

test('a person who signs in after another one finds nothing of theirs', async ({ page, context, allow }) => {
  allow(/401 \(Unauthorized\)/, /failed with 401/, /could not be kept/);
  // Without its cookie the page's socket is refused as well.
  allow(/WebSocket connection to .* HTTP Authentication failed/);
  await page.clock.install();
  await addViewer(app().product, 'kim@example.org', harbour().id);
  await app().enter(context, 'own');
  const place = harbour().url('/namespaces/shop');
  await page.goto(place);
  await expect(headingOf(page, 'shop')).toBeVisible();
  const text = await openCreate(page, pointer(page));
  await pointer(page).paste(text, manifest);
  await context.clearCookies();
  // What the page asks for again and again finds out.
  await page.clock.runFor(20_000);
  await expect(page.getByText('Your session has ended. Sign in to go on where you were.')).toBeVisible();
  await signIn(page, pointer(page), 'kim@example.org');
  await expect(page).toHaveURL(`${app().url}/`);
  await expect(page.getByRole('button', { name: 'Account of Kim Viewer' })).toBeVisible();
  await expect(dialogOf(page, specified.title)).toBeHidden();
  await expect(page.getByRole('tab', { name: 'shop' })).toBeHidden();
});
