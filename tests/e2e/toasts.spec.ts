import type { Locator, Page } from 'playwright/test';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';

// The wheel scrolls what the browser has painted.
test.use({ isPainted: true });

const app = sharedApp(ownClusters);
const toasts = (page: Page): Locator => page.locator('[data-toast]');
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

async function openTest(page: Page): Promise<void> {
  await page.goto(`${app().url}/tests/toast-test`);
  await expect(page.getByRole('heading', { name: 'Toasts' })).toBeVisible();
}

test('the test pages are open to everybody, without chrome; signed in they are tabs', async ({
  page,
  context,
}) => {
  await openTest(page);
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.getByRole('tab')).toHaveCount(0);
  await page.goto(`${app().url}/tests/action-button-test`);
  await expect(page.getByRole('heading', { name: 'Action button' })).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  await app().enter(context);
  await openTest(page);
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Toast test');
});

test('five types are announced: errors at once, the others when there is time', async ({ page }) => {
  await openTest(page);
  for (const [type, role] of [
    ['Success', 'status'],
    ['Error', 'alert'],
    ['Warning', 'status'],
    ['Info', 'status'],
    ['Default', 'status'],
  ] as const) {
    await button(page, type).click();
    await button(page, 'Add without end').click();
    await expect(toasts(page).first()).toHaveAttribute('role', role);
    await expect(toasts(page).first()).toHaveAttribute(
      'aria-live',
      role === 'alert' ? 'assertive' : 'polite',
    );
  }
  await expect(toasts(page)).toHaveCount(5);
});

test('six positions, top right without a choice', async ({ page }) => {
  await openTest(page);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const centre = async () => {
    const box = await toasts(page).first().boundingBox();
    if (box === null) throw new Error('The toast is nowhere.');
    return [
      box.x + box.width / 2 < width / 3
        ? 'left'
        : box.x + box.width / 2 > (width * 2) / 3
          ? 'right'
          : 'center',
      box.y < height / 2 ? 'top' : 'bottom',
    ];
  };
  await button(page, 'Add without end').click();
  await expect.poll(centre).toEqual(['right', 'top']);
  for (const position of [
    'top-left',
    'top-center',
    'bottom-left',
    'bottom-center',
    'bottom-right',
    'top-right',
  ]) {
    await button(page, 'Clear all').click();
    await expect(toasts(page)).toHaveCount(0);
    await button(page, position).click();
    await button(page, 'Add without end').click();
    const [vertical = '', horizontal = ''] = position.split('-');
    await expect.poll(centre).toEqual([horizontal, vertical]);
  }
});

test('a toast stays five seconds; hovering and focus hold the time; a new default counts for later ones', async ({
  page,
}) => {
  await page.clock.install();
  await openTest(page);
  // So long only as far as it is told: by itself it goes on while the page is asked.
  await page.clock.pauseAt(Date.now() + 60_000);
  await button(page, 'Add').click();
  await page.clock.runFor(4_900);
  await expect(toasts(page)).toHaveCount(1);
  await page.clock.runFor(500);
  await page.clock.resume();
  await expect(toasts(page)).toHaveCount(0);

  await button(page, 'Add').click();
  await toasts(page).hover();
  await page.clock.runFor(20_000);
  await expect(toasts(page)).toHaveCount(1);
  await page.mouse.move(10, 10);
  await page.clock.runFor(6_000);
  await expect(toasts(page)).toHaveCount(0);

  await button(page, 'Add').click();
  await toasts(page).getByRole('button', { name: 'Dismiss' }).focus();
  await page.clock.runFor(20_000);
  await expect(toasts(page)).toHaveCount(1);
  await button(page, 'Add').focus();
  await page.clock.runFor(6_000);
  await expect(toasts(page)).toHaveCount(0);

  await button(page, 'Default 1000 ms').click();
  await button(page, 'Add').click();
  await page.clock.runFor(1_400);
  await expect(toasts(page)).toHaveCount(0);
  await button(page, 'Add without end').click();
  await page.clock.runFor(60_000);
  await expect(toasts(page)).toHaveCount(1);
});

test('add, update, dismiss, clear and new defaults; at most twenty at once', async ({ page }) => {
  await openTest(page);
  for (let count = 0; count < 3; count += 1) await button(page, 'Add without end').click();
  await expect(toasts(page)).toHaveCount(3);
  await button(page, 'Warning').click();
  await button(page, 'Update last').click();
  await expect(toasts(page)).toHaveCount(3);
  await expect(toasts(page).first()).toContainText('Updated: Restarted 11 of 12 deployments');
  await expect(toasts(page).first()).toHaveAttribute('data-tone', 'warn');
  await button(page, 'Dismiss last').click();
  await expect(toasts(page)).toHaveCount(2);
  await button(page, 'Clear all').click();
  await expect(toasts(page)).toHaveCount(0);
  await button(page, 'bottom-left').click();
  await button(page, 'Update defaults').click();
  await expect(page.getByRole('note', { name: 'Defaults' })).toHaveText(
    'Defaults now: bottom-left, 5000 ms.',
  );
  for (let count = 0; count < 25; count += 1) await button(page, 'Add without end').press('Enter');
  await expect(toasts(page)).toHaveCount(20);
});

for (const { by, it } of eachHand) {
  it(`all of twenty toasts can be reached in any window (${by})`, async ({ page, hands }) => {
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      for (const position of ['top-right', 'bottom-left'] as const) {
        await openTest(page);
        await button(page, position).press('Enter');
        for (let count = 0; count < 22; count += 1) await button(page, 'Add without end').press('Enter');
        await expect(toasts(page)).toHaveCount(20);
        // The newest is in sight; none stands outside of the window, none covers another.
        await expect(toasts(page).first()).toBeInViewport({ ratio: 1 });
        const last = toasts(page).last();
        const dismiss = last.getByRole('button', { name: 'Dismiss' });
        await expect(last).not.toBeInViewport();
        if (hands.name === 'pointer') {
          await toasts(page).nth(1).hover();
          await page.mouse.wheel(0, position === 'top-right' ? 5_000 : -5_000);
        } else await dismiss.focus();
        await expect(last).toBeInViewport({ ratio: 1 });
        const boxes = await toasts(page).evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()).sort((a, b) => a.top - b.top),
        );
        for (const [index, box] of boxes.entries())
          expect(box.top).toBeGreaterThanOrEqual(boxes[index - 1]?.bottom ?? box.top);
        if (hands.name === 'pointer') await dismiss.click();
        else await page.keyboard.press('Enter');
        await expect(toasts(page)).toHaveCount(19);
      }
    }
  });
}

test('a toast is dragged away by 60% of its width, and comes back before that', async ({ page }) => {
  await openTest(page);
  await button(page, 'Add without end').click();
  const dragBy = async (part: number) => {
    const box = await toasts(page).boundingBox();
    if (box === null) throw new Error('The toast is nowhere.');
    const y = box.y + 8;
    await page.mouse.move(box.x + 40, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 40 + box.width * part, y, { steps: 5 });
    await page.mouse.up();
  };
  const start = await toasts(page).boundingBox();
  await dragBy(-0.5);
  await expect.poll(async () => (await toasts(page).boundingBox())?.x).toBe(start?.x);
  await dragBy(-0.62);
  await expect(toasts(page)).toHaveCount(0);
});

test('Escape dismisses the toast that has the focus, and the focus goes back', async ({ page, context }) => {
  await app().enter(context);
  await openTest(page);
  await button(page, 'Add without end').click();
  await button(page, 'Add without end').click();
  await expect(toasts(page)).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(toasts(page)).toHaveCount(2);
  await toasts(page).first().getByRole('button', { name: 'Dismiss' }).focus();
  await page.keyboard.press('Escape');
  await expect(toasts(page)).toHaveCount(1);
  await expect(button(page, 'Add without end')).toBeFocused();
  await button(page, 'Add with actions').click();
  await toasts(page).getByRole('button', { name: 'Copy details' }).press('Enter');
  await expect(toasts(page).first()).toContainText('Copy details was pressed');
});

test('eleven variants in three sizes, with icons, disabled with a reason, and loading', async ({ page }) => {
  await page.goto(`${app().url}/tests/action-button-test`);
  const rows = page.getByRole('region', { name: 'Action buttons' }).getByRole('row');
  await expect(rows).toHaveCount(12);
  // What is measured below changes with them.
  await page.evaluate(() => document.fonts.ready);
  for (const variant of [
    'primary',
    'secondary',
    'success',
    'error',
    'danger',
    'warning',
    'info',
    'light',
    'dark',
    'transparent',
    'outline',
  ]) {
    const buttons = rows
      .filter({ has: page.getByRole('rowheader', { name: variant, exact: true }) })
      .locator('button');
    const heights = await buttons.evaluateAll((all) =>
      all.slice(0, 3).map((one) => one.getBoundingClientRect().height),
    );
    expect(heights, variant).toEqual([24, 28, 36]);
    await expect(buttons.nth(3).locator('svg ~ *, svg')).toHaveCount(1);
    await expect(buttons.nth(6)).toBeDisabled();
    await expect(buttons.nth(7)).toHaveAttribute('title', 'The cluster is read-only.');
    await expect(buttons.nth(8)).toHaveText('Loading...', { useInnerText: true });
    await expect(buttons.nth(8)).toHaveAttribute('aria-busy', 'true');
    await expect(buttons.nth(7)).toBeDisabled();
  }
  await expect(button(page, 'Default')).toHaveAttribute('data-variant', 'primary');
  expect((await button(page, 'Default').boundingBox())?.height).toBe(28);
  const width = (await button(page, 'Create Resource').boundingBox())?.width ?? 0;
  expect(width).toBeGreaterThan(0);
  await button(page, 'Create Resource').click();
  await expect(button(page, 'Creating...')).toBeDisabled();
  // Nothing beside it moves.
  expect((await button(page, 'Creating...').boundingBox())?.width).toBeCloseTo(width, 1);
  await button(page, 'Finish').click();
  await expect(button(page, 'Create Resource')).toBeEnabled();
});

test('the labelled select and the error alert say what they have to', async ({ page }) => {
  await page.goto(`${app().url}/tests/action-button-test`);
  const required = page.getByRole('combobox', { name: /^Required/ });
  await expect(required).toHaveAccessibleDescription('Choose a cluster');
  await expect(required).toHaveAttribute('aria-invalid', 'true');
  await expect(required).toHaveText('Select cluster');
  const option = page.getByRole('option', { name: 'staging-eu' });
  await required.click();
  await expect(option).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(option).toBeHidden();
  await required.press('s');
  await expect(option).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(option).toBeHidden();
  await expect(required).toHaveText('staging-eu');
  await expect(required).toHaveAccessibleDescription('Chosen');
  await expect(page.getByRole('combobox', { name: 'Plain' })).toHaveAccessibleDescription(
    'Where the object is created',
  );
  await expect(page.getByRole('combobox', { name: 'Disabled' })).toBeDisabled();
  const loading = page.getByRole('combobox', { name: 'Loading' });
  await expect(loading).toBeDisabled();
  await expect(loading.locator('xpath=..').locator('[data-part=spinner]')).toBeVisible();
  await expect(required.locator('xpath=..').locator('[data-part=spinner]')).toHaveCount(0);

  const alert = page.getByRole('alert').filter({ hasText: 'Failed to load subscription plans.' });
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(alert.getByRole('button')).toBeDisabled();
  await expect(page.getByRole('alert').filter({ hasText: 'Without Retry' }).getByRole('button')).toHaveCount(
    0,
  );
  await button(page, 'Take the message away').click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
