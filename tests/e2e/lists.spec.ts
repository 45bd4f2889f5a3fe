import type { Page } from 'playwright/test';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { arrowTo, type Hands, tabTo } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { filterField, gridOf, headingOf, nameLink, plainCell, rowOf, rowsOf, statusLine } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

// Long walks by Tab: on a machine with much other work they take four times as long.
const title = 'Deployments';

/** A line that assistive technology hears when it changes. */
const said = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text });
const heading = (page: Page, name: string) =>
  gridOf(page, title).getByRole('columnheader', { name: new RegExp(`^${name}( |$)`) });
/** Expects these deployments, from top to bottom; `buoy-1` is written 1. */
const expectOrder = (page: Page, ...numbers: readonly number[]) =>
  expect(rowsOf(page, title)).toHaveText(numbers.map((number) => new RegExp(`buoy-${number}`)));

/** Replaces the filter the way these hands do, and goes back to the rows. */
async function filter(page: Page, hands: Hands, text: string): Promise<void> {
  if (hands.name === 'pointer') return await filterField(page).fill(text);
  await page.keyboard.press('/');
  await expect(filterField(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await expect(gridOf(page, title)).toBeFocused();
}

/** Turns entries of the menu of columns, and closes it. */
async function turnColumns(page: Page, hands: Hands, ...names: readonly string[]): Promise<void> {
  const button = page.getByRole('button', { name: 'Columns' });
  await hands.press(button);
  for (const name of names) {
    const item = page.getByRole('menuitemcheckbox', { name });
    await expect(item).toBeVisible();
    if (hands.name === 'pointer') {
      await item.click();
      continue;
    }
    await arrowTo(item);
    await page.keyboard.press('Space');
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  if (hands.name === 'keyboard') await expect(button).toBeFocused();
}

for (const { by, it } of eachHand) {
  it(`rows are found by what they are, shown as wanted, and hold still (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const isKeyboard = hands.name === 'keyboard';
    const { cluster, url } = harbour();
    const namespace = `mole-${hands.name}`;
    await app().enter(context);
    await page.goto(url(`/deployments?ns=${namespace}`));

    await test.step('a list in a namespace that is not there says so; an empty one too, and fills by itself', async () => {
      await expect(page.getByRole('heading', { name: `Namespace not found: ${namespace}` })).toBeVisible();
      await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
      await expect(page.getByRole('heading', { name: `No deployments in ${namespace}` })).toBeVisible();
      const berths = [{ berth: 'seven' }, { berth: 'eight' }, {}];
      for (const [index, labels] of berths.entries()) {
        const wanted = { labels, replicas: index + 1 };
        await cluster.call('POST', deploymentsIn(namespace), deploymentOf(`buoy-${index + 1}`, wanted));
      }
      await expect(said(page, /^3 deployments$/)).toHaveCount(1);
      for (const ready of ['1/1', '2/2', '3/3'])
        await expect(rowsOf(page, title).filter({ hasText: ready })).toBeVisible();
    });

    await test.step('by label, by status, and by what they are not', async () => {
      const found: readonly (readonly [string, ...number[]])[] = [
        ['label:berth=seven', 1],
        ['label:berth', 1, 2],
        ['label:berth=e*', 2],
        ['!label:berth', 3],
        ['status:available buoy-2', 2],
        ['!status:available'],
        ['name:*-3', 3],
      ];
      for (const [text, ...numbers] of found) {
        if (isKeyboard && numbers.length === 0) continue;
        await filter(page, hands, text);
        if (numbers.length > 0) await expectOrder(page, ...numbers);
        else await expect(page.getByRole('heading', { name: /^No deployment matches/ })).toBeVisible();
        await expect(said(page, new RegExp(`^${numbers.length} of 3$`))).toHaveCount(1);
      }
      if (isKeyboard) await page.keyboard.press('Escape');
      else await page.getByRole('button', { name: 'Clear filter' }).first().click();
      await expectOrder(page, 1, 2, 3);
    });

    await test.step('as wide as wanted, with the columns that are wanted, also tomorrow', async () => {
      await expect(heading(page, 'Strategy')).toHaveCount(0);
      if (isKeyboard) {
        await page.keyboard.press('w');
        await page.keyboard.press('w');
      } else await turnColumns(page, hands, 'Wide table');
      await expect(heading(page, 'Strategy')).toBeVisible();
      await turnColumns(page, hands, 'Wide table', 'Images', 'Strategy');
      await expect(heading(page, 'Images')).toHaveCount(0);
      await expect(heading(page, 'Strategy')).toBeVisible();
      await page.reload();
      await expect(statusLine(page)).toContainText(/^Live/);
      await expect(heading(page, 'Strategy')).toBeVisible();
      await expect(heading(page, 'Images')).toHaveCount(0);
    });

    await test.step('selected one by one, in a row, and all together', async () => {
      const selected = gridOf(page, title).locator('[role=row][aria-selected=true]');
      const count = (number: number) => said(page, new RegExp(`^${number} selected$`));
      if (isKeyboard) {
        await page.keyboard.press('Shift+ArrowDown');
        await page.keyboard.press('Shift+ArrowDown');
        await expect(selected).toHaveCount(3);
        await page.keyboard.press('Shift+ArrowUp');
        await expect(selected).toHaveCount(2);
        await page.keyboard.press('Escape');
        await expect(selected).toHaveCount(0);
        await page.keyboard.press('k');
        await page.keyboard.press('Space');
        await page.keyboard.press('j');
        await page.keyboard.press('Shift+Space');
      } else {
        await rowOf(page, title, 'buoy-1').getByRole('checkbox').click();
        await expect(selected).toHaveCount(1);
        await plainCell(rowOf(page, title, 'buoy-2')).click({ modifiers: ['Shift'] });
      }
      await expect(selected).toHaveCount(2);
      await expect(count(2)).toBeVisible();
      if (isKeyboard) await page.keyboard.press('ControlOrMeta+a');
      else await page.getByRole('checkbox', { name: 'Select all rows' }).click();
      await expect(count(3)).toBeVisible();
      if (isKeyboard) await page.keyboard.press('Escape');
      else await page.getByRole('button', { name: 'Clear the selection' }).click();
      await expect(selected).toHaveCount(0);
    });

    await test.step('the order holds while somebody is in the list', async () => {
      await page.goto(url(`/deployments?ns=${namespace}&sort=-available`));
      await expectOrder(page, 3, 2, 1);
      if (isKeyboard) await tabTo(gridOf(page, title));
      else await rowOf(page, title, 'buoy-1').hover();
      await cluster.call('PATCH', deploymentsIn(namespace, 'buoy-1'), { spec: { replicas: 5 } });
      await expect(rowsOf(page, title).filter({ hasText: '5/5' })).toBeVisible();
      await expectOrder(page, 3, 2, 1);
      const moved = page.getByRole('button', { name: /^\d rows? moved$/ });
      await expect(moved).toBeVisible();
      if (isKeyboard) await page.keyboard.press('o');
      // On its way to what says so, the pointer leaves the list: then nothing is held any more.
      else await page.mouse.move(0, 0);
      await expectOrder(page, 1, 3, 2);
      await expect(moved).toHaveCount(0);
    });

    await test.step('pods by their node', async () => {
      await page.goto(url('/pods?q=node:worker-a1'));
      await expect(said(page, /^\d+ of \d+$/)).toHaveCount(1);
      await expect(rowsOf(page, 'Pods').first()).toContainText('worker-a1');
      await expect(rowsOf(page, 'Pods').filter({ hasNotText: 'worker-a1' })).toHaveCount(0);
    });
  });

  it(`a name opens its object, and the rest of a row only moves the cursor (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const isKeyboard = hands.name === 'keyboard';
    await app().enter(context);
    const list = harbour().url('/pods?q=coredns');
    await page.goto(list);
    const rows = rowsOf(page, 'Pods');
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toHaveAttribute('aria-current', 'true');
    const row = rows.last();
    const name = (await row.getByRole('link', { name: /^coredns-/ }).textContent()) ?? '';
    const podName = /^coredns-[a-z0-9]+-[a-z0-9]{5}/.exec(name)?.[0] ?? '';
    const path = new URL(harbour().url(`/namespaces/kube-system/pods/${podName}`)).pathname;
    const link = nameLink(row, podName);
    await expect(link).toHaveAttribute('href', path);
    const node = row.getByRole('link', { name: /^worker-/ });
    const nodeName = (await node.textContent()) ?? '';

    await test.step('beside its links a row takes the cursor', async () => {
      if (isKeyboard) {
        await tabTo(gridOf(page, 'Pods'));
        await page.keyboard.press('j');
      } else await plainCell(row).click();
      await expect(row).toHaveAttribute('aria-current', 'true');
      await expect(page).toHaveURL(list);
      // The links of rows are no stops on the way by Tab.
      expect(await gridOf(page, 'Pods').locator('a:not([tabindex="-1"])').count()).toBe(0);
    });

    if (!isKeyboard) {
      await test.step('with a modifier or the middle button the browser opens a tab of its own', async () => {
        const clicks = [
          () => link.click({ modifiers: ['ControlOrMeta'] }),
          () => link.click({ button: 'middle' }),
        ];
        for (const click of clicks) {
          const opened = context.waitForEvent('page');
          await click();
          await expect(headingOf(await opened, podName)).toBeVisible();
          await (await opened).close();
        }
        await expect(page).toHaveURL(list);
        await expect(gridOf(page, 'Pods').locator('[aria-selected=true]')).toHaveCount(0);
        // What was clicked does not keep the keys.
        await page.keyboard.press('k');
        await expect(rows.first()).toHaveAttribute('aria-current', 'true');
        await page.keyboard.press('j');
      });
    }

    await test.step('its node is a link, and an entry of what can be done with the row', async () => {
      if (isKeyboard) {
        await page.keyboard.press('ControlOrMeta+k');
        const entry = page.getByRole('option', { name: new RegExp(`^Open Node ${nodeName}`) });
        await expect(entry).toBeAttached();
        for (let at = 0; at < 40 && (await entry.getAttribute('aria-selected')) !== 'true'; at += 1)
          await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      } else await node.click();
      await expect(headingOf(page, nodeName)).toBeVisible();
      await page.goBack();
      await expect(row).toHaveAttribute('aria-current', 'true');
    });

    await test.step('its name opens it', async () => {
      if (isKeyboard) await page.keyboard.press('Enter');
      else await link.click();
      await expect(headingOf(page, podName)).toBeVisible();
      await expect(page).toHaveURL(harbour().url(`/namespaces/kube-system/pods/${podName}`));
    });
  });

  it(`a filter is completed, explained, and taken apart (${by})`, async ({ page, context, hands }) => {
    const isKeyboard = hands.name === 'keyboard';
    await app().enter(context);
    await page.goto(harbour().url('/pods'));
    await expect(statusLine(page)).toContainText(/^Live/);
    const field = filterField(page);
    const offered = page.getByRole('option');
    if (isKeyboard) {
      await tabTo(gridOf(page, 'Pods'));
      await page.keyboard.press('/');
      await expect(field).toBeFocused();
    } else await field.click();
    await expect(field).toHaveAccessibleDescription(/^Words, or a column/);

    const hints = page.locator('[data-status-line]');
    await expect(hints).toContainText('to the rows');
    await expect(hints).not.toContainText('split');

    await test.step('the name of a column, then one of its values', async () => {
      await page.keyboard.type('nod');
      await expect(offered.filter({ hasText: 'node:' })).toBeVisible();
      if (isKeyboard) await page.keyboard.press('Tab');
      else await offered.filter({ hasText: 'node:' }).click();
      await expect(field).toHaveValue('node:');
      await page.keyboard.type('a1');
      if (isKeyboard) {
        await page.keyboard.press('ArrowDown');
        await expect(offered.first()).toHaveAttribute('aria-selected', 'true');
        await page.keyboard.press('Enter');
      } else await offered.first().click();
      await expect(field).toHaveValue('node:worker-a1 ');
      await expect(field).toBeFocused();
      await page.keyboard.type('restarts<1');
      await page.keyboard.press('Enter');
      await expect(gridOf(page, 'Pods')).toBeFocused();
      await expect(rowsOf(page, 'Pods').first()).toContainText('worker-a1');
      await expect(rowsOf(page, 'Pods').filter({ hasNotText: 'worker-a1' })).toHaveCount(0);
      await expect(page).toHaveURL(/\?filter=node(:|%3A)worker-a1(\+|%20)restarts(<|%3C)1$/);
    });

    await test.step('its terms are taken away one by one', async () => {
      await hands.press(page.getByRole('button', { name: 'Remove node:worker-a1' }));
      await expect(field).toHaveValue('restarts<1');
      const last = page.getByRole('button', { name: 'Remove restarts<1' });
      if (isKeyboard) {
        await expect(last).toBeFocused();
        await page.keyboard.press('Enter');
      } else await last.click();
      await expect(field).toHaveValue('');
      await expect(field).toBeFocused();
    });

    await test.step('a question mark explains it, and what cannot be read is said', async () => {
      await page.keyboard.type('?');
      const help = page.getByRole('dialog', { name: 'Filter pods' });
      await expect(help).toContainText('restarts>100');
      await expect(hints).toContainText('close');
      await page.keyboard.press('Escape');
      await expect(help).toHaveCount(0);
      await expect(field).toBeFocused();
      await expect(field).toHaveValue('');
      await page.keyboard.type('foo:bar');
      await expect(
        said(
          page,
          /^There is no column “foo”\. “foo:bar” is searched as text\. The columns are .*\bname\b.*\.$/,
        ),
      ).toBeAttached();
      await field.fill('/^(coredns|cart)-/ age>1s');
      await expect(rowsOf(page, 'Pods').first()).toContainText(/coredns|cart/);
      await expect(rowsOf(page, 'Pods').filter({ hasNotText: /coredns|cart/ })).toHaveCount(0);
      await field.fill('/(/');
      await expect(
        said(page, /^The regular expression \/\(\/ cannot be read: missing closing \)\.$/),
      ).toBeAttached();
      await expect(rowsOf(page, 'Pods')).toHaveCount(0);
    });
  });
}
