import { expect, type Page } from 'playwright/test';
import { stringify } from 'yaml';
import { execUser } from '../../e2e/kubeconfigs.ts';
import { main, member, type Shot, team, untilHeading, untilLive } from '../shot.ts';

/** Two contexts that can be added, and one that signs in by a program. */
const contexts = stringify({
  clusters: [{ name: 'prod', cluster: { server: 'https://prod.example.org:6443' } }],
  users: [
    { name: 'someone', user: { token: 'something' } },
    { name: 'program', user: execUser },
  ],
  contexts: [
    { name: 'prod', context: { cluster: 'prod', user: 'someone' } },
    { name: 'staging', context: { cluster: 'prod', user: 'someone' } },
    { name: 'eks', context: { cluster: 'prod', user: 'program' } },
  ],
  'current-context': 'prod',
});

/** Pages that are no list and no object. */
export const pages: readonly Shot[] = [
  {
    name: 'login',
    path: '/login',
    person: 'nobody',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
    },
  },
  {
    name: 'ways-to-sign-in',
    path: '/settings?section=sign-in',
    ready: async (page) => {
      await expect(page.getByRole('list', { name: 'Sessions' })).toContainText('This one');
    },
  },
  {
    name: 'company-sign-in',
    path: '/settings?section=company-sign-in',
    ready: async (page) => {
      await expect(page.getByText('checkout-operators')).toHaveCount(2);
    },
  },
  {
    name: 'login-return',
    path: `${main}/pods`,
    person: 'nobody',
    ready: async (page) => {
      await expect(page.getByText(/^After signing in you return to/)).toBeVisible();
    },
  },
  {
    name: 'invite-not-found',
    path: '/invite-not-found',
    person: 'nobody',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    },
  },
  {
    name: 'home',
    path: '/',
    ready: async (page) => {
      await expect(page.getByRole('table', { name: 'Clusters' }).getByText(/failing/)).toHaveCount(3, {
        timeout: 60_000,
      });
    },
  },
  {
    name: 'dashboard',
    path: main,
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('region', { name: /^Capacity/ })).toBeVisible();
      await untilLive(page);
    },
  },
  { name: 'clusters', path: '/clusters', isFull: true, ready: untilHeading(/./) },
  {
    name: 'clusters-add',
    path: '/clusters',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add clusters' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'clusters-contexts',
    path: '/clusters',
    isFull: true,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add clusters' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add clusters' });
      await dialog.getByLabel('Kubeconfig').fill(contexts);
      // Where it stands after that is not the same each time.
      await dialog.getByLabel('Kubeconfig').evaluate((field) => field.scrollTo(0, 0));
      await dialog.getByRole('group', { name: 'eks', exact: true }).scrollIntoViewIfNeeded();
      await expect(dialog.getByRole('group', { name: 'prod', exact: true }).getByLabel('Name')).toHaveValue(
        'prod',
      );
    },
  },
  {
    name: 'cluster-settings',
    path: `${main}/settings/cluster`,
    ready: async (page) => {
      await expect(page.getByRole('checkbox', { name: 'kube-system' })).toBeVisible();
    },
  },
  {
    name: 'cluster-rules',
    path: `${main}/settings/global`,
    ready: async (page) => {
      await expect(page.getByRole('checkbox', { name: 'Protected' })).toBeVisible();
    },
  },
  { name: 'settings', path: '/settings', isFull: true, ready: untilHeading(/./) },
  { name: 'settings-appearance', path: '/settings?section=appearance', ready: untilHeading(/./) },
  { name: 'settings-alerts', path: '/settings?section=alerts', ready: untilHeading(/./) },
  { name: 'settings-keys', path: '/settings?section=keys', ready: untilHeading(/./) },
  {
    name: 'teams',
    path: '/settings/teams',
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('table', { name: 'Teams' })).toBeVisible();
    },
  },
  {
    name: 'team',
    path: team,
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('table', { name: 'Members' })).toBeVisible();
      await expect(
        page.getByRole('region', { name: 'Clusters' }).getByRole('listitem').first(),
      ).toBeVisible();
    },
  },
  {
    name: 'team-namespaces',
    path: team,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Namespaces of playground', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Only some namespaces').check();
      await expect(dialog.getByLabel('shop', { exact: true })).toBeVisible();
      await dialog.getByLabel('shop', { exact: true }).check();
    },
  },
  {
    name: 'permissions',
    path: '/settings/permissions',
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('table', { name: 'Permissions' })).toBeVisible();
    },
  },
  {
    name: 'my-permissions',
    path: '/settings/my-permissions',
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('heading', { name: 'Clusters', level: 2 })).toBeVisible();
    },
  },
  {
    name: 'members',
    path: '/settings/organization/members',
    ready: async (page) => {
      await expect(page.getByRole('table', { name: 'Members' })).toBeVisible();
    },
  },
  {
    name: 'invite',
    path: '/settings/organization/members',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Invite…' }).click();
      await expect(page.getByRole('dialog', { name: 'Invite somebody' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Add a team' })).toBeVisible();
    },
  },
  {
    name: 'company',
    path: '/settings?section=company',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: 'Delete organisation…' })).toBeVisible();
    },
  },
  {
    name: 'plan',
    path: '/settings?section=plan',
    isFull: true,
    ready: async (page) => {
      await expect(page.getByRole('region', { name: 'Limits' })).toBeVisible();
    },
  },
  {
    name: 'plans',
    path: '/settings?section=plan',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Choose a plan…' }).click();
      await page.getByRole('button', { name: 'Select Plan: Business', exact: true }).click();
      await expect(page.getByRole('textbox', { name: 'Seats' })).not.toHaveValue('');
    },
  },
  {
    name: 'audit',
    path: '/settings?section=audit',
    ready: async (page) => {
      await expect(page.getByRole('table', { name: 'Audit' })).toBeVisible();
    },
  },
  {
    name: 'audit-entry',
    path: '/settings?section=audit',
    ready: async (page) => {
      await page.getByRole('table', { name: 'Audit' }).getByRole('link').first().click();
      await expect(page.getByText('Request', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'audit-empty',
    path: '/settings?section=audit&object=nothing-has-this-name',
    ready: async (page) => {
      await expect(page.getByRole('heading', { name: 'No such entry' })).toBeVisible();
    },
  },
  {
    name: 'recordings-empty',
    path: '/settings?section=recordings',
    ready: async (page) => {
      await expect(page.getByRole('heading', { name: 'Nothing is recorded yet' })).toBeVisible();
    },
  },
  {
    name: 'companies',
    path: '/settings?section=companies',
    ready: async (page) => {
      await expect(page.getByRole('region', { name: 'Your organisations' })).toBeVisible();
    },
  },
  {
    name: 'access-requests',
    path: '/settings?section=access-requests',
    ready: async (page) => {
      await expect(page.getByRole('list', { name: 'Waiting for your decision' })).toBeVisible();
    },
  },
  {
    name: 'tokens',
    path: '/settings?section=tokens',
    ready: async (page) => {
      await expect(page.getByRole('list', { name: 'Your API tokens' })).toBeVisible();
    },
  },
  {
    name: 'token-new',
    path: '/settings?section=tokens',
    ready: async (page) => {
      await page.getByRole('button', { name: 'New token…' }).click();
      const dialog = page.getByRole('dialog', { name: 'New API token' });
      await dialog.getByLabel('Only some of my clusters').check();
      await expect(dialog.getByLabel('harbour')).toBeVisible();
    },
  },
  {
    name: 'member',
    path: member,
    ready: async (page) => {
      await expect(page.getByRole('region', { name: 'Clusters' })).toBeVisible();
    },
  },
  { name: 'no-such-page', path: '/no/such/place', ready: untilHeading(/./) },
  { name: 'toast-test', path: '/tests/toast-test', person: 'nobody', ready: showToasts },
  {
    name: 'action-button-test',
    path: '/tests/action-button-test',
    person: 'nobody',
    ready: untilHeading('Action button'),
  },
];

async function showToasts(page: Page): Promise<void> {
  await untilHeading('Toasts')(page);
  for (const type of ['Success', 'Warning', 'Error']) {
    await page.getByRole('button', { name: type, exact: true }).click();
    await page.getByRole('button', { name: 'Add without end', exact: true }).click();
  }
  await expect(page.locator('[data-toast]').nth(2)).toBeVisible();
}
