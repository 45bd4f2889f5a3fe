import type { Locator, Page } from 'playwright/test';
import { type Hands, pointer } from './hands.ts';
import { type App, eachHand, expect, localClusters, owner, sharedApp, startApp, test } from './kit.ts';
import { execUser, kubeconfigOf } from './kubeconfigs.ts';
import { filterField, podRow, podRows, podsOf, statusLine } from './places.ts';
import { freePort, type SecondCluster, startSecondCluster } from './product.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(localClusters);
let cluster: SecondCluster;
let closedPort: number;

test.beforeAll(async () => {
  cluster = await startSecondCluster('--name', 'harbour');
  closedPort = await freePort();
});
test.afterAll(() => cluster.stop());

/** Two contexts that work, one that signs in by a program, and one where nobody listens. */
const manyContexts = () =>
  kubeconfigOf(cluster, [
    { name: 'harbour', server: cluster.server, user: { token: cluster.token } },
    { name: 'quay', server: cluster.server, user: { token: cluster.token } },
    { name: 'eks', server: cluster.server, user: execUser },
    { name: 'dead', server: `https://127.0.0.1:${closedPort}`, user: { token: cluster.token } },
  ]);

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const toast = (page: Page, text: string): Locator => page.getByRole('status').filter({ hasText: text });
const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Add clusters' });
const contextOf = (page: Page, name: string): Locator =>
  dialogOf(page).getByRole('group', { name, exact: true });

async function openDialog(page: Page, hands: Hands): Promise<Locator> {
  await hands.press(page.getByRole('button', { name: 'Add clusters' }));
  const field = dialogOf(page).getByLabel('Kubeconfig');
  await expect(field).toHaveValue('');
  return field;
}

async function nameContext(page: Page, hands: Hands, context: string, name: string): Promise<void> {
  const box = contextOf(page, context).getByRole('checkbox');
  if (!(await box.isChecked())) await hands.tick(box);
  await hands.write(contextOf(page, context).getByLabel('Name'), name);
}

for (const { by, it } of eachHand) {
  it(
    `clusters are added, used, changed and deleted (${by})`,
    inBothHands,
    async ({ page, context, allow, hands }) => {
      const heard = listen(page);
      const named = (name: string) => `${name} ${hands.name}`;
      const text = manyContexts();
      await app().enter(context);
      await page.goto(app().url);
      await hands.choose(page.getByRole('button', { name: `Account of ${owner.name}` }), 'Clusters');
      await expect(page).toHaveURL(`${app().url}/clusters`);

      await test.step('contexts that cannot be used say what to do instead', async () => {
        await hands.paste(await openDialog(page, hands), text);
        await expect(dialogOf(page).getByRole('group', { name: 'Its 4 contexts' })).toBeVisible();
        await expect(contextOf(page, 'eks').getByRole('checkbox')).toBeDisabled();
        await expect(contextOf(page, 'eks')).toContainText(
          "exec, the way EKS signs in, would run a program on the console's server. Give the console a service account instead: kubectl -n kube-system create serviceaccount wheelhouse;",
        );
        await expect(contextOf(page, 'harbour').getByRole('checkbox')).toBeChecked();
        await expect(dialogOf(page).getByText('1 of 3 chosen')).toBeVisible();
      });

      await test.step('one context becomes one cluster', async () => {
        await nameContext(page, hands, 'harbour', named('Harbour'));
        await hands.press(dialogOf(page).getByRole('button', { name: 'Add cluster' }));
        await expect(toast(page, 'Cluster added')).toBeVisible();
        await expect(dialogOf(page)).toBeHidden();
        await expect(rowOf(page, named('Harbour'))).toContainText(/Reachable.*v1\.36\.2/s);
      });

      await test.step('several become several', async () => {
        await hands.paste(await openDialog(page, hands), text);
        await nameContext(page, hands, 'harbour', named('East'));
        await nameContext(page, hands, 'quay', named('West'));
        await hands.press(dialogOf(page).getByRole('button', { name: 'Add 2 clusters' }));
        await expect(toast(page, 'Successfully added 2 clusters')).toBeVisible();
        await expect(dialogOf(page)).toBeHidden();
        await expect(rowOf(page, named('East'))).toContainText('Reachable');
        await expect(rowOf(page, named('West'))).toContainText('Reachable');
      });

      const refused = `${named('Dead')}: ${named('Dead')} refused the connection. Is its API server running, and is the address in its kubeconfig right?`;
      await test.step('when only some can be added, the others stay with their errors', async () => {
        const field = await openDialog(page, hands);
        await hands.paste(field, text);
        await hands.tick(contextOf(page, 'harbour').getByRole('checkbox'));
        await nameContext(page, hands, 'quay', named('South'));
        await nameContext(page, hands, 'dead', named('Dead'));
        await hands.press(dialogOf(page).getByRole('button', { name: 'Add 2 clusters' }));
        await expect(toast(page, 'Successfully added 1 out of 2 clusters')).toBeVisible();
        await expect(dialogOf(page).getByRole('alert')).toHaveText(`Some clusters were not added.${refused}`);
        await expect(field).toHaveValue(text);
        await expect(contextOf(page, 'quay').getByRole('checkbox')).not.toBeChecked();
        await expect(contextOf(page, 'dead').getByLabel('Name')).toHaveValue(named('Dead'));
      });

      await test.step('when none can be added, all errors show line by line and nothing typed is lost', async () => {
        await nameContext(page, hands, 'quay', named('South'));
        await hands.press(dialogOf(page).getByRole('button', { name: 'Add 2 clusters' }));
        const taken = `${named('South')}: A cluster named "${named('South')}" already exists. Choose another name.`;
        await expect(dialogOf(page).getByRole('alert')).toHaveText(`${taken}\n${refused}`, {
          useInnerText: true,
        });
        await expect(dialogOf(page).getByLabel('Kubeconfig')).toHaveValue(text);
        await page.keyboard.press('Escape');
        await expect(dialogOf(page)).toBeHidden();
        await expect(page.getByRole('button', { name: 'Add clusters' })).toBeFocused();
      });

      await test.step('an added cluster behaves as the embedded one', async () => {
        const [embedded, added] = [
          await impressionOf(page, hands, 'playground'),
          await impressionOf(page, hands, named('Harbour')),
        ];
        expect(added).toEqual(embedded);
      });

      await test.step('its kubeconfig is replaced under the same id', async () => {
        allow(/PUT .* failed with 502/, /502 \(Bad Gateway\)/);
        await page.goto(`${app().url}/clusters`);
        const link = page.getByRole('link', { name: named('Harbour'), exact: true });
        const before = await link.getAttribute('href');
        const button = page.getByRole('button', { name: `Replace the kubeconfig of ${named('Harbour')}` });
        await hands.press(button);
        const dialog = page.getByRole('dialog', { name: `Replace the kubeconfig of ${named('Harbour')}` });
        const field = dialog.getByLabel('Kubeconfig');
        const wrong = kubeconfigOf(cluster, [
          { name: 'harbour', server: cluster.server, user: { token: 'no-such-token' } },
        ]);
        await hands.paste(field, wrong);
        await hands.press(dialog.getByRole('button', { name: 'Replace' }));
        await expect(dialog.getByRole('alert')).toContainText(named('Harbour'));
        await expect(field).toHaveValue(wrong);
        await hands.write(field, '');
        await hands.paste(field, cluster.kubeconfig);
        await hands.press(dialog.getByRole('button', { name: 'Replace' }));
        await expect(toast(page, 'Kubeconfig replaced')).toBeVisible();
        await expect(dialog).toBeHidden();
        await expect(link).toHaveAttribute('href', before ?? '');
        await expect(rowOf(page, named('Harbour'))).toContainText('Reachable');
      });

      await test.step('deleting asks first', async () => {
        for (const name of ['East', 'West', 'South'].map(named)) {
          const dialog = page.getByRole('alertdialog', { name: 'Delete cluster?' });
          const button = page.getByRole('button', { name: `Delete ${name}`, exact: true });
          await hands.press(button);
          await expect(dialog).toContainText(name);
          if (name === named('East')) {
            await hands.press(dialog.getByRole('button', { name: 'Cancel' }));
            await expect(dialog).toBeHidden();
            await expect(button).toBeFocused();
            await expect(rowOf(page, name)).toBeVisible();
            await hands.press(button);
          }
          await hands.write(dialog.getByLabel(`Type ${name} to confirm`), name);
          await hands.press(dialog.getByRole('button', { name: 'Delete cluster' }));
          await expect(toast(page, 'Cluster deleted').filter({ hasText: name })).toBeVisible();
          await expect(rowOf(page, name)).toHaveCount(0);
        }
      });

      await test.step('no credential is anywhere in the page or in what it heard', async () => {
        const kept = await page.evaluate(() =>
          [localStorage, sessionStorage].map((store) => JSON.stringify(store)).join('\n'),
        );
        const everything = [kept, await page.content(), ...(await heard())].join('\n');
        expect(everything).toContain(named('Harbour'));
        const lines = cluster.authority.split('\n').filter((line) => /^[A-Za-z0-9+/]{40,}/.test(line));
        const authority = Buffer.from(cluster.authority).toString('base64');
        for (const secret of [cluster.token, authority.slice(0, 60), ...lines.slice(1, 2)])
          expect(everything).not.toContain(secret);
      });
    },
  );
}

/** What somebody sees of a cluster's pods: headings, the broken ones, and the namespaces to choose from. */
async function impressionOf(page: Page, hands: Hands, name: string) {
  await page.goto(app().url);
  await hands.press(
    page
      .getByRole('main')
      // The cluster, not the one beside it whose name begins alike: what is in trouble stands first.
      .getByRole('link', { name: new RegExp(`^${name}(?!-)`) })
      .first(),
  );
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await hands.press(page.getByRole('main').getByRole('link', { name: 'Pods' }));
  await expect(statusLine(page)).toContainText(/^Live/);
  await hands.pick(page.getByRole('button', { name: /^Namespace: / }), 'shop');
  await expect(page).toHaveURL(/\?ns=shop/);
  await hands.write(filterField(page), 'email-worker');
  await expect(podRows(page)).toHaveCount(2);
  await expect(podRow(page, 'email-worker').first()).toContainText(/CrashLoopBackOff|Error|Running/);
  // What pods use comes after the pods.
  await expect(podsOf(page).getByRole('columnheader', { name: 'CPU used' })).toBeVisible();
  await hands.press(page.getByRole('button', { name: 'Namespace: shop' }));
  const namespaces = await page.getByRole('option').allInnerTexts();
  await page.keyboard.press('Escape');
  return { headings: await podsOf(page).getByRole('columnheader').allInnerTexts(), namespaces };
}

/** Collects every API answer and every live message that reaches a page. */
function listen(page: Page): () => Promise<string[]> {
  const texts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.startsWith('/api/')) return;
    const headers = JSON.stringify(response.headers());
    texts.push(
      response.text().then(
        (body) => `${headers}\n${body}`,
        () => headers,
      ),
    );
  });
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => texts.push(Promise.resolve(String(payload))));
  });
  return () => Promise.all(texts);
}

test('a dropped file is read like a pasted text, also one that is chosen', async ({
  page,
  context,
  allow,
}) => {
  allow(/400 \(Bad Request\)/, /contexts failed with 400/);
  await app().enter(context);
  await page.goto(`${app().url}/clusters`);
  await expect(page.getByRole('button', { name: 'Add clusters' })).toBeVisible();
  const dropped = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'config', { type: 'text/plain' }));
    return transfer;
  }, manyContexts());
  const table = page.getByRole('table');
  await table.dispatchEvent('dragover', { dataTransfer: dropped });
  await table.dispatchEvent('drop', { dataTransfer: dropped });
  await expect(dialogOf(page).getByLabel('Kubeconfig')).toHaveValue(manyContexts());
  await expect(contextOf(page, 'harbour')).toBeVisible();
  await page.keyboard.press('Escape');

  const field = await openDialog(page, pointer(page));
  const chooser = page.waitForEvent('filechooser');
  await dialogOf(page).getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(cluster.kubeconfigFile);
  await expect(field).toHaveValue(cluster.kubeconfig);
  await expect(contextOf(page, 'harbour').getByRole('checkbox')).toBeChecked();

  await field.fill('a: [broken');
  await expect(dialogOf(page).getByRole('alert')).toContainText('The kubeconfig');
  await expect(field).toHaveValue('a: [broken');
  await expect(dialogOf(page).getByRole('button', { name: 'Add cluster' })).toBeDisabled();
});

test('an address of an unknown cluster leads home', async ({ page, context }) => {
  await app().enter(context);
  for (const path of ['/clusters/999999', '/clusters/999999/pods', '/clusters/none/pods']) {
    await page.goto(app().url + path);
    await expect(page).toHaveURL(`${app().url}/`);
    await expect(page.getByRole('heading', { name: 'Clusters', level: 2 })).toBeVisible();
  }
});

test.describe('where no loopback address is allowed', () => {
  let strict: App;
  test.beforeAll(async () => {
    strict = await startApp({ WHEELHOUSE_PLAYGROUND: 'off' });
  });
  test.afterAll(() => strict.product.remove());

  for (const { by, it } of eachHand) {
    it(`the dialog says what to do (${by})`, async ({ page, context, hands }) => {
      await strict.enter(context);
      await page.goto(`${strict.url}/clusters`);
      await expect(page.getByRole('heading', { name: 'No cluster yet' })).toBeVisible();
      const field = await openDialog(page, hands);
      await hands.paste(field, cluster.kubeconfig);
      await expect(contextOf(page, 'harbour').getByRole('checkbox')).toBeDisabled();
      await expect(contextOf(page, 'harbour')).toContainText(
        /127\.0\.0\.1 is .+: only the console's own machine answers there, as kind and minikube do\. The operator can start the console with npm start -- --kubeconfig FILE, or list the address in WHEELHOUSE_ALLOW_CIDRS\./,
      );
      await expect(dialogOf(page).getByRole('button', { name: 'Add cluster' })).toBeDisabled();
      await expect(field).toHaveValue(cluster.kubeconfig);
    });
  }
});
