import type { Page } from 'playwright/test';
import { expectAccessible } from './axe.ts';
import { sharedCluster } from './cluster.ts';
import { type Gate, openGate } from './gate.ts';
import { keyboard, pointer, tabTo } from './hands.ts';
import { eachHand, expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import { kubeconfigOf } from './kubeconfigs.ts';
import { filterField, podRow, podRows, podsOf, statusLine, toastOf } from './places.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';
import { addViewer, revokeTeams } from './store.ts';
import { startFaultProxy } from '../server/live/fault-proxy.ts';
import { TestClient } from '../server/http-client.ts';

const app = sharedApp(ownClusters);
sharedCluster(app, 'quay');
let cluster: SecondCluster;
let gate: Gate;
let podsUrl: string;
let clusterId: number;

test.beforeAll(async () => {
  cluster = await startSecondCluster();
  gate = await openGate(cluster.server);
  const added = await app().client.call('addCluster', {
    body: {
      name: 'harbour',
      description: '',
      kubeConfigContent: kubeconfigOf(cluster, [
        { name: 'harbour', server: `https://127.0.0.1:${gate.port}`, user: { token: cluster.token } },
      ]),
    },
  });
  clusterId = added.id;
  podsUrl = `${app().url}/clusters/${clusterId}/pods`;
});
test.afterAll(async () => {
  await gate.shut();
  await cluster.stop();
});

/** A line of the page that assistive technology hears when it changes. */
const said = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text });
const selected = (page: Page) => podsOf(page).locator('[role=row][aria-current=true]');
const soon = { timeout: 1_500 };
/** Seen, and no part of it behind the edge of what scrolls. */
const whole = { ratio: 0.99 };
const bad = /CrashLoopBackOff|ImagePullBackOff|ErrImagePull|Error|OOMKilled|Failed/;

async function openPods(page: Page, url = podsUrl): Promise<void> {
  await page.goto(url);
  await expect(statusLine(page)).toContainText(/^Live/);
}

/** Marks the page, to see later that it was not loaded anew. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute('data-marked', ''));
const isMarked = (page: Page) => page.evaluate(() => document.documentElement.hasAttribute('data-marked'));

for (const { by, it } of eachHand) {
  it(`a list is narrowed, sorted and its view is a link (${by})`, async ({
    page,
    context,
    another,
    hands,
  }) => {
    const isKeyboard = hands.name === 'keyboard';
    await app().enter(context);
    await openPods(page);

    await test.step('the worst stand first, and how many there are is said', async () => {
      await expect(said(page, /^\d+ pods$/)).toBeVisible();
      await expect(podRows(page).first()).toContainText(bad);
      await expect(podsOf(page).getByRole('columnheader', { name: /^Status/ })).toHaveAttribute(
        'aria-sort',
        'other',
      );
    });

    await test.step('by words', async () => {
      if (isKeyboard) {
        await tabTo(podsOf(page));
        await page.keyboard.press('/');
        await expect(filterField(page)).toBeFocused();
        await page.keyboard.type('postgres running');
        await page.keyboard.press('Enter');
        await expect(podsOf(page)).toBeFocused();
      } else await filterField(page).fill('postgres running');
      await expect(said(page, /^5 of \d+$/)).toBeVisible();
      await expect(podRows(page)).toHaveCount(5);
      await expect(page).toHaveURL(/\?q=postgres(\+|%20)running$/);
      await expect(page.getByText(/^\d+ pods are hidden by the filter\./)).toBeVisible();
    });

    await test.step('by namespace', async () => {
      await hands.pick(page.getByRole('button', { name: 'Namespace: All namespaces' }), 'payments');
      await expect(podRows(page)).toHaveCount(2);
      await expect(page.getByRole('button', { name: 'Namespace: payments' })).toBeVisible();
    });

    await test.step('in another order', async () => {
      if (isKeyboard) {
        await tabTo(podsOf(page));
        await page.keyboard.press('>');
        await page.keyboard.press('>');
        await expect(podsOf(page).getByRole('columnheader', { name: 'Name', exact: true })).toHaveAttribute(
          'aria-sort',
          'ascending',
        );
        await expect(said(page, /^Sorted by name, ascending$/)).toHaveCount(1);
        await page.keyboard.press('Shift+O');
        await expect(said(page, /^Sorted by name, descending$/)).toHaveCount(1);
      } else {
        const heading = podsOf(page)
          .getByRole('columnheader')
          .getByRole('button', { name: /^Name( .)?$/ });
        await heading.click();
        // The whole head sorts, to its edges, not its word alone.
        const head = podsOf(page).getByRole('columnheader', { name: 'Name', exact: true });
        const { width = 0 } = (await head.boundingBox()) ?? {};
        await head.click({ position: { x: width - 1, y: 1 } });
      }
      await expect(podsOf(page).getByRole('columnheader', { name: 'Name', exact: true })).toHaveAttribute(
        'aria-sort',
        'descending',
      );
      await expect(podRows(page).first()).toContainText('payments-postgres-1');
      await expect(podRows(page).last()).toContainText('payments-postgres-0');
    });

    await test.step('the address shows the same to somebody else', async () => {
      await expect(page).toHaveURL(/sort=-name/);
      const url = page.url();
      expect(new URL(url).searchParams.get('ns')).toBe('payments');
      expect(new URL(url).searchParams.get('q')).toBe('postgres running');
      expect(new URL(url).searchParams.get('sort')).toBe('-name');
      const colleague = await another();
      await app().enter(colleague);
      const other = await colleague.newPage();
      await openPods(other, url);
      await expect(podRows(other)).toHaveCount(2);
      await expect(podRows(other).first()).toContainText('payments-postgres-1');
      await expect(filterField(other)).toHaveValue('postgres running');
      await expect(other.getByRole('button', { name: 'Namespace: payments' })).toBeVisible();
      await colleague.close();
    });

    await test.step('nothing matches', async () => {
      await hands.write(filterField(page), 'no-such-pod');
      await expect(page.getByRole('heading', { name: 'No pod matches “no-such-pod”' })).toBeVisible();
      await expect(said(page, /\d+ pods are hidden by the filter\./)).toBeVisible();
      await hands.press(page.getByRole('button', { name: 'Clear filter' }).last());
      await expect(filterField(page)).toHaveValue('');
      await expect(podRow(page, 'payments-postgres-0')).toBeVisible();
    });

    await test.step('a letter that is wrong is not the end', async () => {
      await hands.write(filterField(page), 'postgers');
      await expect(said(page, /Did you mean postgres\?/)).toBeVisible();
      await hands.press(page.getByRole('button', { name: 'Search for postgres' }));
      await expect(filterField(page)).toHaveValue('postgres');
      await expect(podRow(page, 'payments-postgres-0')).toBeVisible();
      await hands.write(filterField(page), '');
    });

    await test.step('back leads through the views', async () => {
      await page.goBack();
      await expect(page).not.toHaveURL(/sort=-name/);
    });
  });
}

test('the cursor is moved by keys and stays on its pod', async ({ page, context, withoutMouse }) => {
  await withoutMouse();
  await app().enter(context);
  await openPods(page, `${podsUrl}?sort=name`);
  const keys = page.keyboard;
  await expect(selected(page)).toHaveAttribute('aria-rowindex', '2');
  await expect(podsOf(page)).not.toBeFocused();
  await keys.press('j');
  await expect(podsOf(page)).toBeFocused();
  await keys.press('ArrowDown');
  await expect(selected(page)).toHaveAttribute('aria-rowindex', '4');
  await keys.press('k');
  await expect(selected(page)).toHaveAttribute('aria-rowindex', '3');
  const id = (await podsOf(page).getAttribute('aria-activedescendant')) ?? '';
  await expect(selected(page)).toHaveAttribute('id', id);
  await keys.press('Shift+G');
  await expect(selected(page)).toHaveAttribute(
    'aria-rowindex',
    (await podsOf(page).getAttribute('aria-rowcount')) ?? '',
  );
  await expect(selected(page)).toBeInViewport(whole);
  // A first key waits two seconds for its second: a busy machine may need another try.
  await expect(async () => {
    await keys.press('Escape');
    await keys.press('g');
    await expect(page.getByRole('region', { name: 'Keys that may follow' })).toContainText('First row', soon);
    await keys.press('g');
    await expect(selected(page)).toHaveAttribute('aria-rowindex', '2', soon);
  }).toPass();
  await expect(selected(page)).toBeInViewport(whole);

  await test.step('a row beyond the last that is seen comes up whole', async () => {
    for (let row = 0; row < 40; row += 1) await keys.press('j');
    await expect(selected(page)).toHaveAttribute('aria-rowindex', '42');
    await expect(selected(page)).toBeInViewport(whole);
  });

  await test.step('an unknown second key is said, not guessed', async () => {
    await expect(async () => {
      await keys.press('Escape');
      await keys.press('g');
      await keys.press('z');
      await expect(said(page, 'does nothing after')).toBeVisible(soon);
    }).toPass();
  });

  await test.step('keys type in the filter, and Esc leads out of it step by step', async () => {
    await keys.press('/');
    await keys.type('jk');
    await expect(filterField(page)).toHaveValue('jk');
    await keys.press('ControlOrMeta+a');
    await keys.type('loki');
    await expect(podRows(page)).toHaveCount(1);
    await keys.press('Escape');
    await expect(podsOf(page)).toBeFocused();
    await expect(filterField(page)).toHaveValue('loki');
    await keys.press('Escape');
    await expect(filterField(page)).toHaveValue('');
    await expect(podsOf(page)).toBeFocused();
  });

  await test.step('a filter that hid everything leaves the cursor in sight', async () => {
    await keys.press('/');
    await keys.type('vault-intrenal');
    await expect(page.getByRole('heading', { name: /^No pod matches/ })).toBeVisible();
    await keys.press('ControlOrMeta+a');
    await keys.press('Delete');
    await keys.press('Enter');
    await expect(podsOf(page)).toBeFocused();
    // What the first letters found has the cursor, far from the top.
    await expect
      .poll(async () => Number(await selected(page).getAttribute('aria-rowindex')))
      .toBeGreaterThan(50);
    await expect(selected(page)).toBeInViewport(whole);
  });
});

/** How many rows the list has, also those that are not drawn. */
const rowCount = async (page: Page) => Number(await podsOf(page).getAttribute('aria-rowcount'));

/** Fails unless the rows of a list stayed, but for pods that came and went until it lost its cluster or server. */
const expectKept = (rows: number, before: number) => expect(Math.abs(rows - before)).toBeLessThan(10);

test('a cluster that goes away leaves its rows readable and accessible, and is live again without a reload', async ({
  page,
  context,
  another,
  withoutMouse,
  allow,
}) => {
  // The cluster may go before the page has asked for all that it shows.
  allow(/502 \(Bad Gateway\)/, /failed with 502: harbour (refused|ended) the connection/);
  await withoutMouse();
  await app().enter(context);
  await openPods(page);
  await mark(page);
  await expect(podRows(page).first()).toBeVisible();
  await expect(statusLine(page)).toContainText(/^Live/);
  const before = await rowCount(page);
  await gate.shut();
  await expect(statusLine(page)).toContainText(/^Reconnecting/);
  expectKept(await rowCount(page), before);
  await expect(podRows(page).last()).not.toBeEmpty();
  await expectAccessible(page, 'pods reconnecting');
  await expect(statusLine(page)).toContainText(/^Stale since \d\d:\d\d:\d\d, reconnecting$/, {
    timeout: 25_000,
  });
  expectKept(await rowCount(page), before);
  await expect(podRows(page).last()).not.toBeEmpty();
  await expectAccessible(page, 'pods stale');
  const colleague = await another();
  await app().enter(colleague);
  const other = await colleague.newPage();
  await other.goto(app().url);
  await expect(other.getByRole('heading', { name: 'Clusters', level: 2 })).toBeVisible();
  await expectAccessible(other, 'home while a cluster is away');
  await colleague.close();

  await page.keyboard.press('/');
  await page.keyboard.type('email-worker');
  await expect(podRows(page)).toHaveCount(2);

  await test.step('what happened meanwhile is there at once', async () => {
    const [gone = ''] = await cluster.podNames('shop', 'email-worker-');
    await cluster.call('DELETE', `/api/v1/namespaces/shop/pods/${gone}`, { gracePeriodSeconds: 0 });
    await expect(podRow(page, gone)).toBeVisible();
    await gate.open();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+R');
    await expect(statusLine(page)).toContainText(/^Live/);
    await expect(podRow(page, gone)).toHaveCount(0);
    await expect(podRows(page)).toHaveCount(2);
    expect(await isMarked(page)).toBe(true);
  });
});

test('a cluster that hangs is silent since its last word, and live again when it answers', async ({
  page,
  context,
  withoutMouse,
  allow,
}) => {
  // One of several servers may not know yet that the cluster is back from what came before.
  allow(/502 \(Bad Gateway\)/, /failed with 502: harbour (refused|ended) the connection/);
  await withoutMouse();
  await app().enter(context);
  await openPods(page);
  await expect(podRows(page).first()).toBeVisible();
  await expect(statusLine(page)).toContainText(/^Live/);
  gate.freeze();
  try {
    await expect(statusLine(page)).toContainText(/^Unreachable since \d\d:\d\d:\d\d$/);
    await expect(page.getByText('harbour is unreachable.')).toBeVisible();
    await expect(podRows(page).first()).toBeVisible();
  } finally {
    gate.thaw();
  }
  await expect(statusLine(page)).toContainText(/^Live/);
});

test('the page comes back by itself when the server starts again', async ({
  page,
  context,
  another,
  allow,
}) => {
  allow(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/, /WebSocket connection to/);
  allow(
    /502 \(Bad Gateway\)/,
    /(namespaces|add-ons|counts) failed with 502: harbour (refused|ended) the connection/,
    // What stands in front of several servers says so while there is none.
    /failed with 502: An error occurred/,
  );
  // The server may stop before the page has loaded all of its parts, and while it counts.
  allow(
    /^The (?:commands|drag and drop of tiles) could not be loaded; retrying/,
    /503 .*\/(?:assets|api)\//,
    /failed with 503: Service Unavailable/,
  );
  await app().enter(context);
  await openPods(page);
  await mark(page);
  await expect(podRows(page).first()).toBeVisible();
  await expect(statusLine(page)).toContainText(/^Live/);
  const before = await rowCount(page);
  expect(await app().product.stop()).toBe(0);
  await expect(statusLine(page)).toContainText(/^(Reconnecting|Stale since)/);
  expectKept(await rowCount(page), before);
  // The cluster is away as well: the new server has never reached it.
  await gate.shut();
  await app().product.restart();

  await test.step('a cluster that was never reached is a state with a way out', async () => {
    const colleague = await another();
    await app().enter(colleague);
    const other = await colleague.newPage();
    await other.goto(podsUrl);
    const alert = other.getByRole('alert');
    await expect(alert).toContainText('Could not load pods.');
    await expect(alert).toContainText('harbour refused the connection.');
    await expect(alert).toContainText('Other clusters are fine.');
    await expect(other).toHaveURL(podsUrl);
    // It is tried again by itself as well: the way to the button comes first.
    await tabTo(alert.getByRole('button', { name: 'Retry' }));
    await gate.open();
    await other.keyboard.press('Enter');
    await expect(statusLine(other)).toContainText(/^Live/);
    await expect(podRows(other).first()).toBeVisible();
    await colleague.close();
  });

  await expect(statusLine(page)).toContainText(/^Live/);
  expect(await isMarked(page)).toBe(true);
  await expect(said(page, 'A new version of Wheelhouse is running.')).toHaveCount(0);
});

for (const handsOf of [keyboard, pointer]) {
  test(`a page older than the server says so, and reloads into the same view (${handsOf.name})`, async ({
    page,
    context,
  }) => {
    await app().enter(context);
    let isOlder = true;
    await page.routeWebSocket(/\/api\/live$/, (socket) => {
      const server = socket.connectToServer();
      if (!isOlder) return;
      server.onMessage((message) =>
        socket.send(String(message).replace(/"build":"[^"]*"/, '"build":"0123456789abcdef"')),
      );
    });
    const url = `${podsUrl}?ns=shop&q=shop-postgres`;
    await openPods(page, url);
    const banner = said(page, 'A new version of Wheelhouse is running.');
    await expect(banner).toBeVisible();
    isOlder = false;
    await handsOf(page).press(banner.getByRole('button', { name: 'Reload' }));
    await expect(banner).toHaveCount(0);
    await expect(page).toHaveURL(url);
    await expect(podRows(page)).toHaveCount(3);
    await expect(statusLine(page)).toContainText(/^Live/);
    await expect(banner).toHaveCount(0);
  });
}

test('a grant that is taken away ends the list that is open', async ({ page, context, allow }) => {
  const email = 'kim@example.org';
  await addViewer(app().product, email, clusterId);
  const viewer = new TestClient(app().url);
  await viewer.call('signIn', { body: { email, password: owner.password } });
  await context.addCookies([...viewer.cookies].map(([name, value]) => ({ name, value, url: app().url })));
  await openPods(page);
  await expect(page.getByRole('button', { name: 'Account of Kim Viewer' })).toHaveText('KV');
  allow(/404 \(Not Found\)/, /403 \(Forbidden\)/, /failed with 40[34]/);
  await revokeTeams(app().product);
  await expect(podRows(page)).toHaveCount(0);
  await expect(page).toHaveURL(`${app().url}/`);
  await expect(page.getByText('An Owner of your organisation can add clusters')).toBeVisible();
});

test('a list that nobody watched comes page by page, and nothing moves under the cursor', async ({
  page,
  context,
  withoutMouse,
}) => {
  const many = await startSecondCluster('--seed', 'bulk:1200', '--controllers', 'off');
  const proxy = await startFaultProxy(many);
  try {
    const given = [1, 2, 3].map(() => Promise.withResolvers<void>());
    proxy.beforePage(async (number) => await given[number - 1]?.promise);
    const { id } = await app().client.call('addCluster', {
      body: {
        name: 'slow-harbour',
        description: '',
        kubeConfigContent: kubeconfigOf(proxy, [
          { name: 'slow-harbour', server: proxy.server, user: { token: many.token } },
        ]),
      },
    });
    await app().enter(context);
    await withoutMouse();
    await page.addInitScript(() => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      new MutationObserver(() => {
        const regions = [...document.querySelectorAll('[role=status]')];
        const text = regions.map(({ textContent }) => textContent).find((one) => /^\d+ pods$/.test(one));
        if (text !== undefined && heard.at(-1) !== text) heard.push(text);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.goto(`${app().url}/clusters/${id}/pods`);
    const soFar = (count: string) => page.getByText(`${count} so far`, { exact: true });
    /** What the first rows say, and where the cursor stands. */
    const seen = async () => ({
      rows: await podRows(page).evaluateAll((rows) =>
        rows.slice(0, 20).map((row) => `${row.getAttribute('aria-label')} ${row.style.transform}`),
      ),
      cursor: await selected(page).getAttribute('aria-label'),
      top: (await selected(page).boundingBox())?.y,
    });

    given[0]?.resolve();
    await expect(soFar('500')).toBeVisible();
    await expect(podRows(page).first()).toHaveAttribute('aria-current', 'true');
    await expect(podsOf(page)).toHaveAttribute('aria-rowcount', '-1');
    for (let down = 0; down < 3; down += 1) await page.keyboard.press('j');
    await expect(podRows(page).nth(3)).toHaveAttribute('aria-current', 'true');
    // Rows beyond the first ones are drawn a moment later.
    await expect.poll(async () => await podRows(page).count()).toBeGreaterThanOrEqual(20);
    const before = await seen();

    given[1]?.resolve();
    await expect(soFar('1,000')).toBeVisible();
    expect(await seen()).toEqual(before);
    await page.keyboard.press('ControlOrMeta+a');
    await expect(toastOf(page, 'Only 1,000 pods have been read so far, not all')).toBeVisible();
    await expect(page.getByRole('row', { selected: true })).toHaveCount(0);

    given[2]?.resolve();
    await expect(statusLine(page)).toContainText(/^Live/);
    expect(await seen()).toEqual(before);
    await expect(podsOf(page)).toHaveAttribute('aria-rowcount', '1201');
    // The end of the reading is told once, and no page before it.
    expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([
      '1200 pods',
    ]);
    // Rows that would stand elsewhere are put in order when that is asked for.
    await page.keyboard.press('o');
    await expect(selected(page)).toHaveAttribute('aria-label', before.cursor ?? '');

    // Its cluster is about to end.
    await page.goto('about:blank');
  } finally {
    await proxy.close();
    await many.stop();
  }
});
