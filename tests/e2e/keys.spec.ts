import type { Locator, Page } from 'playwright/test';
import { sharedCluster } from './cluster.ts';
import { expect, ownClusters, sharedApp, test } from './kit.ts';
import { filterField, podsOf, statusLine } from './places.ts';

const app = sharedApp(ownClusters);
sharedCluster(app, 'playground');
const whichKey = (page: Page): Locator => page.getByRole('region', { name: 'Keys that may follow' });
const sheet = (page: Page): Locator => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const sidebar = (page: Page): Locator => page.getByRole('navigation', { name: 'Sidebar' });
const tabs = (page: Page): Locator => page.getByRole('tab');
const cursor = (page: Page): Locator => podsOf(page).locator('[role=row][aria-current=true]');

/** The list of pods, with the keys. */
async function openPods(page: Page): Promise<void> {
  await page.goto(`${app().url}/`);
  await page
    .getByRole('region', { name: /^Clusters/ })
    .getByRole('link')
    .first()
    .click();
  await sidebar(page).getByRole('link', { name: /^Pods/ }).click();
  await expect(statusLine(page)).toContainText(/^Live/);
}

/** A key press with any key and place on the keyboard, as another layout makes it: real to the page. */
async function press(page: Page, key: string, code: string, modifiers = 0, keyCode = 0): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const type of ['rawKeyDown', 'keyUp'] as const)
    await session.send('Input.dispatchKeyEvent', {
      type,
      key,
      code,
      modifiers,
      windowsVirtualKeyCode: keyCode,
    });
  await session.detach();
}
const control = 2;

/** Opens the pods at their address without the commands that a list does not begin with; gives how to let these come. */
async function openPodsWithoutCommands(page: Page): Promise<() => void> {
  await app().enter(page.context());
  const [cluster] = await app().client.call('clusters', {});
  const loaded = Promise.withResolvers<void>();
  await page.route(/\/assets\/later-[^/]+\.js$/, async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await page.goto(`${app().url}/clusters/${cluster?.id}/pods`);
  await expect(statusLine(page)).toContainText(/^Live/);
  return loaded.resolve;
}

/** What a first key shows is gone after two seconds: a busy machine may need another try to see it. */
async function pressUntil(page: Page, keys: readonly string[], seen: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape');
    for (const key of keys) await page.keyboard.press(key);
    await seen();
  }).toPass();
}
const soon = { timeout: 1_500 };

test('a first key shows what may follow, and a second one goes there', async ({ page, context }) => {
  await app().enter(context);
  await openPods(page);
  const here = whichKey(page)
    .getByRole('listitem')
    .filter({ hasText: /^.*Pods.*here$/ });
  await pressUntil(page, ['g'], () => expect(here).toBeVisible(soon));
  await pressUntil(page, ['g', 'd'], () => expect(page).toHaveURL(/\/deployments$/, soon));
  await expect(whichKey(page)).toBeHidden();

  await test.step('Esc leaves, and so does waiting', async () => {
    await pressUntil(page, ['g'], () => expect(whichKey(page)).toBeVisible(soon));
    await page.keyboard.press('Escape');
    await expect(whichKey(page)).toBeHidden();
    await pressUntil(page, ['g'], () => expect(whichKey(page)).toBeVisible(soon));
    await expect(whichKey(page)).toBeHidden();
    await expect(page).toHaveURL(/\/deployments$/);
  });

  await test.step('an unknown second key is said, and does nothing', async () => {
    await pressUntil(page, ['g', 'z'], () =>
      expect(whichKey(page)).toContainText('z does nothing after g', soon),
    );
    await expect(page).toHaveURL(/\/deployments$/);
    await expect(tabs(page).filter({ hasText: 'Deployments' })).toHaveCount(1);
  });
});

test('the sheet shows every key, grouped, and is searched', async ({ page, context }) => {
  await app().enter(context);
  await openPods(page);
  await page.keyboard.press('?');
  const field = sheet(page).getByRole('searchbox', { name: 'Search keys' });
  await expect(field).toBeFocused();
  await expect(sheet(page).getByRole('region').first()).toHaveAccessibleName('Works here');
  const here = sheet(page).getByRole('region', { name: 'Works here' });
  await expect(here.getByRole('term').filter({ hasText: /^(Next row|Logs|Delete)/ })).toHaveText([
    'Logs',
    'Logs of the run before',
    'Next row',
    'Delete…',
  ]);
  await expect(here.getByRole('term').filter({ hasText: /^(Close tab|Next difference)/ })).toHaveCount(0);
  await expect(sheet(page).getByRole('region', { name: 'Workspace' })).toContainText('Close tab');
  await page.keyboard.type('next row');
  await expect(sheet(page).getByRole('term')).toHaveText(['Next row', 'Select this row and the next']);
  await field.fill('nothing like it');
  await expect(sheet(page)).toContainText('No key matches “nothing like it”.');
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toBeHidden();
  await expect(page).toHaveURL(/\/pods$/);
});

test('changed keys hold at once, in menus, the sheet and every open page, and after a reload', async ({
  page,
  context,
  another,
}) => {
  await app().enter(context);
  const elsewhere = await another();
  await app().enter(elsewhere);
  const other = await elsewhere.newPage();
  await openPods(other);
  await page.goto(`${app().url}/settings?at=keys`);
  await page.getByRole('searchbox', { name: 'Search commands' }).fill('workspace.toggleSidebar');
  await page.getByRole('button', { name: 'Change the keys of Toggle sidebar' }).click();
  const field = page.getByRole('textbox', { name: 'Keys of Toggle sidebar' });
  await field.fill('mod+t');
  await expect(page.getByText('Browsers reserve "mod+t": the console may never receive it.')).toBeVisible();
  await field.fill('x');
  await expect(page.getByText('"x" is also "Close tab", which it replaces.')).toBeVisible();
  await field.fill('mod+e');
  await page.getByRole('button', { name: 'Use these keys' }).click();
  await page.getByRole('button', { name: 'Save keys' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Keys saved' })).toBeVisible();

  const toggle = (one: Page) => one.getByRole('banner').getByRole('button', { name: 'Toggle sidebar' });
  for (const one of [page, other]) {
    await expect(toggle(one)).toHaveAttribute('data-tip', 'Toggle sidebar  Ctrl E');
    await one.keyboard.press('Control+b');
    await expect(sidebar(one)).toBeVisible();
    await one.keyboard.press('Control+e');
    await expect(sidebar(one)).toBeHidden();
  }
  await other.keyboard.press('?');
  await expect(sheet(other).getByRole('term').filter({ hasText: 'Toggle sidebar' })).toContainText('yours');
  await other.keyboard.press('Escape');
  await expect(sheet(other)).toBeHidden();
  await page.reload();
  await expect(toggle(page)).toHaveAttribute('data-tip', 'Toggle sidebar  Ctrl E');

  await test.step('as JSON they are read strictly, and an empty list brings the defaults back', async () => {
    const json = page.getByRole('textbox', { name: 'Your keys as JSON' });
    await expect(json).toHaveValue(/"mod\+e"/);
    await json.fill('[{ "keys": "mod+e" }]');
    await expect(page.getByText('Entry 1 needs a "command"')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save keys' })).toBeDisabled();
    await json.fill('[{ "keys": "mod+e", "command": "of.tomorrow" }]');
    await expect(page.getByText('This version has no command "of.tomorrow"')).toBeVisible();
    await page.getByRole('button', { name: 'Save keys' }).click();
    await expect(toggle(page)).toHaveAttribute('data-tip', 'Toggle sidebar  Ctrl B');
    await expect(toggle(other)).toHaveAttribute('data-tip', 'Toggle sidebar  Ctrl B');
    await page.reload();
    await expect(json).toHaveValue(/of\.tomorrow/);
    await json.fill('');
    await page.getByRole('button', { name: 'Save keys' }).click();
    await expect(json).toHaveValue('[]');
  });
});

test('in text fields letters are text, and chords are keys', async ({ page, context }) => {
  await app().enter(context);
  await openPods(page);
  await page.keyboard.press('/');
  await expect(filterField(page)).toBeFocused();
  await page.keyboard.type('gpx?');
  await expect(filterField(page)).toHaveValue('gpx?');
  await expect(whichKey(page)).toBeHidden();
  await expect(page).toHaveURL(/\/pods\?filter=gpx%3F$/);
  await page.keyboard.press('Control+b');
  await expect(sidebar(page)).toBeHidden();
  await expect(filterField(page)).toHaveValue('gpx?');
});

test('another alphabet, AltGr and an input method are no obstacle', async ({ page, context }) => {
  await app().enter(context);
  // By name: a pod whose status changes keeps its row.
  await page.goto(`${app().url}/clusters/1/pods?sort=name`);
  await expect(statusLine(page)).toContainText(/^Live/);

  await test.step('the place of a Cyrillic key counts, with Ctrl and without it', async () => {
    await press(page, 'и', 'KeyB', control, 66);
    await expect(sidebar(page)).toBeHidden();
    await press(page, 'и', 'KeyB', control, 66);
    await expect(sidebar(page)).toBeVisible();
    await press(page, 'о', 'KeyJ', 0, 74);
    await expect(cursor(page)).toHaveAttribute('aria-rowindex', '3');
  });

  await test.step('on a Latin layout the letter counts, wherever it is', async () => {
    await press(page, 'b', 'KeyN', control, 66);
    await expect(sidebar(page)).toBeHidden();
    await press(page, 'b', 'KeyN', control, 66);
    await expect(sidebar(page)).toBeVisible();
  });

  await test.step('what AltGr makes is text, never a chord', async () => {
    await page.evaluate(() => {
      const init = { key: 'b', code: 'KeyB', ctrlKey: true, modifierAltGraph: true, bubbles: true };
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, cancelable: true }));
    });
    await expect(sidebar(page)).toBeVisible();
  });

  await test.step('a bracket that needs AltGr is the key of that bracket', async () => {
    await page.evaluate(() => {
      const init = { key: '[', code: 'Digit8', ctrlKey: true, altKey: true, modifierAltGraph: true };
      const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      document.body.dataset['isTaken'] = String(event.defaultPrevented);
    });
    await expect(page.locator('body')).toHaveAttribute('data-is-taken', 'true');
  });

  await test.step('what an input method takes is not ours', async () => {
    await press(page, 'Process', 'KeyJ', 0, 229);
    await press(page, 'j', 'KeyJ', 0, 229);
    await expect(cursor(page)).toHaveAttribute('aria-rowindex', '3');
    await press(page, 'j', 'KeyJ', 0, 74);
    await expect(cursor(page)).toHaveAttribute('aria-rowindex', '4');
    await page.keyboard.press('/');
    await expect(filterField(page)).toBeFocused();
    const session = await context.newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: 'じ', selectionStart: 1, selectionEnd: 1 });
    await press(page, 'Escape', 'Escape', 0, 229);
    await expect(filterField(page)).toBeFocused();
    await session.send('Input.insertText', { text: '字' });
    await expect(filterField(page)).toHaveValue('字');
  });
});

test('in a terminal every key is the shell’s, but the leader gives the next one to the console', async ({
  page,
  context,
}) => {
  await app().enter(context);
  await openPods(page);
  await page.evaluate(() => {
    const terminal = document.createElement('div');
    terminal.tabIndex = 0;
    terminal.dataset.keys = 'terminal';
    terminal.setAttribute('aria-label', 'Shell');
    terminal.setAttribute('role', 'textbox');
    terminal.dataset.heard = '';
    terminal.addEventListener('keydown', (event) => {
      terminal.dataset.heard += `${event.key} `;
    });
    document.body.append(terminal);
    terminal.focus();
  });
  const shell = page.getByRole('textbox', { name: 'Shell' });
  for (const key of ['g', 'p', 'x', 'Escape', '/', 'Control+b', 'Control+k']) await page.keyboard.press(key);
  await expect(shell).toHaveAttribute('data-heard', 'g p x Escape / Control b Control k ');
  await expect(sidebar(page)).toBeVisible();
  await expect(page).toHaveURL(/\/pods$/);

  const leader = 'Control+Shift+Space';
  await expect(async () => {
    await page.keyboard.press(leader);
    await expect(whichKey(page)).toContainText('then any key of the console', soon);
  }).toPass();
  await expect(whichKey(page)).toBeHidden();
  await expect(async () => {
    for (const key of [leader, 'g', 'd']) await page.keyboard.press(key);
    await expect(page).toHaveURL(/\/deployments$/, soon);
  }).toPass();
  await shell.focus();
  await page.keyboard.press('y');
  await expect(shell).toHaveAttribute('data-heard', /y $/);
  await expect(whichKey(page)).toBeHidden();
});

test('a key of k9s works at once, Esc leads back, and one that does nothing here says why', async ({
  page,
  context,
  withoutMouse,
}) => {
  await withoutMouse();
  await app().enter(context);
  const said = page.getByRole('status');

  await test.step('the clusters have the keys from the start', async () => {
    const first = page
      .getByRole('region', { name: /^Clusters/ })
      .getByRole('link')
      .first();
    // A cluster in trouble stands first: while one is still starting, that may become another between two keys.
    await expect(async () => {
      await page.goto(`${app().url}/`);
      await expect(first).toBeFocused();
      await page.keyboard.press('j');
      await expect(first).not.toBeFocused({ timeout: 1_000 });
      await page.keyboard.press('k');
      await expect(first).toBeFocused({ timeout: 1_000 });
    }).toPass();
    const own = page
      .getByRole('region', { name: /^Clusters/ })
      .getByRole('link', { name: /^playground(?!-)/ });
    await expect(async () => {
      if (!(await own.evaluate((link) => link === document.activeElement))) await page.keyboard.press('j');
      await expect(own).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/clusters\/1$/);
  });

  await test.step('the first row that is found has the cursor', async () => {
    await page.keyboard.press(':');
    await page.keyboard.type('po /shop-postgres');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/pods\?q=shop-postgres$/);
    await expect(cursor(page)).toHaveAttribute('aria-rowindex', '2');
    await page.keyboard.press('l');
    await expect(page).toHaveURL(/view=logs$/);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/pods\?q=shop-postgres$/);
    await page.keyboard.press('d');
    await expect(page).toHaveURL(/\/pods\/shop-postgres-0$/);
    const count = await tabs(page).count();
    await page.keyboard.press('y');
    await expect(page).toHaveURL(/view=yaml$/);
    // The tab of the object shows it.
    await expect(tabs(page)).toHaveCount(count);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/pods\/shop-postgres-0$/);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/pods\?q=shop-postgres$/);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/pods$/);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/pods$/);
  });

  await test.step('what a key is for is said where it does nothing', async () => {
    await page.keyboard.press('r');
    await expect(said.filter({ hasText: /^“Restart” is for .*, not for pods\.$/ })).toHaveCount(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('w');
    await page.keyboard.press('h');
    await expect(said.filter({ hasText: 'needs a second tile' })).toHaveCount(1);
  });
});

test('keys that come before their commands wait for them, in order, and what follows is text', async ({
  page,
}) => {
  const load = await openPodsWithoutCommands(page);
  await page.keyboard.press('/');
  await page.keyboard.type('dx');
  await expect(filterField(page)).toHaveValue('');
  load();
  await expect(filterField(page)).toHaveValue('dx');
  await expect(filterField(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a key that a field has used is no command once the commands are loaded', async ({ page }) => {
  const load = await openPodsWithoutCommands(page);
  await filterField(page).click();
  await page.keyboard.type('e');
  await page.keyboard.press('Enter');
  await expect(podsOf(page)).toBeFocused();
  load();
  // A key that comes later shows that those before it are done.
  await page.keyboard.press('?');
  await expect(sheet(page)).toBeVisible();
  await expect(page).toHaveURL(/\/pods\?/);
});

test('Space and Enter that come after waiting keys wait behind them, also where a button has the focus', async ({
  page,
}) => {
  const load = await openPodsWithoutCommands(page);
  const toggle = page.getByRole('banner').getByRole('button', { name: 'Toggle sidebar' });
  await toggle.focus();
  // Nothing is known of this key yet.
  await page.keyboard.press('F8');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('go to home');
  await page.keyboard.press('Enter');
  await expect(sidebar(page)).toBeVisible();
  load();
  await expect(page).toHaveURL(`${app().url}/`);
  await expect(sidebar(page)).toBeVisible();
});

test('a key that closes a menu lets the next one act at once, also before the commands are loaded', async ({
  page,
}) => {
  const load = await openPodsWithoutCommands(page);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /account of/ })
    .click();
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await page.keyboard.press('ControlOrMeta+b');
  await expect(sidebar(page)).toBeHidden();
  load();
});

test('what may follow a key is told in full as soon as it is known what is allowed', async ({
  page,
  context,
}) => {
  await app().enter(context);
  await openPods(page);
  let known = Promise.withResolvers<void>();
  await page.route(/\/user-permissions$/, async (route) => {
    await known.promise;
    await route.continue();
  });
  // Both are gone after a few seconds, as what a first key shows always is: a busy machine may need another try.
  await expect(async () => {
    known = Promise.withResolvers<void>();
    await page.reload();
    await expect(podsOf(page).getByRole('row').nth(1)).toBeVisible();
    await page.keyboard.press('g');
    await expect(whichKey(page).getByText('Home', { exact: true })).toBeVisible(soon);
    await expect(whichKey(page)).not.toContainText('Deployments');
    known.resolve();
    await expect(whichKey(page)).toContainText('Deployments', soon);
    await page.keyboard.press('d');
    await expect(page).toHaveURL(/\/deployments$/, soon);
  }).toPass();
});
