import { expectAccessible } from './axe.ts';
import { sharedCluster } from './cluster.ts';
import { armed, pauseTyping, tabTo } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf, headingOf } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

for (const { by, it } of eachHand) {
  it(`a pod is looked into: its usage, then a shell that is typed in, ends and is started again (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const isKeyboard = hands.name === 'keyboard';
    const { cluster, url } = harbour();
    const [pod = ''] = await cluster.podNames('shop', 'checkout-');
    await app().enter(context);
    await page.goto(url(`/namespaces/shop/pods/${pod}`));
    await expect(headingOf(page, pod)).toBeVisible();

    await test.step('what it uses is drawn, and told in words and figures', async () => {
      const usage = page.getByRole('region', { name: 'Usage' });
      const chart = usage.getByRole('slider', { name: 'CPU over time' });
      await expect(chart).toHaveAttribute('aria-valuetext', /^CPU: .+ cores? now/);
      await hands.press(usage.getByRole('button', { name: '1 h' }));
      await expect(usage.getByText(/^Hatched: not sampled \d\d:\d\d–\d\d:\d\d/).first()).toBeVisible();
      const read = (key: string) =>
        isKeyboard ? chart.press(key) : chart.hover({ position: { x: 9, y: 9 } });
      await read('Home');
      await expect(chart).toHaveAttribute('aria-valuetext', /^Not sampled /);
      await expect(usage.getByText(/^Not sampled /).first()).toBeVisible();
      await expect(usage.getByText(/^Memory: .+ now, \d+% of the request/)).toBeVisible();
      await hands.press(usage.getByText('Figures'));
      await expect(usage.getByRole('table').getByRole('row')).not.toHaveCount(0);
      await page.reload();
      await expect(usage.getByRole('button', { name: '1 h' })).toHaveAttribute('aria-pressed', 'true', {
        timeout: 30_000,
      });
    });

    const shown = page.locator('.xterm-rows');
    const typed = page.locator('.xterm-helper-textarea');
    await test.step('a shell opens with the keys in it', async () => {
      if (isKeyboard) await page.keyboard.press('s');
      else await page.getByRole('button', { name: 'Shell', exact: true }).click();
      await expect(page).toHaveURL(/\?view=shell$/);
      await expect(page.getByRole('status').filter({ hasText: /^Running (ba)?sh$/ })).toBeVisible();
      await expect(typed).toBeFocused();
      if (isKeyboard) {
        // Text that goes on from where the focus was before is no command in the container.
        for (const key of ['Control+Shift+Space', '?']) await page.keyboard.press(key);
        await expect(page.getByRole('dialog')).toBeVisible();
        await page.keyboard.press('Escape');
        await page.keyboard.type('ervice\n');
        await expect(page.getByRole('dialog')).toBeHidden();
        await expect(typed).toBeFocused();
        await pauseTyping(page);
      }
      // Not one of these is a key of the console's.
      await page.keyboard.type('hostname; echo l-g-d-x\n');
      await expect(shown).toContainText('l-g-d-x');
      await expect(shown).not.toContainText('ervice');
      await expect(shown).toContainText(pod);
      await expect(shown).toContainText('l-g-d-x');
      await expect(page).toHaveURL(/\?view=shell$/);
    });

    await test.step('one key gives the next to the console', async () => {
      await page.keyboard.press('Control+Shift+Space');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    });

    await test.step('its end is said, and another is a press away', async () => {
      if (isKeyboard) await expect(typed).toBeFocused();
      else await page.locator('.xterm-screen').click();
      await page.keyboard.type('exit 3\n');
      await expect(page.getByText('The shell ended with code 3.')).toBeVisible();
      const again = page.getByRole('button', { name: 'Start again' });
      await expect(again).toBeFocused();
      if (isKeyboard) {
        await page.keyboard.type('ld');
        await page.keyboard.press('Escape');
        await expect(page, 'letters went nowhere, and Esc led back').toHaveURL(new RegExp(`/pods/${pod}$`));
        await page.keyboard.press(']');
        await expect(again).toBeVisible();
        await again.focus();
        await pauseTyping(page);
      }
      if (isKeyboard) await page.keyboard.press('Enter');
      else await again.click();
      await expect(page.getByRole('status').filter({ hasText: /^Running/ })).toBeVisible();
      await expect(typed).toBeFocused();
      await pauseTyping(page);
      await page.keyboard.type('echo once more\n');
      await expect(shown).toContainText('once more');
    });

    await test.step('closing its tab asks first', async () => {
      const asked = dialogOf(page, 'Close this tab?');
      const close = async () => {
        if (isKeyboard) for (const key of ['Control+Shift+Space', 'x']) await page.keyboard.press(key);
        else await page.getByRole('tab', { selected: true }).locator('[data-part=close]').click();
        await expect(asked).toContainText(`Shell ${pod}: an open terminal`);
      };
      await close();
      await hands.press(asked.getByRole('button', { name: 'Keep' }));
      await expect(asked).toBeHidden();
      // A press on the tab has taken the keys out of the terminal; they go back to where they were.
      await expect(isKeyboard ? typed : page.getByRole('tab', { selected: true })).toBeFocused();
      await close();
      await hands.press(asked.getByRole('button', { name: 'Close anyway' }));
      await expect(page.getByRole('tab', { name: /^Shell/ })).toHaveCount(0);
    });

    await test.step('a stray letter does not attach to a process', async () => {
      // A button of the page turns its own tab into the shell, which is gone now; a key opens another beside it.
      if (!isKeyboard) await page.goto(url(`/namespaces/shop/pods/${pod}`));
      await expect(headingOf(page, pod)).toBeVisible();
      if (isKeyboard) await page.keyboard.press('a');
      else await page.getByRole('button', { name: 'Attach', exact: true }).click();
      const go = page.getByRole('tabpanel').getByRole('button', { name: 'Attach', exact: true }).last();
      await expect(page.getByRole('heading', { name: 'Attach to a running process?' })).toBeVisible();
      await expect(go).toBeFocused();
      if (isKeyboard) {
        await page.keyboard.type('b\n');
        await expect(go, 'Enter at the end of a text attaches to nothing').toBeFocused();
        await pauseTyping(page);
      }
      await hands.press(go);
      await expect(page.getByRole('status').filter({ hasText: /^Attached$/ })).toBeVisible();
    });

    await test.step('where shells are recorded a banner says so, and an Owner replays what it showed', async () => {
      const record = async (isShellRecorded: boolean) =>
        await app().client.call('saveGlobalSettings', {
          params: { clusterId: harbour().id },
          body: { isProtected: false, isReadOnly: false, isShellAllowed: true, isShellRecorded },
        });
      await record(true);
      // The one that was attached to is not recorded.
      await expect(page.getByRole('alert')).toContainText('are recorded from now on');
      await page.goto(url(`/namespaces/shop/pods/${pod}?view=shell`));
      await expect(page.getByRole('status').filter({ hasText: /^This shell is recorded/ })).toBeVisible();
      await expect(page.getByRole('status').filter({ hasText: /^Running/ })).toBeVisible();
      await page.keyboard.type(`echo kept-${hands.name}; exit`);
      await expect(shown).toContainText(`echo kept-${hands.name}; exit`);
      await page.keyboard.press('Enter');
      await expect(page.getByText('The shell ended.')).toBeVisible();
      await record(false);

      await page.goto(`${app().url}/settings?section=recordings`);
      const table = page.getByRole('table', { name: 'Recorded shells' });
      await expect(table).toBeVisible();
      await expectAccessible(page, 'the recorded shells');
      await hands.press(table.getByRole('link', { name: `shop/${pod}` }).first());
      await expect(page).toHaveURL(/section=recordings&recording=[\da-f-]{36}/);
      const replay = page.getByRole('region', { name: `Recorded shell: shop/${pod} on harbour` });
      await expect(replay).toBeFocused();
      const status = (text: string) => page.getByRole('status').filter({ hasText: text });
      await expect(status('Paused')).toBeVisible();
      if (isKeyboard) {
        await page.keyboard.press('/');
        await expect(page.getByLabel('Find', { exact: true })).toBeFocused();
        await page.keyboard.type(`kept-${hands.name}\n`);
      } else {
        await hands.write(page.getByLabel('Find', { exact: true }), `kept-${hands.name}`);
        await hands.press(page.getByRole('button', { name: 'Next', exact: true }));
      }
      await expect(shown).toContainText(`kept-${hands.name}`);
      // The address alone opens it.
      await page.reload();
      await expect(replay).toBeFocused();
      if (isKeyboard) for (const key of ['9', 'Space']) await page.keyboard.press(key);
      else await page.getByRole('button', { name: 'Play', exact: true }).click();
      await expect(status('At the end')).toBeVisible();
      await expect(shown).toContainText(`kept-${hands.name}`);
      if (isKeyboard) {
        await page.keyboard.press('0');
        await expect(status('Paused')).toBeVisible();
        await expect(shown).not.toContainText(`kept-${hands.name}`);
      } else await expectAccessible(page, 'a replay');
    });
  });

  it(`the logs of a workload go on through a rollout (${by})`, async ({ page, context, hands }) => {
    const isKeyboard = hands.name === 'keyboard';
    const { cluster, url } = harbour();
    await app().enter(context);
    await page.goto(url('/namespaces/shop/deployments/catalog-api'));
    await expect(headingOf(page, 'catalog-api')).toBeVisible();
    if (isKeyboard) await page.keyboard.press('l');
    else await page.getByRole('button', { name: 'Logs', exact: true }).click();
    await expect(page).toHaveURL(/\?view=logs$/);
    const log = page.getByRole('log', { name: 'Log of all containers in catalog-api' });
    await expect(log.locator('[data-part=source]').first()).toBeVisible();

    await test.step('only what is loud or matches is shown, and the address says so', async () => {
      await hands.write(page.getByRole('textbox', { name: 'Search the log' }), '(info|get|post)');
      if (isKeyboard) {
        await tabTo(log);
        await page.keyboard.press('Shift+E');
        await page.keyboard.press('o');
      } else {
        await page.getByRole('button', { name: 'Use regular expression' }).click();
        await page.getByRole('button', { name: 'Only matching lines' }).click();
      }
      await expect(page).toHaveURL(/regex=true/);
      await expect(page).toHaveURL(/only=true/);
      await expect(log.locator('mark').first()).toBeVisible();
      await hands.write(page.getByRole('textbox', { name: 'Search the log' }), '');
    });

    await test.step('new pods take over, and it is said between the lines', async () => {
      const at = '/apis/apps/v1/namespaces/shop/deployments/catalog-api';
      await cluster.call('PATCH', at, {
        spec: { template: { metadata: { annotations: { rollout: hands.name } } } },
      });
      await expect(log.locator('[data-part=mark]').filter({ hasText: 'is new' }).first()).toBeVisible({
        timeout: 60_000,
      });
      await expect(page.getByRole('status').filter({ hasText: /^Following$/ })).toBeVisible();
    });
  });
}

test('a dialog that closes late does not take the focus from what was opened since', async ({
  page,
  context,
  withoutMouse,
}) => {
  await withoutMouse();
  const { cluster, url } = harbour();
  const [pod = ''] = await cluster.podNames('shop', 'checkout-');
  await app().enter(context);
  // On a busy machine a timer of no time waits behind the next key.
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window);
    const busy = window as unknown as { isBusy?: boolean; late?: number };
    busy.late = 0;
    const slow = (run: () => void, ms = 0) => {
      if (busy.isBusy !== true || ms > 0) return later(run, ms);
      return later(() => {
        run();
        busy.late = (busy.late ?? 0) + 1;
      }, 1_500);
    };
    window.setTimeout = slow as unknown as typeof setTimeout;
  });
  await page.goto(url(`/namespaces/shop/pods/${pod}`));
  await expect(headingOf(page, pod)).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.locator('.xterm-helper-textarea')).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: /^Running/ })).toBeVisible();
  for (const key of ['Control+Shift+Space', 'x']) await page.keyboard.press(key);
  const asked = dialogOf(page, 'Close this tab?');
  await expect(asked.getByRole('button', { name: 'Keep' })).toBeFocused();
  await armed(asked);
  await page.keyboard.press('Tab');
  await page.evaluate(() => {
    (window as unknown as { isBusy: boolean }).isBusy = true;
  });
  await page.keyboard.press('Enter');
  await page.keyboard.press('a');
  const attach = page
    .getByRole('main')
    .locator('[data-part=confirm-shell]')
    .getByRole('button', { name: 'Attach' });
  await expect(attach).toBeFocused();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { late: number }).late))
    .toBeGreaterThan(0);
  await expect(attach).toBeFocused();
});
