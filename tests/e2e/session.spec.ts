import { createServer } from 'node:http';
import type { Page, Request } from 'playwright/test';
import { type Hands, pointer } from './hands.ts';
import { sharedCluster } from './cluster.ts';
import { eachHand, expect, ownClusters, owner, sharedApp, test } from './kit.ts';
import { podRows, statusLine } from './places.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
sharedCluster(app, 'playground');

const accountButton = (page: Page) => page.getByRole('button', { name: `Account of ${owner.name}` });

async function signIn(page: Page, hands: Hands, password = owner.password): Promise<void> {
  await hands.write(page.getByLabel('Email'), owner.email);
  await hands.write(page.getByLabel(/^Password/), password);
  await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
}

async function podsPath(): Promise<string> {
  const [cluster] = await app().client.call('clusters', {});
  return `/clusters/${cluster?.id}/pods?ns=shop&q=shop-postgres`;
}

for (const { by, it } of eachHand) {
  it(
    `signing in, out and in again leads back to where one was (${by})`,
    inBothHands,
    async ({ page, allow, hands }) => {
      allow(/401 \(Unauthorized\)/, /POST \/api\/auth\/login failed with 401/);
      const path = await podsPath();

      await test.step('a deep link asks to sign in first, and the server once who is signed in', async () => {
        let asked = 0;
        const count = (request: Request) => {
          if (request.url().endsWith('/api/auth/is-authenticated')) asked += 1;
        };
        page.on('request', count);
        await page.goto(app().url + path);
        await expect(page).toHaveURL(`${app().url}/login`);
        await expect(page.getByLabel('Email')).toBeFocused();
        await expect(page.getByText(path)).toBeVisible();
        expect(asked).toBe(1);
        page.off('request', count);
      });

      await test.step('a wrong password is one sentence, and what was typed stays', async () => {
        await signIn(page, hands, 'not the password');
        await expect(page.getByRole('alert')).toHaveText('Email address or password is wrong.');
        await expect(page.getByLabel('Email')).toHaveValue(owner.email);
        await expect(page).toHaveURL(`${app().url}/login`);
      });

      await test.step('the right one leads to the deep link', async () => {
        await signIn(page, hands);
        await expect(page).toHaveURL(app().url + path);
        await expect(podRows(page)).toHaveCount(3);
      });

      await test.step('logout says so while it happens, and signs another tab out as well', async () => {
        const other = await page.context().newPage();
        await other.goto(app().url + path);
        await expect(statusLine(other)).toContainText(/^Live/);
        let letGo = (): void => undefined;
        const held = new Promise<void>((done) => {
          letGo = done;
        });
        await page.route('**/api/auth/logout', async (route) => {
          await held;
          await route.continue();
        });
        await page.bringToFront();
        await hands.choose(accountButton(page), 'Logout');
        await expect(page.getByText('Logging out...')).toBeVisible();
        letGo();
        await expect(page).toHaveURL(`${app().url}/login`);
        await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
        await expect(other).toHaveURL(`${app().url}/login`);
        await expect(other.getByText(path)).toBeVisible();
        await other.close();
      });

      await test.step('who left on purpose starts at home', async () => {
        await page.unroute('**/api/auth/logout');
        await signIn(page, hands);
        await expect(page).toHaveURL(`${app().url}/`);
      });
    },
  );
}

test('logout ends the session in the browser even when the server is unreachable, says that it may live on, and is tried again', async ({
  page,
  context,
  allow,
}) => {
  allow(/ERR_FAILED/, /The server did not confirm the logout/);
  await app().enter(context, 'own');
  await page.goto(app().url);
  await page.route('**/api/auth/logout', (route) => route.abort());
  await accountButton(page).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(`${app().url}/login`);
  const note = page.getByText('The server did not confirm that you are signed out.');
  await expect(note).toBeVisible();
  const again = page.getByRole('button', { name: 'Try to log out again' });
  await again.click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unroute('**/api/auth/logout');
  await again.click();
  await expect(note).toBeHidden();
  await page.goto(app().url);
  await expect(page).toHaveURL(`${app().url}/login`);
});

test('the pages about invitations show to somebody who has an organisation as well, and lead on', async ({
  page,
  context,
}) => {
  await app().enter(context);
  for (const [path, title] of [
    ['/invite-not-found', 'This invitation does not exist any more.'],
    ['/invite-rejected', 'You declined this invitation.'],
  ] as const) {
    await page.goto(app().url + path);
    await expect(page.getByText(title)).toBeVisible();
    await expect(page).toHaveURL(app().url + path);
    await page.getByRole('button', { name: 'Go to the console' }).click();
    await expect(page).toHaveURL(`${app().url}/`);
  }
});

test('a session that ended elsewhere leads to sign-in, and back to the same view', async ({
  page,
  context,
  allow,
}) => {
  // Calls and sockets that were under way when it ended.
  allow(/401 \(Unauthorized\)/, /failed with 401/, /WebSocket connection .* HTTP Authentication failed/);
  const session = await app().enter(context, 'own');
  const path = await podsPath();
  await page.goto(app().url + path);
  await expect(podRows(page)).toHaveCount(3);
  await session.call('logout', {});
  await expect(page).toHaveURL(`${app().url}/login`);
  await signIn(page, pointer(page));
  await expect(page).toHaveURL(app().url + path);
  await expect(podRows(page)).toHaveCount(3);
});

test('a call that is answered 401 leads to sign-in, and back', async ({ page, context, allow }) => {
  // The live socket may be opened anew between the end of the session and the way to sign-in.
  allow(/401 \(Unauthorized\)/, /failed with 401/, /WebSocket connection .* HTTP Authentication failed/);
  await app().enter(context, 'own');
  const url = app().url + (await podsPath()).replace(/\/pods.*/, '');
  await page.goto(url);
  await expect(statusLine(page)).toContainText(/^Live/);
  // The session ends with this very call: any other would lead to sign-in before the button is pressed.
  const check = /\/api\/clusters\/\d+\/state$/;
  await page.route(check, async (route) => {
    await context.clearCookies();
    await route.continue({ headers: { ...route.request().headers(), cookie: '' } });
  });
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page).toHaveURL(`${app().url}/login`);
  // Taking the route away while a part of the page is under way leaves that request without an answer.
  await expect(page.getByLabel('Email')).toBeVisible();
  await page.unroute(check);
  await signIn(page, pointer(page));
  await expect(page).toHaveURL(url);
  await expect(statusLine(page)).toContainText(/^Live/);
});

test('the sign-in page redirects people who are signed in', async ({ page, context }) => {
  await app().enter(context);
  await page.goto(`${app().url}/login`);
  await expect(page).toHaveURL(`${app().url}/`);
});

test('a page of another origin can neither open the live socket nor call the API', async ({
  page,
  context,
  allow,
}) => {
  allow(/WebSocket connection to/, /CORS policy/, /ERR_FAILED|ERR_BLOCKED/, /403 \(Forbidden\)/);
  const foreign = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><link rel="icon" href="data:,"><title>Elsewhere</title>');
  });
  await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done));
  const address = foreign.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  // Another port of the same host is the same site: the browser sends the session along.
  await app().enter(context);
  await page.goto(`http://127.0.0.1:${port}/`);
  const tried = await page.evaluate(async (url) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`);
    const heard: string[] = [];
    const live = await new Promise<string>((done) => {
      socket.addEventListener('message', ({ data }) => heard.push(String(data)));
      socket.addEventListener('open', () => done('open'));
      socket.addEventListener('error', () => done('refused'));
    });
    const reach = (path: string, init?: RequestInit) =>
      fetch(url + path, { credentials: 'include', ...init }).then(
        () => 'read',
        () => 'refused',
      );
    return {
      live,
      heard,
      clusters: await reach('/api/ClusterManagement/clusters'),
      logout: await reach('/api/auth/logout', { mode: 'cors' }),
    };
  }, app().url);
  expect(tried).toEqual({ live: 'refused', heard: [], clusters: 'refused', logout: 'refused' });
  await page.goto(app().url);
  await expect(accountButton(page)).toBeVisible();
  await new Promise((done) => foreign.close(done));
});

// Last, since the Owner has another password from then on.
test('a changed password signs other sessions out, and a wrong current one shows a message', async ({
  page,
  context,
  another,
  allow,
}) => {
  allow(/403 \(Forbidden\)/, /failed with 403/, /401 \(Unauthorized\)/, /failed with 401/);
  await app().enter(context, 'own');
  const elsewhere = await another();
  await app().enter(elsewhere, 'own');
  const other = await elsewhere.newPage();
  await other.goto(app().url + (await podsPath()));
  await expect(statusLine(other)).toContainText(/^Live/);
  await page.goto(`${app().url}/settings`);
  const form = page.getByRole('form', { name: 'Change password' });
  await form.getByLabel(/^Current password/).fill('not the password');
  await form.getByLabel(/^New password/).fill('another horse staple');
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(form.getByRole('alert')).toHaveText('The current password is wrong.');
  await form.getByLabel(/^Current password/).fill(owner.password);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Password changed' })).toBeVisible();
  await expect(other).toHaveURL(`${app().url}/login`);
  await expect(page).toHaveURL(`${app().url}/settings`);
});
