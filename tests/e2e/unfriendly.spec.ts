import type { BrowserContext, Locator, Page } from 'playwright/test';
import { type FaultProxy, startFaultProxy } from '../server/live/fault-proxy.ts';
import { TestClient } from '../server/http-client.ts';
import { deploymentOf, deploymentsIn, limitedToken } from './cluster.ts';
import { armed, bothHands } from './hands.ts';
import { eachHand, expect, ownClusters, owner, sharedApp, test } from './kit.ts';
import { kubeconfigOf } from './kubeconfigs.ts';
import { dialogOf, headingOf, podRows, sectionOf, statusLine, toastOf } from './places.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';
import { addViewer, inStore, revokeTeams } from './store.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
const viewer = 'kim@example.org';
let cluster: SecondCluster;
let proxy: FaultProxy;
/** The same cluster six times: as it is, and as what each journey meets. */
const ids = new Map<string, number>();
const url = (name: string, path = ''): string => `${app().url}/clusters/${ids.get(name) ?? 0}${path}`;

/** What a credential may do that reads namespaces, pods and Deployments and restarts these. */
const narrowRules = [
  { apiGroups: [''], resources: ['namespaces', 'pods'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'patch'] },
];

test.beforeAll(async () => {
  cluster = await startSecondCluster();
  proxy = await startFaultProxy(cluster);
  const { server, token } = cluster;
  const ways = [
    { name: 'prod', at: cluster, server, token },
    { name: 'frozen', at: cluster, server, token },
    { name: 'shared', at: cluster, server, token },
    { name: 'narrow', at: cluster, server, token: await limitedToken(cluster, 'narrow', narrowRules) },
    { name: 'nameless', at: cluster, server, token: await limitedToken(cluster, 'nameless', []) },
    { name: 'shaky', at: proxy, server: proxy.server, token },
  ];
  for (const { name, at, server: address, token: secret } of ways) {
    const kubeConfigContent = kubeconfigOf(at, [{ name, server: address, user: { token: secret } }]);
    const { id } = await app().client.call('addCluster', {
      body: { name, description: '', kubeConfigContent },
    });
    ids.set(name, id);
  }
  await inStore(app().product, async (query) => {
    await query(`update clusters set is_protected = true where name = 'prod'`);
    await query(`update clusters set is_read_only = true where name = 'frozen'`);
  });
  await addViewer(app().product, viewer, ids.get('shared') ?? 0);
  for (const { name } of bothHands)
    for (const of of ['doomed', 'guarded'])
      await cluster.call('POST', deploymentsIn('default'), deploymentOf(`${of}-${name}`));
});
test.afterAll(async () => {
  await proxy.close();
  await cluster.stop();
});

const more = (page: Page): Locator => page.getByRole('button', { name: 'More actions', exact: true });
const openDeployment = async (page: Page, of: string, name = 'cart', namespace = 'shop'): Promise<void> => {
  await page.goto(url(of, `/namespaces/${namespace}/deployments/${name}`));
  await expect(headingOf(page, name)).toBeVisible();
  await expect(statusLine(page)).toContainText(/^Live/);
};

/** Signs a browser in as the Viewer. */
async function enterAsViewer(context: BrowserContext): Promise<void> {
  const client = new TestClient(app().url);
  await client.call('signIn', { body: { email: viewer, password: owner.password } });
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: app().url })));
}

for (const { by, it } of eachHand) {
  it(
    `a protected cluster frames what touches it and has its name typed (${by})`,
    inBothHands,
    async ({ page, hands, isWhole }) => {
      await app().enter(page.context());
      const name = `doomed-${by}`;
      await openDeployment(page, 'prod', name, 'default');
      await expect(page.getByRole('region', { name: /, protected cluster$/ })).toBeVisible();

      if (isWhole)
        await test.step('what destroys nothing is asked for, in the same frame', async () => {
          await hands.press(page.getByRole('button', { name: 'Restart' }));
          const dialog = dialogOf(page, `Restart Deployment ${name}`);
          await expect(dialog).toHaveAttribute('data-protected');
          await page.keyboard.press('Escape');
          await expect(dialog).toBeHidden();
          await expect(page.getByRole('button', { name: 'Restart' })).toBeFocused();
        });

      await test.step('what destroys needs the name of the cluster', async () => {
        await hands.choose(more(page), 'Delete');
        const dialog = dialogOf(page, `Delete Deployment ${name}?`);
        const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
        await expect(dialog).toHaveAttribute('data-protected');
        await expect(confirm).toHaveAttribute('title', 'Type prod to confirm.');
        const field = dialog.getByLabel('prod is protected. Type its name to delete.');
        await hands.write(field, 'pro');
        await page.keyboard.press('Enter');
        await expect(confirm).toBeDisabled();
        await hands.write(field, 'prod');
        await page.keyboard.press('Enter');
        await expect(toastOf(page, `Deployment ${name} deleted`)).toBeVisible();
        await expect(headingOf(page, `Deployment default/${name} was deleted`)).toBeVisible();
      });
    },
  );

  it(`a restart asks for the name of a protected cluster, whatever leads to it (${by})`, async ({
    page,
    hands,
  }) => {
    await app().enter(page.context());
    const name = `guarded-${by}`;
    const dialog = dialogOf(page, `Restart Deployment ${name}`);
    const expectAsked = async (way: string) => {
      await expect(dialog.getByLabel('prod is protected. Type its name to restart.'), way).toBeFocused();
      const verb = dialog.getByRole('button', { name: 'Restart', exact: true });
      await expect(verb, way).toHaveAttribute('title', 'Type prod to confirm.');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(verb, way).toBeDisabled();
      await page.keyboard.press('Escape');
      await expect(dialog, way).toBeHidden();
    };
    const restartedAt = async () => JSON.stringify(await cluster.call('GET', deploymentsIn('default', name)));
    await openDeployment(page, 'prod', name, 'default');
    await hands.press(page.getByRole('button', { name: 'Restart' }));
    await expectAsked('the button of the page');
    await hands.choose(more(page), 'Restart');
    await expectAsked('the menu');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('restart');
    const first = page.getByRole('option', { name: /^Restart/ }).first();
    if (hands.name === 'keyboard') {
      await expect(first).toHaveAttribute('aria-selected', 'true');
      await page.keyboard.press('Enter');
    } else await first.click();
    await expectAsked('the palette');
    await page.keyboard.press('r');
    await expectAsked('the key');
    expect(await restartedAt()).not.toContain('restartedAt');
  });

  it(`a read-only cluster shows what changes it disabled, with the reason (${by})`, async ({
    page,
    hands,
    allow,
  }) => {
    allow(/403 \(Forbidden\)/, /failed with 403/);
    await app().enter(page.context());
    const reason = 'frozen is read-only in this console';
    await openDeployment(page, 'frozen');
    await expect(page.getByRole('button', { name: 'Restart' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Restart' })).toHaveAttribute('title', new RegExp(reason));
    await hands.press(more(page));
    for (const entry of ['Restart', 'Label', 'Delete']) {
      const item = page.getByRole('menuitem', { name: entry });
      await expect(item).toBeDisabled();
      await expect(item).toContainText(reason);
    }
    await page.keyboard.press('Escape');
    await expect(more(page)).toBeFocused();
    await page.keyboard.press('r');
    await expect(toastOf(page, reason)).toBeVisible();
    await expect(dialogOf(page, /^Restart Deployment/)).toBeHidden();
    await expect(more(page)).toBeFocused();
  });

  it(`what the cluster's credential may not do is named where it is missed (${by})`, async ({
    page,
    hands,
    allow,
  }) => {
    allow(/403 \(Forbidden\)/, /failed with 403/);
    await app().enter(page.context());
    await page.goto(url('narrow', '/nodes'));
    await expect(
      page.getByRole('heading', { name: 'The console cannot view nodes in narrow' }),
    ).toBeVisible();
    await expect(page.getByText("This console's credential may not list nodes of narrow.")).toBeVisible();
    await expect(statusLine(page)).toHaveText('No access');
    const place = (name: RegExp) =>
      page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name });
    await expect(place(/^Nodes/)).toHaveAccessibleName(/console's credential may not list these here/);
    await expect(place(/^Pods/)).not.toHaveAccessibleName(/may not list/);

    await openDeployment(page, 'narrow');
    await expect(sectionOf(page, 'Pods').getByRole('row').nth(1)).toContainText('cart-');
    for (const section of ['ReplicaSets', 'Events'])
      await expect(sectionOf(page, section)).toContainText("This console's credential may not list");

    await hands.choose(more(page), 'Delete');
    const dialog = dialogOf(page, 'Delete Deployment cart?');
    await hands.press(dialog.getByRole('button', { name: 'Delete', exact: true }));
    await expect(dialog.getByRole('alert')).toContainText('Nothing was changed.');
    await expect(dialog.getByRole('alert')).toContainText(
      "The console's credential may not delete deployments.apps in namespace shop of narrow.",
    );
    await page.keyboard.press('Escape');
    await expect(more(page)).toBeFocused();

    await page.goto(url('nameless'));
    await expect(page.getByRole('heading', { name: 'The console cannot view nameless' })).toBeVisible();
    await expect(page.getByText('Which namespaces it may read is not known')).toBeVisible();
    await hands.press(page.getByRole('link', { name: 'Name its namespaces' }));
    await expect(page.getByLabel('Namespaces to watch')).toBeVisible();
  });
}

test('a Viewer is offered no change, and hears when the cluster is taken away', async ({
  page,
  context,
  allow,
}) => {
  allow(/404 \(Not Found\)/, /failed with 404/);
  await enterAsViewer(context);
  await page.goto(url('shared', '/namespaces'));
  await expect(page.getByRole('grid', { name: 'Namespaces' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create namespace' })).toBeHidden();
  await openDeployment(page, 'shared');
  await more(page).click();
  await expect(page.getByRole('menuitem', { name: 'Why can I not …' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /^(Delete|Scale|Restart)/ })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Restart' })).toBeHidden();
  await page.keyboard.press('Shift+D');
  await expect(dialogOf(page, /Delete/)).toBeHidden();
  await page.goto(url('shared', '/objects/core/secrets'));
  await expect(page.getByRole('heading', { name: 'You cannot view secrets in shared' })).toBeVisible();
  await expect(page.getByText('"secrets.view"').first()).toBeVisible();
  await revokeTeams(app().product);
  await expect(page).toHaveURL(`${app().url}/`);
  await expect(toastOf(page, 'You no longer have access to shared')).toBeVisible();
});

test('a dialog about an object that is deleted meanwhile says so and offers no further action', async ({
  page,
  context,
}) => {
  await app().enter(context);
  const path = deploymentsIn('shop', 'ferry');
  await cluster.call('POST', deploymentsIn('shop'), deploymentOf('ferry'));
  await page.goto(url('prod', '/namespaces/shop/deployments/ferry'));
  await expect(headingOf(page, 'ferry')).toBeVisible();
  await page.keyboard.press('Shift+D');
  await expect(dialogOf(page, 'Delete Deployment ferry?')).toBeVisible();
  await cluster.call('DELETE', path);
  const gone = dialogOf(page, 'Deployment ferry was deleted');
  await expect(gone).toBeVisible();
  await expect(gone.getByRole('button')).toHaveText(['', 'Close']);
  await expect(gone.getByRole('button').filter({ hasText: 'Close' })).toBeFocused();
  await armed(gone);
  await page.keyboard.press('Enter');
  await expect(gone).toBeHidden();
});

test('who deletes a cluster whose pages are open hears of it once', async ({ page, context, allow }) => {
  allow(/404 \(Not Found\)/, /failed with 404/);
  await app().enter(context);
  const name = 'passing';
  const { server, token } = cluster;
  await app().client.call('addCluster', {
    body: {
      name,
      description: '',
      kubeConfigContent: kubeconfigOf(cluster, [{ name, server, user: { token } }]),
    },
  });
  const tab = (title: string): Locator => page.getByRole('tab').filter({ hasText: title });
  await page.goto(`${app().url}/clusters`);
  await page.getByRole('main').getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: /^Pods/ }).click();
  await expect(podRows(page).first()).toBeVisible();
  await expect(tab('Pods')).toBeVisible();
  await tab('Clusters').click();
  await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  await dialogOf(page, 'Delete cluster?').getByLabel(`Type ${name} to confirm`).fill(name);
  await dialogOf(page, 'Delete cluster?').getByRole('button', { name: 'Delete cluster' }).click();
  await expect(toastOf(page, 'Cluster deleted')).toBeVisible();
  // Its tabs go as well, and say nothing of their own.
  await expect(tab('Pods')).toHaveCount(0);
  // Whatever was said beside it is said while the first message stands.
  let others = 0;
  await expect
    .poll(async () => {
      others += await toastOf(page, 'You no longer have access to').count();
      return await toastOf(page, 'Cluster deleted').count();
    })
    .toBe(0);
  expect(others).toBe(0);
});

test('every view says when a cluster goes away and comes back', async ({ context, allow }) => {
  allow(/502 \(Bad Gateway\)/, /failed with 502/);
  await app().enter(context);
  const [pod = ''] = await cluster.podNames('shop', 'cart-');
  const paths = ['/pods', '/namespaces/shop/deployments/cart', '', `/namespaces/shop/pods/${pod}?view=logs`];
  const pages: Page[] = [];
  for (const path of paths) {
    const page = await context.newPage();
    await page.goto(url('shaky', path));
    pages.push(page);
  }
  const fresh = (page: Page): Locator =>
    page.getByRole('status').filter({ hasText: /^(Live|Following|Reconnecting|Stale since)/ });
  for (const page of pages) await expect(fresh(page)).toHaveText(/^(Live|Following)/);

  proxy.always('drop');
  proxy.drop();
  for (const page of pages) await expect(fresh(page)).toHaveText(/^(Reconnecting|Stale since)/);
  const [list, detail] = pages;
  if (list === undefined || detail === undefined) throw new Error('The pages are not open.');
  // What was read stays.
  await expect.poll(() => podRows(list).count()).toBeGreaterThan(5);
  await expect(headingOf(detail, 'cart')).toBeVisible();

  await test.step('what is asked before a change says that what shows may be out of date', async () => {
    await detail.getByRole('button', { name: 'Restart' }).click();
    const dialog = dialogOf(detail, 'Restart Deployment cart');
    await expect(dialog).toContainText('may be stale');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('what opens meanwhile says why it shows nothing', async () => {
    const late = await context.newPage();
    await late.goto(url('shaky', '/secrets'));
    await expect(late.getByRole('alert')).toContainText('Could not load secrets.');
    await expect(late.getByRole('alert')).toContainText('Other clusters are fine.');
    proxy.heal();
    await late.getByRole('button', { name: 'Retry', exact: true }).click();
    await expect(late.getByRole('grid', { name: 'Secrets' })).toBeVisible();
  });
  for (const page of pages) await expect(fresh(page)).toHaveText(/^(Live|Following)/);
});
