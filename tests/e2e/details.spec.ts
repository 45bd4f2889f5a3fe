import type { Locator, Page } from 'playwright/test';
import { parse } from 'yaml';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { editorText, type Hands, tabTo } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { specified } from '../web/create-spec.ts';
import {
  dialogOf,
  filterField,
  gridOf,
  headingOf,
  nameLink,
  rowOf,
  rowsOf,
  sectionOf,
  statusLine,
} from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

/** Opens an object from the list on screen the way these hands do. */
async function openFromList(page: Page, hands: Hands, title: string, name: string): Promise<void> {
  if (hands.name === 'pointer') {
    await nameLink(rowOf(page, title, name), name).click();
  } else {
    await page.keyboard.press('/');
    await expect(filterField(page)).toBeFocused();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await expect(gridOf(page, title)).toBeFocused();
    await expect(rowsOf(page, title)).toHaveCount(1);
    await page.keyboard.press('Enter');
  }
  await expect(headingOf(page, name)).toBeVisible();
  await expect(statusLine(page)).toContainText(/^Live/);
}

/** Follows a link to an object and waits for its page. */
async function follow(page: Page, hands: Hands, link: Locator): Promise<string> {
  const name = (await link.textContent()) ?? '';
  const path = (await link.getAttribute('href')) ?? '';
  await hands.press(link);
  await expect(page).toHaveURL(new RegExp(`${path.replaceAll('.', '\\.')}$`));
  await expect(headingOf(page, path.split('/').at(-1) ?? '')).toBeVisible();
  return name;
}

/** What was last copied, as an object. */
const copied = async (page: Page): Promise<unknown> =>
  parse(await page.evaluate(() => navigator.clipboard.readText()));

for (const { by, it } of eachHand) {
  it(`a question about an object is answered by rules, with evidence that opens beside (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await app().enter(context);
    await page.goto(harbour().url('/deployments'));
    await expect(statusLine(page)).toContainText(/^Live/);
    await openFromList(page, hands, 'Deployments', 'image-proxy');
    if (hands.name === 'keyboard') {
      // Asked in two keys.
      await page.keyboard.press('Shift+Q');
      await expect(page.getByRole('textbox', { name: 'Question' })).toBeFocused();
      await page.keyboard.press('Enter');
    } else {
      await page.getByRole('link', { name: 'AI Chat' }).click();
      await hands.write(page.getByRole('textbox', { name: 'Question' }), 'What is wrong with image-proxy?');
      await hands.press(page.getByRole('button', { name: 'Ask', exact: true }));
    }
    const answer = page.getByRole('list', { name: 'Questions and answers' });
    await expect(answer.getByRole('heading', { name: 'What is wrong with image-proxy?' })).toBeVisible();
    await expect(answer).toContainText('not from a model');
    await expect(answer).toContainText('1.10.0-missing');
    const evidence = answer.getByRole('list', { name: 'Evidence' }).first().getByRole('button').first();
    await hands.press(evidence);
    await expect(page.getByRole('heading', { level: 1, name: /^image-proxy-/ })).toBeVisible();
    await expect(answer).toBeVisible();
  });
}

for (const { by, it } of eachHand) {
  it(`a broken deployment says its cause first, and leads on to all it is made of (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await app().enter(context);
    await page.goto(harbour().url('/deployments'));
    await expect(statusLine(page)).toContainText(/^Live/);
    await openFromList(page, hands, 'Deployments', 'image-proxy');

    await test.step('why, as the rules see it, with evidence', async () => {
      const why = page.getByRole('tabpanel').locator('[data-part=detail] > *').first();
      await expect(why.getByRole('heading', { name: 'Why' })).toBeVisible();
      await expect(why).toContainText(
        /The image \S+:1\.10\.0-missing of container image-proxy does not exist/,
      );
      await expect(why.getByRole('listitem').getByText('spec.containers[0].image').first()).toBeVisible();
    });

    await test.step('the cause, in the words of the cluster, then what follows from it', async () => {
      const first = page.getByRole('tabpanel').locator('[data-part=detail] > *').nth(1);
      await expect(first.getByRole('status').first()).toContainText(
        'The image of container image-proxy cannot be pulled.',
      );
      await expect(first.getByRole('status').first()).toContainText('1.10.0-missing: not found');
      await expect(first.getByRole('status').nth(1)).toContainText('no progress before its deadline');
      await expect(first.getByRole('button', { name: 'Roll back…' }).first()).toBeEnabled();
    });

    await test.step('its sections', async () => {
      await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
        /^Why/,
        /^Usage/,
        /^Rollout/,
        /^Spec/,
        /^Conditions/,
        /^Containers/,
        /^Pods/,
        /^ReplicaSets/,
        /^Metadata/,
        /^Events/,
      ]);
      await expect(sectionOf(page, 'Conditions').getByRole('row').nth(1)).toContainText(
        'ProgressDeadlineExceeded',
      );
      await expect(sectionOf(page, 'Pods').getByRole('row').nth(1)).toContainText('ImagePullBackOff');
    });

    await test.step('down: its ReplicaSet, a pod of it, the node of the pod', async () => {
      await follow(page, hands, sectionOf(page, 'ReplicaSets').getByRole('link').first());
      await expect(sectionOf(page, 'Metadata')).toContainText('Deployment image-proxy');
      await follow(page, hands, sectionOf(page, 'Pods').getByRole('link').first());
      await expect(sectionOf(page, 'Containers')).toContainText('ImagePullBackOff');
      await expect(sectionOf(page, 'Events')).toContainText('1.10.0-missing');
      await follow(page, hands, sectionOf(page, 'Uses').getByRole('link', { name: /^worker-/ }));
      await expect(sectionOf(page, 'Capacity')).toContainText('Memory');
      await expect(sectionOf(page, 'Conditions')).toContainText('KubeletReady');
    });

    await test.step('up again: from the node to the pod, its owner, and the owner of that', async () => {
      await follow(
        page,
        hands,
        sectionOf(page, 'Pods')
          .getByRole('link', { name: /^image-proxy-/ })
          .first(),
      );
      await follow(page, hands, sectionOf(page, 'Metadata').getByRole('link', { name: /^image-proxy-/ }));
      await follow(page, hands, sectionOf(page, 'Metadata').getByRole('link', { name: 'image-proxy' }));
      await expect(page).toHaveURL(/\/namespaces\/shop\/deployments\/image-proxy$/);
    });

    await test.step('its YAML is read, and copied with and without its status', async () => {
      if (hands.name === 'keyboard') await page.keyboard.press('y');
      else await page.getByRole('button', { name: 'YAML', exact: true }).click();
      await expect(page).toHaveURL(/\?view=yaml$/);
      const text = page.getByLabel('YAML of image-proxy');
      await expect(text).toContainText('kind: Deployment');
      await expect(text).not.toContainText('managedFields');
      const copy = page.getByRole('button', { name: 'Copy', exact: false });
      await hands.press(copy);
      await expect(copy.getByRole('status')).toHaveText('copied');
      expect(await copied(page)).toMatchObject({
        kind: 'Deployment',
        metadata: { name: 'image-proxy', namespace: 'shop' },
        status: { observedGeneration: expect.any(Number) },
      });
      await hands.tick(page.getByRole('checkbox', { name: 'Status' }));
      await expect(text).not.toContainText('observedGeneration');
      await hands.press(copy);
      await expect.poll(() => copied(page)).not.toHaveProperty('status');
      await hands.press(page.getByRole('button', { name: 'Overview' }));
      await expect(sectionOf(page, 'Spec')).toBeVisible();
    });

    await test.step('one key on a row asks why', async () => {
      await page.goto(harbour().url('/deployments?q=image-proxy'));
      await expect(rowsOf(page, 'Deployments')).toHaveCount(1);
      await gridOf(page, 'Deployments').focus();
      await page.keyboard.press('!');
      await expect(page).toHaveURL(/\/image-proxy\?view=why$/);
      await expect(sectionOf(page, 'Why found by rules')).toContainText('does not exist in its registry');
    });

    await test.step('a Secret that is missing is created from there, with the key that is asked for', async () => {
      const { cluster, url } = harbour();
      const name = `mooring-${hands.name}`;
      const secret = `${name}-database`;
      const env = [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: secret, key: 'password' } } }];
      await cluster.call('POST', '/api/v1/namespaces/shop/pods', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { containers: [{ name: 'app', image: 'registry.example.org/app:1.0.0', env }] },
      });
      await page.goto(url(`/namespaces/shop/pods/${name}`));
      const why = sectionOf(page, 'Why found by rules');
      await hands.press(why.getByRole('button', { name: `Create Secret ${secret}`, exact: true }));
      const dialog = dialogOf(page, specified.title);
      const text = dialog.getByRole('textbox', { name: 'YAML of the resource' });
      await expect
        .poll(async () => parse(await editorText(text)) as unknown)
        .toEqual({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: secret, namespace: 'shop' },
          type: 'Opaque',
          stringData: { password: '' },
        });
      await hands.press(dialog.getByRole('button', { name: specified.create, exact: true }));
      await expect(dialog).toBeHidden();
      expect(await cluster.call('GET', `/api/v1/namespaces/shop/secrets/${secret}`)).toMatchObject({
        type: 'Opaque',
        data: { password: '' },
      });
      // The container starts with it, and there is no cause any more.
      await expect(why).toBeHidden();
    });
  });

  it(`a detail follows its object, and says when it is gone (${by})`, async ({ page, context, hands }) => {
    const { cluster, url } = harbour();
    const namespace = `quay-${hands.name}`;
    const path = deploymentsIn(namespace, 'tide');
    await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    await cluster.call('POST', deploymentsIn(namespace), deploymentOf('tide'));
    await app().enter(context);
    await page.goto(url(`/namespaces/${namespace}/deployments/tide`));
    await expect(headingOf(page, 'tide')).toBeVisible();
    await page.evaluate(() => document.documentElement.setAttribute('data-marked', ''));

    await test.step('what others change shows without a reload', async () => {
      await cluster.call('PATCH', path, { spec: { replicas: 2 }, metadata: { labels: { moored: 'yes' } } });
      await expect(sectionOf(page, 'Metadata')).toContainText('moored=yes');
      await expect(sectionOf(page, 'Pods').getByRole('link', { name: /^tide-/ })).toHaveCount(2);
      await expect(sectionOf(page, 'Events')).toContainText('ScalingReplicaSet');
      await expect(sectionOf(page, 'Events')).toContainText('from 1 to 2');
    });

    await test.step('the row of the link that has the focus is marked as a whole', async () => {
      const named = page.getByRole('link', { name: /^tide-/ });
      const row = sectionOf(page, 'Pods').getByRole('row').filter({ has: named }).first();
      await expect(row).not.toHaveCSS('outline-style', 'solid');
      await tabTo(row.getByRole('link', { name: /^tide-/ }));
      await expect(row).toHaveCSS('outline-style', 'solid');
    });

    await test.step('in its YAML as well', async () => {
      await hands.press(page.getByRole('button', { name: 'YAML', exact: true }));
      const text = page.getByLabel('YAML of tide');
      await expect(text).toContainText('moored: ');
      await cluster.call('PATCH', path, { metadata: { labels: { moored: null, berth: 'seven' } } });
      await expect(text).toContainText('berth: seven');
      await expect(text).not.toContainText('moored');
    });

    await test.step('its end is said, with what it was last', async () => {
      await cluster.call('DELETE', path);
      await expect(headingOf(page, `Deployment ${namespace}/tide was deleted`)).toBeVisible();
      await expect(page.getByLabel('Last YAML of tide')).toContainText('berth: seven');
      await expect(page.getByRole('status').getByRole('list')).toContainText(['ScalingReplicaSet']);
      await expect(page.getByText(/Seen at \d\d:\d\d:\d\d/)).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.hasAttribute('data-marked'))).toBe(true);
    });

    await test.step('and the way on is its list', async () => {
      await hands.press(page.getByRole('link', { name: 'Show all deployments' }));
      await expect(page).toHaveURL(url('/deployments'));
      await expect(statusLine(page)).toContainText(/^Live/);
      await expect(rowOf(page, 'Deployments', 'tide')).toHaveCount(0);
    });

    await test.step('an object that never was is no object that went', async () => {
      await page.goto(url(`/namespaces/${namespace}/deployments/flotsam`));
      await expect(headingOf(page, `There is no Deployment ${namespace}/flotsam in harbour`)).toBeVisible();
      const dead = page.getByRole('tab', { name: 'flotsam, not there' });
      await expect(dead).toHaveAttribute('aria-selected', 'true');
      if (hands.name === 'keyboard') await page.keyboard.press('Escape');
      else await page.getByRole('button', { name: /^Close tab/ }).click();
      await expect(dead).toHaveCount(0);
      await expect(statusLine(page)).toContainText(/^Live/);
    });
  });
}

test('a very long object is drawn only where it is looked at, and copied whole', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const count = 15_000;
  const tale = `${Array.from({ length: count }, (_, index) => `line ${index}`).join('\n')}\n`;
  await harbour().cluster.call('POST', '/api/v1/namespaces/shop/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'tale', namespace: 'shop' },
    data: { tale },
  });
  await app().enter(context);
  await page.goto(harbour().url('/namespaces/shop/objects/core/configmaps/tale?view=yaml'));
  const text = page.getByLabel('YAML of tale');
  await expect(text).toContainText('kind: ConfigMap');
  await expect(text).toHaveAccessibleDescription(/^15,0\d\d lines: only those in view are rendered/);
  expect(await text.locator('code').count()).toBeLessThan(200);

  await test.step('the last lines stand at the end, and the first come back', async () => {
    await text.focus();
    await page.keyboard.press('End');
    await expect(text.getByText(`line ${count - 1}`, { exact: true })).toBeInViewport();
    await expect(text).not.toContainText('kind: ConfigMap');
    await page.keyboard.press('Home');
    await expect(text.getByText('ConfigMap')).toBeInViewport();
  });

  await test.step('a block folds away', async () => {
    await text
      .getByRole('button', { name: /^Fold line/ })
      .last()
      .click();
    await expect(text).toContainText(`… ${count} lines`);
    await expect(text).not.toContainText('line 0');
  });

  await page.getByRole('button', { name: 'Copy', exact: false }).click();
  await expect.poll(() => copied(page)).toMatchObject({ data: { tale } });
});
