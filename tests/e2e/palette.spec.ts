import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { type Hands, keyboard } from './hands.ts';
import { sharedCluster } from './cluster.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { expectAccessible } from './axe.ts';
import { dialogOf, statusLine } from './places.ts';

const app = sharedApp(ownClusters);
sharedCluster(app, 'playground');

const field = (page: Page): Locator => page.getByRole('dialog').getByRole('combobox');
const options = (page: Page): Locator => page.getByRole('dialog').getByRole('option');
const option = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('dialog').getByRole('option', { name });
const opener = (page: Page): Locator => page.getByRole('button', { name: /^Search or run a command/ });
const activeTab = (page: Page): Locator => page.getByRole('tab', { selected: true });
const deployments = (page: Page): Locator => page.getByRole('grid', { name: 'Deployments' });

async function onDeployments(page: Page): Promise<void> {
  await page.goto(`${app().url}/clusters/1/deployments`);
  await expect(deployments(page).getByRole('row').nth(1)).toBeVisible();
}

/** Opens the palette the way these hands do. */
async function openPalette(page: Page, hands: Hands): Promise<void> {
  if (hands.name === 'keyboard') await page.keyboard.press('ControlOrMeta+k');
  else await opener(page).click();
  await expect(field(page)).toBeFocused();
}

/** The entry a screen reader is told of. */
async function highlighted(page: Page): Promise<string> {
  // At one moment: between two questions the list may be another one.
  return await field(page).evaluate(
    (element) =>
      document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '',
  );
}

/**
 * Waits until the list is what was typed finds, and rests: the field is echoed before its list is drawn, and objects come
 * when the server answers. Nobody aims at what is about to go.
 */
async function rests(page: Page, wanted: Locator): Promise<void> {
  const query = (await field(page).inputValue()).replace(/^[>:@#?]/, '').trim();
  if (query !== '') await expect(wanted.locator('mark').first()).toHaveText(query, { ignoreCase: true });
  let before = '';
  await expect
    .poll(
      async () => {
        const now = await page.getByRole('dialog').innerText();
        const isSame = now === before && !now.includes('Searching…');
        before = now;
        return isSame;
      },
      { intervals: [250] },
    )
    .toBe(true);
}

/** Chooses an entry that shows: by a click, or by the arrow keys and Enter. */
async function choose(page: Page, hands: Hands, entry: string | RegExp): Promise<void> {
  const wanted = option(page, entry).first();
  await rests(page, wanted);
  if (hands.name === 'pointer') {
    await wanted.click();
    return;
  }
  const id = (await wanted.getAttribute('id')) ?? '';
  for (let step = 0; (await field(page).getAttribute('aria-activedescendant')) !== id; step += 1) {
    if (step > 60) throw new Error(`The arrow keys do not reach ${String(entry)}.`);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

/** How many replicas a deployment of the playground asks for. */
async function replicasOf(name: string): Promise<unknown> {
  const object = await app().client.call('object', {
    params: { clusterId: 1, kind: 'deployment', name },
    query: { namespace: 'shop' },
  });
  return (object['spec'] as { readonly replicas?: number }).replicas;
}

for (const { by, it } of eachHand) {
  it(`commands run, objects open, and both come back as recent (${by})`, async ({ page, context, hands }) => {
    await app().enter(context);
    await onDeployments(page);

    await test.step('a command is found by a few letters, with its keys', async () => {
      await openPalette(page, hands);
      await page.keyboard.type('serv');
      await choose(page, hands, /^Services/);
      await expect(activeTab(page)).toHaveText('Services');
      await expect(field(page)).toBeHidden();
    });

    await test.step('an object of any kind is found by its name', async () => {
      await openPalette(page, hands);
      await page.keyboard.type('catalog-api');
      await expect(option(page, /^catalog-api Deployment .*shop playground$/)).toBeVisible();
      await choose(page, hands, /^catalog-api Deployment .*shop playground$/);
      await expect(page).toHaveURL(/namespaces\/shop\/deployments\/catalog-api/);
      await expect(page.getByRole('heading', { name: 'catalog-api', exact: true })).toBeVisible();
    });

    await test.step('where one was comes first in an empty palette', async () => {
      await openPalette(page, hands);
      const recent = page.getByRole('group', { name: 'Recent' });
      await expect(recent.getByRole('option', { name: /^Services/ })).toBeVisible();
      await choose(page, hands, /^Services/);
      await expect(activeTab(page)).toHaveText('Services');
    });
  });

  it(`arguments are asked for as steps, with what would change (${by})`, async ({ page, context, hands }) => {
    await app().enter(context);
    await page.goto(`${app().url}/clusters/1`);
    await expect(page.getByRole('heading', { name: 'playground', exact: true })).toBeVisible();
    const wanted = hands.name === 'keyboard' ? 5 : 6;

    await openPalette(page, hands);
    await page.keyboard.type('> scale');
    await choose(page, hands, /^Scale…/);
    await test.step('without an object at hand it is asked for', async () => {
      await expect(page.getByText('step 1 of 2')).toBeVisible();
      await page.keyboard.type('cart');
      await choose(page, hands, /^cart Deployment/);
    });
    await test.step('the number is checked while it is typed', async () => {
      await expect(page.getByText('step 2 of 2')).toBeVisible();
      await page.keyboard.type('many');
      await expect(page.getByText(/must be a whole number from/)).toBeVisible();
      await field(page).fill(String(wanted));
      await expect(page.getByRole('dialog').getByText(`replicas: ${wanted}`)).toBeVisible();
    });
    await choose(page, hands, new RegExp(`→ ${wanted}$`));
    await test.step('what it runs is asked as by its key', async () => {
      const dialog = dialogOf(page, 'Scale Deployment cart');
      expect(await replicasOf('cart')).not.toBe(wanted);
      await hands.press(dialog.getByRole('button', { name: 'Scale', exact: true }));
    });
    await expect(page.getByText(/^Deployment cart scaled/)).toBeVisible();
    await expect.poll(() => replicasOf('cart')).toBe(wanted);
  });
}

test('the kind mode takes a line as k9s does', async ({ page, context, withoutMouse }) => {
  await withoutMouse();
  await app().enter(context);
  await onDeployments(page);
  await page.keyboard.press(':');
  await expect(field(page)).toHaveValue(':');
  await page.keyboard.type('po shop /cart @play');
  // On the way there are the pods of every namespace.
  await expect(option(page, /^Pods/)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/clusters\/1\/pods\?ns=shop&q=cart/);
});

test('namespaces and clusters are chosen by @ and #, and ? lists the modes', async ({ page, context }) => {
  await app().enter(context);
  await onDeployments(page);
  const hands = keyboard(page);
  await openPalette(page, hands);
  await page.keyboard.type('@pay');
  await choose(page, hands, /^payments/);
  await expect(page).toHaveURL(/deployments\?ns=payments/);
  await openPalette(page, hands);
  await page.keyboard.type('?');
  await expect(option(page, /^Commands/)).toBeVisible();
  await choose(page, hands, /^Clusters/);
  await expect(field(page)).toHaveValue('#');
  await choose(page, hands, /^playground(?!-)/);
  // The cluster that shows already keeps its tabs as they are.
  await expect(field(page)).toBeHidden();
  await expect(page).toHaveURL(/\/clusters\/1\/deployments\?ns=payments$/);
});

test('→ opens what can be done with the highlighted object; Esc steps back, then closes', async ({
  page,
  context,
  withoutMouse,
}) => {
  await withoutMouse();
  await app().enter(context);
  await onDeployments(page);
  const hands = keyboard(page);
  await openPalette(page, hands);
  await page.keyboard.type('catalog-api');
  await expect.poll(() => highlighted(page)).toMatch(/^catalog-apiDeployment/);
  await page.keyboard.press('ArrowRight');
  await expect(option(page, /^Restart/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field(page)).toHaveValue('catalog-api');
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeHidden();
  await openPalette(page, hands);
  await page.keyboard.type('catalog-api');
  await expect.poll(() => highlighted(page)).toMatch(/^catalog-apiDeployment/);
  await page.keyboard.press('ArrowRight');
  await choose(page, hands, /^Restart/);
  const dialog = dialogOf(page, 'Restart Deployment catalog-api');
  await hands.press(dialog.getByRole('button', { name: 'Restart', exact: true }));
  await expect(page.getByText(/^Deployment catalog-api restarted/)).toBeVisible();
});

test('the palette changes nothing on a guess, and says how to choose it', async ({
  page,
  context,
  withoutMouse,
}) => {
  await withoutMouse();
  await app().enter(context);
  await page.goto(`${app().url}/clusters/1/namespaces/shop/deployments/cart`);
  await expect(page.getByRole('heading', { name: 'cart', exact: true })).toBeVisible();
  const hands = keyboard(page);
  const said = page.getByRole('dialog').getByText(/^Nothing was run: “Pause rollout cart” changes something/);
  await test.step('what changes something is found and not highlighted', async () => {
    await openPalette(page, hands);
    await page.keyboard.type('>paus');
    await expect(option(page, /^Pause rollout/).first()).toBeVisible();
    expect(await highlighted(page)).not.toMatch(/^Pause rollout/);
  });
  await test.step('Enter does nothing and says so, and typing on takes that away', async () => {
    await page.keyboard.press('Enter');
    await expect(said).toBeVisible();
    await expectAccessible(page, 'the palette that says why Enter has done nothing');
    await page.keyboard.type('e');
    await expect(said).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(field(page)).toBeHidden();
  });
  await test.step('moved to, or named in full, it is asked like by its key', async () => {
    await openPalette(page, hands);
    await page.keyboard.type('>paus');
    await expect(option(page, /^Pause rollout/).first()).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => highlighted(page)).toMatch(/^Pause rollout/);
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page, 'Pause rollout Deployment cart');
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await openPalette(page, hands);
    await page.keyboard.type('restart');
    await expect.poll(() => highlighted(page)).toMatch(/^Restartcart/);
    await page.keyboard.press('Enter');
    await expect(dialogOf(page, 'Restart Deployment cart')).toBeVisible();
  });
});

test('what is typed while the palette’s code is on the way is its text, and nothing on the page', async ({
  page,
  context,
  withoutMouse,
}) => {
  await withoutMouse();
  await app().enter(context);
  const changes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.route(/\/assets\/palette-[^/]*\.js$/, async (route) => {
    await new Promise((done) => setTimeout(done, 2_000));
    await route.continue();
  });
  await onDeployments(page);
  await deployments(page).focus();
  // Until here the page may have kept what shows.
  const sent = changes.length;
  await page.keyboard.press('ControlOrMeta+k');
  // D deletes, r restarts, and Enter would confirm: none of it is the list's.
  await page.keyboard.type('Dashboard');
  await expect(page.getByText('The palette is loading…')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('x');
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(field(page)).toHaveValue('Dashboard', { timeout: 10_000 });
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/clusters\/1$/);
  expect(changes.slice(sent).filter((call) => call.includes('/actions/'))).toEqual([]);
});

test('with the modifier it opens beside', async ({ page, context, withoutMouse }) => {
  await withoutMouse();
  await app().enter(context);
  await onDeployments(page);
  await openPalette(page, keyboard(page));
  await page.keyboard.type('catalog-api');
  await expect.poll(() => highlighted(page)).toMatch(/^catalog-apiDeployment/);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('heading', { name: 'catalog-api', exact: true })).toBeVisible();
  await expect(deployments(page)).toBeVisible();
});

test('the palette is announced to a screen reader, draws at most fifty entries and returns the focus', async ({
  page,
  context,
}) => {
  await app().enter(context);
  await onDeployments(page);
  const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  await page.evaluate(axe);
  const violations = () =>
    page.evaluate(async () => {
      const { axe: run } = window as unknown as {
        axe: {
          run: (context: string) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const { violations: found } = await run.run('[role=dialog]');
      return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
    });

  await opener(page).focus();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  // Hints are those of the palette, which has the keys.
  await expect(page.locator('[data-status-line]').filter({ visible: true })).toContainText('choose');
  await expect(field(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('The first 50; keep typing');
  await expect(options(page)).toHaveCount(50);
  expect(await violations()).toEqual([]);
  await page.keyboard.type('cart');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText(/^\d+ results$/);
  expect(await options(page).count()).toBeLessThanOrEqual(50);
  const first = await highlighted(page);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => highlighted(page)).not.toBe(first);
  await page.keyboard.type('zzzzqqq');
  await expect(page.getByText('Nothing matches.', { exact: false })).toBeVisible();
  await expect(field(page)).not.toHaveAttribute('aria-activedescendant', /./);
  expect(await violations()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(opener(page)).toBeFocused();
});

test('on a narrow screen the palette fills it and can be closed by touch', async ({ another }) => {
  const context = await another({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await app().enter(context);
  const page = await context.newPage();
  await page.goto(`${app().url}/clusters/1/pods`);
  // The buttons of the top bar come with what the person may do, and move each other.
  await expect(statusLine(page)).toContainText(/^Live/);
  await opener(page).tap();
  await expect(field(page)).toBeFocused();
  expect(await page.getByRole('dialog').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
  await expect(field(page)).toBeHidden();
});
