import type { Locator, Page } from 'playwright/test';
import { Webhook as Verifier } from 'standardwebhooks';
import { deploymentOf, deploymentsIn, sharedCluster } from './cluster.ts';
import { eachHand, expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import type { Hands } from './hands.ts';
import { rowOf, statusLine, toastOf } from './places.ts';
import { startSecondCluster } from './product.ts';
import { addViewer, inStore } from './store.ts';
import { expectAccessible } from './axe.ts';
import { TestClient } from '../server/http-client.ts';
import { type Receiver, startReceiver } from '../server/webhooks/receiver.ts';

const helpUrl = 'https://help.example.org/harbour';
let receiver: Receiver;
test.beforeAll(async () => {
  receiver = await startReceiver();
});
test.afterAll(() => receiver.close());
const app = sharedApp(() => ({
  ...ownClusters,
  WHEELHOUSE_HELP_URL: helpUrl,
  WHEELHOUSE_WEBHOOK_ALLOW_PORTS: String(receiver.port),
  WHEELHOUSE_WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
}));
sharedCluster(app, 'playground');

/** A message of a webhook, as far as it is read here. */
interface Told {
  readonly type: string;
  readonly data: { readonly object?: { readonly name: string } };
}

/** Stops the cluster that a test has started. */
let cleanUp: (() => Promise<void>) | undefined;
test.afterEach(async () => {
  await cleanUp?.();
  cleanUp = undefined;
});

const banner = (page: Page): Locator => page.getByRole('banner');
const sidebar = (page: Page): Locator => page.getByRole('navigation', { name: 'Sidebar' });

async function openCluster(page: Page, name = 'playground', hands?: Hands): Promise<void> {
  await page.goto(app().url);
  const link = page
    .getByRole('region', { name: /^Clusters/ })
    .getByRole('link', { name: new RegExp(`^${name}(?!-)`) });
  await (hands === undefined ? link.click() : hands.press(link));
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
}

test('the top bar names the product, and has Help and Settings for admins', async ({ page, context }) => {
  await app().enter(context);
  await page.goto(app().url);
  await expect(banner(page)).toContainText('WheelhousePro');
  await expect(banner(page).getByRole('button', { name: 'Toggle sidebar' })).toBeVisible();
  await expect(banner(page).getByRole('button', { name: 'Cluster: Select Cluster' })).toBeVisible();
  const help = banner(page).getByRole('link', { name: 'Help' });
  await expect(help).toHaveAttribute('href', helpUrl);
  await expect(help).toHaveAttribute('target', '_blank');
  await expect(help).toHaveAttribute('rel', /noreferrer/);
  await banner(page).getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL(`${app().url}/settings`);
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Settings');
});

for (const { by, it } of eachHand) {
  it(`an Owner finds the rules of a cluster in the menu and on its page (${by})`, async ({
    page,
    context,
    allow,
    hands,
  }) => {
    allow(/net::ERR_FAILED/, /status of 502/, /settings\/global failed with 502/);
    await app().enter(context);
    const [cluster] = await app().client.call('clusters', {});
    await page.goto(`${app().url}/clusters/${cluster?.id ?? 0}`);
    const rules = page.getByRole('heading', { name: 'Cluster settings for everyone', level: 1 });
    await hands.press(page.getByRole('main').getByRole('link', { name: 'Cluster settings for everyone' }));
    await expect(rules).toBeVisible();
    await expect(page).toHaveURL(/\/clusters\/\d+\/settings\/global$/);
    await hands.press(sidebar(page).getByRole('link', { name: 'Pods' }));
    await expect(statusLine(page)).toContainText(/^Live/);
    await hands.choose(
      banner(page).getByRole('button', { name: `Account of ${owner.name}` }),
      'Cluster settings for everyone',
    );
    await expect(rules).toBeVisible();

    // Neither a proxy’s page nor silence is a sentence for people.
    const alert = page.getByRole('main').getByRole('alert');
    const shells = page.getByRole('checkbox', { name: 'Shells allowed' });
    await expect(shells).toBeChecked();
    await page.route('**/api/clusters/*/settings/global', (route) =>
      route.fulfill({ status: 502, body: '<html>Bad</html>' }),
    );
    await hands.tick(shells);
    await expect(alert).toHaveText('Failed to update global settings');
    await expect(shells).toBeChecked();
    await page.unroute('**/api/clusters/*/settings/global');
    await page.route('**/api/clusters/*/settings/global', (route) => route.abort());
    await page.reload();
    await expect(alert).toContainText('Failed to fetch global settings');
    await expect(alert).toContainText('The console’s server did not answer.');
    await page.unroute('**/api/clusters/*/settings/global');
    await hands.press(alert.getByRole('button', { name: 'Retry' }));
    await expect(shells).toBeChecked();

    // A Prometheus of the cluster gives usage a history.
    const source = page.getByRole('region', { name: 'Source of metrics' });
    await hands.select(source.getByLabel('Read the history of usage at'), 'A Prometheus in the cluster');
    await hands.write(source.getByLabel('Namespace'), 'observability');
    await hands.write(source.getByLabel('Service'), 'prometheus');
    await hands.press(source.getByRole('button', { name: 'Test', exact: true }));
    await expect(source.getByRole('status')).toHaveText(/^The source answers: \d+ series of containers/);
    await hands.press(source.getByRole('button', { name: 'Save source' }));
    await expect(toastOf(page, 'Source of metrics saved')).toBeVisible();
    await expectAccessible(page, 'the rules of a cluster');
    await page.goto(`${app().url}/clusters/${cluster?.id ?? 0}`);
    const usage = page.getByRole('region', { name: 'Usage', exact: true });
    await hands.press(usage.getByRole('button', { name: '24 h' }));
    await expect(usage.getByRole('button', { name: '24 h' })).toHaveAttribute('aria-pressed', 'true');
    await expect(usage.getByRole('status')).toHaveText('Usage of the last 24 hours is shown.');
    await expect(usage.getByRole('slider', { name: 'CPU over time' })).toHaveAttribute(
      'aria-valuetext',
      /^CPU: .+ cores? now/,
    );
    await app().client.call('saveGlobalSettings', {
      params: { clusterId: cluster?.id ?? 0 },
      body: {
        isProtected: false,
        isReadOnly: false,
        isShellAllowed: true,
        metrics: { from: 'metrics.k8s.io' },
      },
    });
  });
}

for (const { by, it } of eachHand) {
  it(`namespaces that a person excludes are left out until one key shows them (${by})`, async ({
    page,
    context,
    allow,
    hands,
  }) => {
    allow(/status of 502/, /settings\/user failed with 502/);
    await app().enter(context);
    const [cluster] = await app().client.call('clusters', {});
    const params = { clusterId: cluster?.id ?? 0 };
    await page.goto(`${app().url}/clusters/${params.clusterId}`);
    const refuse = () =>
      page.route('**/api/clusters/*/settings/user', (route) =>
        route.fulfill({ status: 502, body: '<html>Bad</html>' }),
      );
    const answer = () => page.unroute('**/api/clusters/*/settings/user');
    const alert = page.getByRole('main').getByRole('alert');
    await refuse();
    await hands.press(sidebar(page).getByRole('link', { name: 'Cluster Settings' }));
    await expect(page).toHaveURL(/\/clusters\/\d+\/settings\/cluster$/);
    const excluded = page.getByRole('checkbox', { name: 'kube-system' });
    const save = page
      .getByRole('form', { name: 'Excluded namespaces' })
      .getByRole('button', { name: 'Save' });
    await expect(alert).toContainText('Failed to fetch user settings');
    await answer();
    await hands.press(alert.getByRole('button', { name: 'Retry' }));
    await expect(excluded).toBeVisible();
    await refuse();
    await hands.tick(excluded);
    await hands.press(save);
    await expect(alert).toHaveText('Failed to update user settings');
    await answer();
    await expect(excluded).toBeChecked();
    await hands.press(save);
    await expect(toastOf(page, 'Excluded namespaces saved')).toBeVisible();

    await hands.press(sidebar(page).getByRole('link', { name: 'Namespaces' }));
    const left = page.getByRole('button', { name: /^1 namespace excluded/ });
    await expect(left).toHaveAttribute('aria-pressed', 'false');
    await expect(rowOf(page, 'Namespaces', 'default')).toBeVisible();
    await expect(rowOf(page, 'Namespaces', 'kube-system')).toHaveCount(0);
    if (hands.name === 'keyboard') await page.keyboard.press('Shift+E');
    else await left.click();
    await expect(rowOf(page, 'Namespaces', 'kube-system')).toBeVisible();
    await expect(left).toHaveAttribute('aria-pressed', 'true');
    await expect(page).toHaveURL(/[?&]excluded=shown/);
    await app().client.call('saveUserSettings', { params, body: { excludedNamespaces: [] } });
    await expect(left).toHaveCount(0);
  });
}

for (const { by, it } of eachHand) {
  it(`a webhook is added, tested, sent to again and deleted (${by})`, async ({
    page,
    context,
    allow,
    hands,
  }) => {
    allow(/status of 502/, /webhooks(?:\/\S+)? failed with 502/);
    await app().enter(context);
    const calls = /\/settings\/user\/webhooks(?:\/[^/]+)?$/;
    const refuse = () =>
      page.route(calls, (route) => route.fulfill({ status: 502, body: '<html>Bad</html>' }));
    const look = async (state: string) => {
      if (hands.name === 'pointer') await expectAccessible(page, state);
    };
    // By one hand the cluster is the test's own, so that something in it can break.
    const breaking = hands.name === 'pointer' ? await startSecondCluster() : undefined;
    cleanUp = () => breaking?.stop() ?? Promise.resolve();
    const cluster =
      breaking === undefined
        ? (await app().client.call('clusters', {}))[0]
        : await app().client.call('addCluster', {
            body: { name: 'breakwater', description: '', kubeConfigContent: breaking.kubeconfig },
          });
    const settings = `${app().url}/clusters/${cluster?.id ?? 0}/settings`;
    await page.goto(`${settings}/cluster`);
    const main = page.getByRole('main');
    const dialog = page.getByRole('dialog');
    const add = main.getByRole('button', { name: 'Add webhook…' });
    await expect(add).toBeVisible();
    await look('settings of a cluster');
    await hands.press(add);
    await hands.write(dialog.getByRole('textbox', { name: 'Address' }), receiver.url);
    const trouble = ['Something is failing', 'Something recovered'];
    for (const event of ['A rollout failed', ...(breaking === undefined ? [] : trouble)])
      await hands.tick(dialog.getByRole('checkbox', { name: event }));
    await look('a new webhook');
    await refuse();
    await hands.press(dialog.getByRole('button', { name: 'Add webhook' }));
    await expect(dialog.getByRole('alert')).toHaveText('Failed to add webhook');
    await page.unroute(calls);
    await hands.press(dialog.getByRole('button', { name: 'Add webhook' }));
    const secret = await dialog.getByText(/^whsec_/).innerText();
    await hands.press(dialog.getByRole('button', { name: 'Done' }));
    const { origin } = new URL(receiver.url);
    const line = main.getByRole('list', { name: 'Your webhooks' }).getByRole('listitem');
    await expect(line).toContainText(`${origin} Standard Webhooks`);
    await expect(line).toContainText('A rollout failed');

    const before = receiver.received.length;
    const received = () => receiver.received.slice(before);
    await hands.press(line.getByRole('button', { name: `Deliveries of ${origin}…` }));
    await hands.press(dialog.getByRole('button', { name: 'Send test' }));
    // What else happens in the cluster meanwhile is delivered as well.
    const delivery = dialog
      .getByRole('list', { name: 'Deliveries' })
      .locator('> li')
      .filter({ hasText: /^Test/ });
    await expect(delivery).toContainText('Test Delivered');
    await look('deliveries of a webhook');
    await hands.press(delivery.getByRole('button', { name: 'Send again: Test' }));
    const tests = () => received().filter(({ body }) => body.includes('"webhook.test"'));
    await expect.poll(() => tests().length).toBe(2);
    const [first, again] = tests();
    if (first === undefined || again === undefined) throw new Error('Nothing came.');
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    for (const { body, headers } of [first, again])
      expect(new Verifier(secret).verify(body, headers)).toMatchObject({ type: 'webhook.test' });
    await hands.press(dialog.getByRole('button', { name: 'Done' }));

    if (breaking !== undefined) {
      const pump = deploymentsIn('default', 'pump');
      const run = (image: string) =>
        breaking.call('PATCH', pump, {
          spec: { template: { spec: { containers: [{ name: 'app', image }] } } },
        });
      await breaking.call('POST', deploymentsIn('default'), deploymentOf('pump'));
      const isReady = async () =>
        JSON.stringify(await breaking.call('GET', pump)).includes('"readyReplicas":1');
      await expect.poll(isReady).toBe(true);
      const ofPump = () =>
        received()
          .map(({ body, headers }) => new Verifier(secret).verify(body, headers) as Told)
          .filter(({ data }) => data.object?.name === 'pump')
          .map(({ type }) => type);
      await run('registry.example.org/app:2.0.0-missing');
      await expect.poll(ofPump, { timeout: 60_000 }).toEqual(['workload.trouble']);
      await run('registry.example.org/app:1.0.0');
      await expect.poll(ofPump, { timeout: 60_000 }).toEqual(['workload.trouble', 'workload.recovered']);
    }

    await hands.press(line.getByRole('button', { name: `Delete ${origin}…` }));
    const question = page.getByRole('alertdialog');
    await refuse();
    await hands.press(question.getByRole('button', { name: 'Delete' }));
    await expect(question.getByRole('alert')).toHaveText('Failed to delete webhook');
    await page.unroute(calls);
    await hands.press(question.getByRole('button', { name: 'Delete' }));
    await expect(line).toHaveCount(0);
    if (hands.name === 'pointer') return;
    // The palette leads to the same form from anywhere on the cluster.
    await page.goto(settings.replace('/settings', ''));
    await expect(page.getByRole('heading', { name: 'playground', exact: true })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+k');
    await expect(dialog.getByRole('combobox')).toBeFocused();
    await page.keyboard.type('add webhook');
    await expect(dialog.getByRole('option', { name: /^Add webhook/ })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('textbox', { name: 'Address' })).toBeVisible();
    await hands.press(dialog.getByRole('button', { name: 'Cancel' }));
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(`${settings}/cluster`);
  });
}

for (const { by, it } of eachHand) {
  it(`a member has neither icon, but settings in their menu (${by})`, async ({ page, context, hands }) => {
    const [cluster] = await app().client.call('clusters', {});
    const email = `viewer-${hands.name}@example.org`;
    await addViewer(app().product, email, cluster?.id ?? 0);
    const viewer = new TestClient(app().url);
    await viewer.call('signIn', { body: { email, password: owner.password } });
    await context.addCookies([...viewer.cookies].map(([name, value]) => ({ name, value, url: app().url })));
    await openCluster(page, 'playground', hands);
    await expect(banner(page).getByRole('link', { name: 'Help' })).toHaveCount(0);
    await expect(banner(page).getByRole('link', { name: 'Settings' })).toHaveCount(0);
    const account = banner(page).getByRole('button', { name: 'Account of Kim Viewer' });
    await expect(account).toHaveText('KV');
    await hands.press(account);
    const items = page.getByRole('menuitem');
    await expect(items.filter({ hasText: 'Settings' })).toBeVisible();
    await expect(items.last()).toContainText('Logout');
    // What is left out for want of a right can be asked about.
    await expect(items.filter({ hasText: 'Why can I not …' })).toBeVisible();
    await page.keyboard.press('Escape');
    await hands.choose(account, 'Settings');
    await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
    const profile = page.getByRole('region', { name: 'Profile' });
    await expect(profile).toContainText('Kim Viewer');
    await expect(profile).toContainText(email);
    await expect(profile).toContainText('Member');

    // An Owner's page is offered nowhere; its address says whose it is, and who they are.
    await hands.press(account);
    await expect(items.filter({ hasText: 'Logout' })).toBeVisible();
    await expect(items.filter({ hasText: 'Cluster settings for everyone' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await openCluster(page, 'playground', hands);
    await expect(page.getByRole('link', { name: 'Cluster settings for everyone' })).toHaveCount(0);
    await page.goto(`${page.url()}/settings/global`);
    await expect(
      page.getByRole('heading', { name: 'Cluster settings for everyone is for Owners' }),
    ).toBeVisible();
    await hands.press(page.getByRole('button', { name: 'Who can grant it?' }));
    await expect(
      page.getByText('“Cluster settings for everyone” is for Owners in your organisation'),
    ).toBeVisible();
  });
}

for (const { by, it } of eachHand) {
  it(`who has no company yet sees the test pages without the console around them (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const email = `newcomer-${hands.name}@example.org`;
    await inStore(app().product, async (query) => {
      await query(
        `insert into users (may_found_company, name, email, password_hash)
         select true, 'Noor Newcomer', $1, password_hash from users where password_hash is not null limit 1`,
        [email],
      );
    });
    const newcomer = new TestClient(app().url);
    await newcomer.call('signIn', { body: { email, password: owner.password } });
    await context.addCookies([...newcomer.cookies].map(([name, value]) => ({ name, value, url: app().url })));
    for (const [path, title] of [
      ['action-button-test', 'Action button'],
      ['toast-test', 'Toasts'],
    ] as const) {
      await page.goto(`${app().url}/tests/${path}`);
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
      await expect(banner(page)).toHaveCount(0);
      await expect(page.getByRole('tab')).toHaveCount(0);
    }
    await hands.press(page.getByRole('button', { name: 'Add without end', exact: true }));
    await expect(page.locator('[data-toast]')).toBeVisible();
  });
}

for (const { by, it } of eachHand) {
  it(`the sidebar has its groups in order, and the cluster’s own kinds in an accordion (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await app().enter(context);
    const cluster = await startSecondCluster('--seed', 'none');
    const name = `harbour-${hands.name}`;
    try {
      await app().client.call('addCluster', {
        body: { name, description: '', kubeConfigContent: cluster.kubeconfig },
      });
      await openCluster(page, name, hands);
      await expect(sidebar(page).getByRole('heading')).toHaveText([
        'Cluster',
        'Resources',
        'Persistent Volumes',
        'Network',
        'Scalers',
        'Helm',
        'CRDs',
      ]);
      // Without ScaledObjects: this cluster has no KEDA.
      await expect(sidebar(page).getByRole('link')).toHaveText([
        /^Dashboard/,
        /^Namespaces/,
        /^Nodes/,
        /^Events/,
        'AI Chat',
        'Cluster Settings',
        /^Deployments/,
        /^StatefulSets/,
        /^Pods/,
        /^CronJobs/,
        /^Jobs/,
        /^Secrets/,
        /^PersistentVolumes/,
        /^PersistentVolumeClaims/,
        /^Services/,
        /^Ingresses/,
        /^IngressClasses/,
        /^HPAs/,
        /^Helm releases/,
      ]);
      // What the specification's sidebar lacks is closed until it is opened, and stays open in this browser.
      const more = sidebar(page).getByRole('button', { name: 'More' });
      await expect(more).toHaveAttribute('aria-expanded', 'false');
      await hands.press(more);
      await page.reload();
      await expect(more).toHaveAttribute('aria-expanded', 'true');
      const kindsBelow = sidebar(page).locator(`[id="${await more.getAttribute('aria-controls')}"] a`);
      await expect(kindsBelow.nth(3)).toHaveText('StorageClasses');
      expect((await kindsBelow.allTextContents()).slice(0, 4)).toEqual([
        'ConfigMaps',
        'DaemonSets',
        'ReplicaSets',
        'StorageClasses',
      ]);
      // This cluster has no Gateway API.
      await expect(sidebar(page).getByRole('link', { name: 'Gateways' })).toHaveCount(0);
      await hands.press(sidebar(page).getByRole('link', { name: 'ConfigMaps' }));
      await expect(page).toHaveURL(/\/clusters\/\d+\/objects\/core\/configmaps$/);
      await hands.press(more);
      await expect(kindsBelow).toHaveCount(0);
      // One of its lists opens it by itself; it can be closed there as well.
      await page.goto(page.url().replace('/core/configmaps', '/apps/daemonsets'));
      await expect(sidebar(page).getByRole('link', { name: 'DaemonSets' })).toHaveAttribute(
        'aria-current',
        'page',
      );
      await hands.press(more);
      await expect(kindsBelow).toHaveCount(0);
      const accordion = sidebar(page).getByRole('button', { name: 'Custom Resources' });
      await expect(accordion).toHaveAttribute('aria-expanded', 'false');
      await hands.press(accordion);
      await expect(accordion).toHaveAttribute('aria-expanded', 'true');
      await expect(sidebar(page)).toContainText('No custom resources');
      const define = (kind: string, group = 'deck.example.org') => {
        const plural = `${kind.toLowerCase()}s`;
        return cluster.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: `${plural}.${group}` },
          spec: {
            group,
            scope: 'Namespaced',
            names: { kind, plural, singular: kind.toLowerCase() },
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
              },
            ],
          },
        });
      };
      for (const kind of ['Winch', 'Anchor']) await define(kind);
      const own = sidebar(page).getByRole('link', { name: /^(Anchor|Winch)$/ });
      await expect(own).toHaveText(['Anchor', 'Winch']);
      await hands.press(own.first());
      await expect(page).toHaveURL(/\/clusters\/\d+\/crds\/anchors\.deck\.example\.org$/);
      await expect(own.first()).toHaveAttribute('aria-current', 'page');
      // A kind that this console knows better is listed like the others, and leads to its own list.
      await define('ScaledObject', 'keda.sh');
      const known = sidebar(page).getByRole('link', { name: 'ScaledObject', exact: true });
      await hands.press(known);
      await expect(page).toHaveURL(/\/clusters\/\d+\/scaledobjects$/);
      await expect(known).toHaveAttribute('aria-current', 'page');
      await hands.press(own.first());
      // Trouble is seen without opening a list.
      await cluster.call('POST', '/apis/deck.example.org/v1/namespaces/default/winchs', {
        apiVersion: 'deck.example.org/v1',
        kind: 'Winch',
        metadata: { name: 'aft', namespace: 'default' },
        status: {
          conditions: [
            { type: 'Ready', status: 'False', reason: 'DrumFailed', message: 'The drum is jammed.' },
          ],
        },
      });
      const winches = sidebar(page).getByRole('link', { name: 'Winch 1 failing', exact: true });
      await expect(winches).toBeVisible();
      await cluster.call('DELETE', '/apis/deck.example.org/v1/namespaces/default/winchs/aft');
      await expect(winches).toHaveCount(0);
      await expect(own).toHaveText(['Anchor', 'Winch']);
      // However many there are, those in sight are drawn, and the last is reached.
      await Promise.all(Array.from({ length: 150 }, (_, index) => define(`Buoy${index}`)));
      const entries = sidebar(page).locator('[data-part=kinds] a');
      await expect(own).toHaveText(['Anchor']);
      expect(await entries.count()).toBeLessThan(60);
      // The definitions come in batches: the list may still grow after it was scrolled.
      await expect(async () => {
        await sidebar(page).evaluate((side) => side.scrollTo(0, side.scrollHeight));
        await expect(own, 'the place that shows stays there').toHaveText(['Anchor', 'Winch'], {
          timeout: 500,
        });
        await expect(own.last()).toBeInViewport({ timeout: 500 });
      }).toPass();
      expect(await entries.count()).toBeLessThan(60);
      await hands.press(accordion);
      await expect(own).toHaveCount(0);
    } finally {
      await cluster.stop();
    }
  });
}

test('keys lead to the sidebar’s places; a theme is chosen in settings', async ({ page, context }) => {
  await app().enter(context);
  await openCluster(page);
  for (const [second, path] of [
    ['p', /\/pods$/],
    ['n', /\/nodes$/],
    ['o', /\/clusters\/\d+$/],
    [',', /\/settings$/],
  ] as const) {
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press(second);
      await expect(page).toHaveURL(path, { timeout: 1_500 });
    }).toPass();
  }
  // Keys that were repeated on a busy machine may still lead to the first page of the settings.
  await expect(async () => {
    await page.getByRole('link', { name: 'Appearance and changes' }).click();
    await page.getByRole('radio', { name: /^Dark/ }).check({ timeout: 5_000 });
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark', { timeout: 1_500 });
  }).toPass();
  const ink = () => page.locator('body').evaluate((body) => getComputedStyle(body).color);
  const darkInk = await ink();
  await page.reload();
  await expect(page.getByRole('radio', { name: /^Dark/ })).toBeChecked();
  // By key: sections that are still coming move what a click aims at.
  await page.getByRole('radio', { name: /^System/ }).press('Space');
  await expect(page.getByRole('radio', { name: /^System/ })).toBeChecked();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(ink).not.toBe(darkInk);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ink).toBe(darkInk);
});

test('the cluster list is at most 16rem high, and marks the selected one', async ({ page, context }) => {
  await app().enter(context);
  await openCluster(page);
  await page.getByRole('button', { name: 'Cluster: playground' }).click();
  const list = page.getByRole('listbox', { name: 'Clusters' });
  await expect(list).toHaveCSS('max-height', '256px');
  await expect(list).toHaveCSS('overflow-y', 'auto');
  await expect(list.getByRole('option', { selected: true })).toContainText('playground');
});
