import type { Locator, Page } from 'playwright/test';
import { faultsOf } from './axe.ts';
import { namespaceOf, sharedCluster } from './cluster.ts';
import { expect, ownClusters, sharedApp, test } from './kit.ts';
import { gridOf, toastOf } from './places.ts';

/** What the palette's list, which is cmdk's, has to keep to: one highlighted entry, which the field names, and our keys. */
const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Command palette' });
const field = (page: Page): Locator => palette(page).getByRole('combobox');
const options = (page: Page): Locator => palette(page).getByRole('option');

/** Opens the palette over a list of the cluster, and waits for an action on the row: its answer moves the entries below. */
async function openPalette(
  page: Page,
  path = '/nodes',
  title = 'Nodes',
  action: string | RegExp = /^Cordon/,
): Promise<void> {
  await app().enter(page.context());
  await page.goto(harbour().url(path));
  await expect(gridOf(page, title).getByRole('row').nth(1)).toBeVisible();
  await gridOf(page, title).focus();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(field(page)).toBeFocused();
  // The first group is the row's own: what has the same name below is there from the beginning.
  const own = palette(page).getByRole('group').first().getByRole('option');
  await expect(own.filter({ hasText: action })).not.toHaveCount(0);
  await expect(options(page)).toHaveCount(50);
}

/** Which elements the field and the list name as the active one, and which are highlighted: places among the options. */
const named = (page: Page) =>
  palette(page).evaluate((dialog) => {
    const lines = [...dialog.querySelectorAll('[role=option]')];
    const placeOf = (role: string) => {
      const id = dialog.querySelector(`[role=${role}]`)?.getAttribute('aria-activedescendant');
      return id == null ? undefined : lines.findIndex((line) => line.id === id);
    };
    return {
      selected: lines.flatMap((line, at) => (line.getAttribute('aria-selected') === 'true' ? [at] : [])),
      field: placeOf('combobox'),
      list: placeOf('listbox'),
    };
  });

/** Exactly one entry is highlighted, the field names it, and the list names no other. */
async function expectOneHighlighted(page: Page, at: number): Promise<void> {
  await expect
    .poll(async () => {
      const { selected, field: byField, list: byList } = await named(page);
      return { selected, byField, isOther: byList !== undefined && byList !== at };
    })
    .toEqual({ selected: [at], byField: at, isOther: false });
}

test('one entry of the palette is highlighted, by keys or pointer, and no element names one that went', async ({
  page,
}) => {
  await openPalette(page);
  await expectOneHighlighted(page, 0);
  await page.keyboard.press('ArrowUp');
  await expectOneHighlighted(page, 49);
  await page.keyboard.press('ArrowDown');
  await expectOneHighlighted(page, 0);
  await page.keyboard.press('PageDown');
  await expectOneHighlighted(page, 8);
  await options(page).nth(3).hover();
  await expectOneHighlighted(page, 3);
  await page.keyboard.press('ArrowDown');
  await expectOneHighlighted(page, 4);
  await options(page)
    .nth(3)
    .hover({ position: { x: 40, y: 10 } });
  await expectOneHighlighted(page, 3);

  await page.keyboard.type('>serv');
  await expect(palette(page).locator('mark').first()).toHaveText(/serv/i);
  await expectOneHighlighted(page, 0);
  expect(await faultsOf(page, 'after a letter')).toEqual([]);
  await page.keyboard.type('zzzzqqq');
  await expect(options(page)).toHaveCount(0);
  expect(await named(page)).toEqual({ selected: [], field: undefined, list: undefined });
  expect(await faultsOf(page, 'without an entry')).toEqual([]);
});

test('a screen reader announces the names of the palette’s field, list and groups once', async ({ page }) => {
  await openPalette(page);
  await expect(field(page)).toHaveAccessibleName('Command palette');
  await page.keyboard.type(':');
  await expect(palette(page).getByRole('listbox')).toHaveAccessibleName('Kind, namespace, /filter, @cluster');
  await expect(palette(page).getByRole('group', { name: 'Kinds', exact: true })).toBeVisible();
  const text = await palette(page).ariaSnapshot();
  expect(text.match(/Command palette/g)).toHaveLength(3);
  expect(text.match(/^ *- (text|paragraph): .*Kinds/gm)).toBeNull();
});

test('Home and End in the palette’s field move the caret, and leave the highlighted entry', async ({
  page,
}) => {
  await openPalette(page);
  await page.keyboard.type('>se');
  await expect(palette(page).locator('mark').first()).toHaveText(/se/i);
  await page.keyboard.press('ArrowDown');
  await expectOneHighlighted(page, 1);
  const caret = () => field(page).evaluate((element) => (element as HTMLInputElement).selectionStart);
  await page.keyboard.press('Home');
  expect(await caret()).toBe(0);
  await expectOneHighlighted(page, 1);
  await page.keyboard.press('End');
  expect(await caret()).toBe(3);
  await expectOneHighlighted(page, 1);
});

test('an entry that cannot be taken now is reached like any other, and says why', async ({ page }) => {
  const namespace = 'quay';
  await harbour().cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
  await harbour().cluster.call('POST', `/api/v1/namespaces/${namespace}/persistentvolumeclaims`, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'berth' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'nowhere',
      resources: { requests: { storage: '1Gi' } },
    },
  });
  const reason = 'Only a claim with a volume can grow: no volume is bound to it yet.';
  await openPalette(page, `/persistentvolumeclaims?ns=${namespace}`, 'PersistentVolumeClaims', reason);
  const expand = options(page).filter({ hasText: reason });
  await expect(expand).toHaveAttribute('aria-disabled', 'true');
  const place = await options(page).evaluateAll(
    (lines, text) => lines.findIndex((line) => line.textContent.includes(text)),
    reason,
  );
  for (let step = 0; step < place; step += 1) await page.keyboard.press('ArrowDown');
  await expectOneHighlighted(page, place);
  await expect(palette(page).getByRole('status')).toContainText(`Not now: ${reason}`);
  await page.keyboard.press('ArrowDown');
  await expectOneHighlighted(page, place + 1);
  await expand.hover();
  await expectOneHighlighted(page, place);
  // Where the pointer is now: Playwright itself clicks nothing that says it is disabled.
  await page.mouse.down();
  await page.mouse.up();
  await expect(toastOf(page, reason)).toBeVisible();
  await expect(field(page)).toBeFocused();
});

test('keys taken from the palette’s commands do nothing in its list', async ({ page }) => {
  const client = await app().enter(page.context(), 'own');
  const unbound = ['down', 'up'].map((keys) => ({ keys, command: null }));
  await client.call('saveKeymap', {
    body: { keymap: [...unbound, { keys: 'alt+n', command: 'palette.down' }] },
  });
  try {
    await openPalette(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Alt+n');
    await expectOneHighlighted(page, 1);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Alt+n');
    await expectOneHighlighted(page, 2);
  } finally {
    await client.call('saveKeymap', { body: { keymap: [] } });
  }
});

test('on a narrow screen Enter on the palette’s Close button closes it and takes no entry', async ({
  page,
  withoutMouse,
}) => {
  await withoutMouse();
  await page.setViewportSize({ width: 390, height: 844 });
  await openPalette(page);
  const address = page.url();
  await page.keyboard.press('Tab');
  await expect(palette(page).getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
  await expect(gridOf(page, 'Nodes')).toBeFocused();
  expect(page.url()).toBe(address);
});
