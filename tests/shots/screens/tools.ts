import { expect, type Page } from 'playwright/test';
import { alertExemptions } from '../../e2e/axe.ts';
import { pointer } from '../../e2e/hands.ts';
import { focusedTile } from '../../e2e/places.ts';
import {
  chooseAction,
  deployment,
  harbour,
  main,
  searchPalette,
  selectTwo,
  type Shot,
  untilHeading,
  untilLive,
  workspace,
} from '../shot.ts';

const checkout = `${harbour}/namespaces/shop/deployments/checkout`;
const secret = `${harbour}/namespaces/shop/secrets/shop-postgres-app`;
const release = `${harbour}/namespaces/observability/releases/grafana`;

async function openCreate(page: Page): Promise<void> {
  await untilLive(page);
  await page.getByRole('button', { name: 'Create Resource' }).first().click();
  await expect(page.getByRole('textbox', { name: 'YAML of the resource' })).toBeVisible();
}

async function applyTemplate(page: Page): Promise<void> {
  await openCreate(page);
  await pointer(page).select(page.getByLabel('Resource type', { exact: true }), 'Deployment');
  await pointer(page).select(page.getByLabel('Template', { exact: true }), 'with-probes');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByText('Valid', { exact: true })).toBeVisible();
}

/** A pod of a workload is opened from its list. */
const openPod = (view: string) => async (page: Page) => {
  await untilLive(page);
  await focusedTile(page).locator('[data-row]').first().waitFor();
  await focusedTile(page).getByRole('grid').focus();
  await page.keyboard.press(view);
};

async function openShell(page: Page): Promise<void> {
  await openPod('s')(page);
  await expect(page.getByRole('status').filter({ hasText: /^Running/ })).toBeVisible();
}

async function untilCompared(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: /\d+ differences?/ })).toBeVisible();
}

async function untilLogs(page: Page): Promise<void> {
  await expect(page.getByRole('log').locator('[data-log-line]').nth(8)).toBeVisible();
}

/** Whether the server works, or worked, at something on the cluster that shows. */
async function hasJobs(page: Page): Promise<boolean> {
  const { origin, pathname } = new URL(page.url());
  const cluster = pathname.split('/').slice(0, 3).join('/');
  const answer = await page.request.get(`${origin}/api${cluster}/jobs`);
  const { jobs } = (await answer.json()) as { readonly jobs: readonly unknown[] };
  return jobs.length > 0;
}

/** What can be done with objects, and the dialogs it takes. */
export const tools: readonly Shot[] = [
  {
    name: 'usage',
    path: `${main}/namespaces/shop/deployments/catalog-api`,
    ready: async (page) => {
      await untilLive(page);
      const chart = page.getByRole('slider', { name: 'CPU over time' });
      await expect(chart).toHaveAttribute('aria-valuetext', /now/, { timeout: 60_000 });
      // The finger that reads also scrolls: the keys lead to the same line.
      await chart.press('End');
      await chart.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'yaml',
    path: `${deployment}?view=yaml`,
    ready: async (page) => {
      await expect(page.getByLabel('YAML of recommendations')).toContainText('kind: Deployment');
    },
  },
  {
    name: 'edit',
    path: `${checkout}?view=edit`,
    ready: async (page) => {
      await expect(page.getByRole('textbox', { name: /^YAML of/ })).toBeVisible();
      await expect(page.getByText('No changes yet.')).toBeVisible();
    },
  },
  { name: 'create', path: `${harbour}/deployments?ns=shop`, isFull: true, ready: applyTemplate },
  { name: 'create-empty', path: `${harbour}/deployments`, ready: openCreate },
  {
    name: 'compare-none',
    path: `${checkout}?view=compare`,
    ready: async (page) => {
      await expect(page.getByLabel('Compare with cluster', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'compare',
    path: `${checkout}?view=compare&to=1%2Fshop%2Fcart`,
    isFull: true,
    ready: untilCompared,
  },
  {
    name: 'compare-unified',
    path: `${checkout}?view=compare&to=1%2Fshop%2Fcart&layout=unified`,
    ready: untilCompared,
  },
  {
    name: 'compare-lists',
    path: `${harbour}/deployments?ns=shop&view=compare&to=1/shop`,
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('columnheader', { name: 'What differs' })).toBeVisible();
    },
  },
  {
    name: 'why',
    path: `${main}/namespaces/shop/deployments/image-proxy?view=why`,
    isFull: true,
    ready: async (page) => {
      await untilLive(page);
      // Also on a phone, where the bar is wider than the page.
      const views = page.getByRole('navigation', { name: 'Views of the object' });
      await expect(views.getByRole('button', { name: 'Why' })).toBeInViewport();
      // It is open by itself: it convinces.
      await expect(page.getByText(/^Evidence/)).toBeVisible();
    },
  },
  {
    name: 'why-first',
    path: `${main}/namespaces/shop/deployments/image-proxy`,
    ready: async (page) => {
      await untilLive(page);
      await expect(page.getByRole('heading', { name: 'Why' })).toBeVisible();
    },
  },
  {
    name: 'chat',
    path: `${main}/chat`,
    ready: async (page) => {
      const field = page.getByRole('textbox', { name: 'Question' });
      await field.fill('What is wrong in shop?');
      await field.press('Enter');
      const answers = page.getByRole('list', { name: 'Questions and answers' });
      await expect(answers.getByText('This answer comes from rules').first()).toBeVisible();
      await expect(answers.locator('[aria-busy]')).toHaveCount(0);
    },
  },
  { name: 'graph-none', path: `${main}/visualization/resources`, ready: untilHeading('Resource graph') },
  {
    name: 'graph',
    path: `${main}/visualization/resources?ns=shop`,
    isFull: true,
    ready: async (page) => {
      await untilLive(page);
      // Where it is narrow the tree says the same.
      const node = page.locator('.react-flow__node').or(page.getByRole('treeitem'));
      await expect(node.first()).toBeVisible();
    },
  },
  {
    name: 'logs',
    path: `${main}/namespaces/shop/deployments/catalog-api?view=logs`,
    isFull: true,
    ready: untilLogs,
  },
  {
    name: 'logs-pod',
    path: `${main}/pods?q=email-worker`,
    ready: async (page) => {
      await openPod('l')(page);
      await untilLogs(page);
    },
  },
  {
    name: 'logs-searched',
    path: `${main}/namespaces/shop/deployments/catalog-api?view=logs`,
    ready: async (page) => {
      await untilLogs(page);
      await page.getByRole('textbox', { name: 'Search the log' }).fill('request');
      await page.getByRole('button', { name: 'Next match' }).click();
      await expect(page.getByRole('log').locator('[data-log-line][data-current] mark').first()).toBeVisible();
    },
  },
  {
    name: 'terminal',
    path: `${harbour}/pods?q=checkout`,
    ready: async (page) => {
      await openShell(page);
      await page.keyboard.type('ls -la /\n');
      await expect(page.locator('.xterm-rows')).toContainText('etc');
    },
  },
  {
    name: 'terminal-ended',
    path: `${harbour}/pods?q=checkout`,
    ready: async (page) => {
      await openShell(page);
      await page.keyboard.type('exit 3\n');
      await expect(page.getByText('The shell ended with code 3.')).toBeVisible();
    },
  },
  {
    name: 'terminal-protected',
    path: `${main}/pods?q=checkout`,
    ready: async (page) => {
      await openPod('s')(page);
      await expect(page.getByRole('button', { name: 'Open the terminal' })).toBeVisible();
    },
  },
  { name: 'secret-masked', path: secret, ready: untilLive },
  {
    name: 'secret-revealed',
    path: secret,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Reveal password' }).click();
      await expect(page.getByLabel('Value of password', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'secret-yaml',
    path: `${secret}?view=yaml`,
    ready: async (page) => {
      await expect(page.getByLabel('YAML of shop-postgres-app')).toContainText('<masked>');
    },
  },
  {
    name: 'helm-release',
    path: release,
    ready: async (page) => {
      await untilLive(page);
      await expect(
        page
          .getByRole('region', { name: /^Resources/ })
          .getByRole('row')
          .nth(1),
      ).toBeVisible();
    },
  },
  {
    name: 'helm-values',
    path: `${release}?view=values`,
    ready: async (page) => {
      await untilHeading(/grafana/)(page);
      await expect(page.locator('[data-part=yaml-line]').first()).toBeVisible();
    },
  },
  {
    name: 'helm-history',
    path: `${release}/history`,
    isFull: true,
    ready: async (page) => {
      await untilHeading('History of grafana')(page);
      await expect(page.getByRole('region', { name: 'Compare revisions' })).toContainText('added: ');
    },
  },
  {
    name: 'helm-rollback',
    path: `${release}/history`,
    exemptions: alertExemptions,
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Roll back to revision/ })
        .last()
        .click();
      await expect(page.getByRole('region', { name: 'What will change' })).toBeVisible();
    },
  },
  {
    name: 'scale',
    path: deployment,
    ready: (page) => chooseAction(page, 'Scale…'),
  },
  {
    name: 'roll-back',
    path: `${main}/namespaces/shop/deployments/image-proxy`,
    ready: async (page) => {
      await chooseAction(page, 'Roll back…');
      await page.getByRole('radio').first().check();
      await expect(page.getByRole('region', { name: /^What revision/ })).toBeVisible();
    },
  },
  {
    name: 'confirm',
    path: workspace,
    isFull: true,
    exemptions: alertExemptions,
    ready: async (page) => {
      await selectTwo(page);
      await searchPalette(page, '> delete', /^Delete/);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alertdialog').getByRole('textbox')).toBeVisible();
      await page.getByRole('alertdialog').getByRole('textbox').fill('play');
    },
  },
  {
    name: 'held-change',
    path: checkout,
    ready: async (page, { holdChanges }) => {
      await holdChanges();
      await page.reload();
      await untilLive(page);
      await page.getByRole('button', { name: 'Restart', exact: true }).click();
      await expect(page.locator('[data-toast]').getByRole('button', { name: 'Undo' })).toBeVisible();
    },
  },
  {
    name: 'settings-hold',
    path: '/settings?section=appearance',
    ready: async (page, { holdChanges }) => {
      await holdChanges();
      const held = page.getByRole('radio', { name: /^Hold for 5 s/ });
      await expect(held).toBeChecked();
      await held.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'drain-plan',
    path: `${main}/nodes/worker-a2`,
    exemptions: alertExemptions,
    ready: async (page) => {
      await untilLive(page);
      await page.getByRole('button', { name: 'Drain…' }).click();
      await expect(page.getByText('The node is cordoned first', { exact: false })).toBeVisible();
    },
  },
  {
    name: 'drain-progress',
    path: `${harbour}/nodes/worker-a1`,
    ready: async (page) => {
      await untilLive(page);
      const job = page.getByRole('region', { name: 'Drain node worker-a1' });
      // The picture before may have begun it: the server knows, the page may still have to hear of it.
      if (!(await hasJobs(page))) {
        await page.getByRole('button', { name: 'Drain…' }).click();
        const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
        // Which pods are on the node is chance: none of them is to keep it from being drained.
        for (const pods of ['Pods with data on the node', 'Pods without a controller']) {
          await dialog.getByLabel(pods).click();
          await page.getByRole('option').nth(1).click();
        }
        await dialog.getByRole('button', { name: 'Drain', exact: true }).click();
      }
      await expect(job).toBeVisible();
    },
  },
];
