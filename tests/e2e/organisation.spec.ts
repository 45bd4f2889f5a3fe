import type { BrowserContext, Locator, Page } from 'playwright/test';
import { expectAccessible, prepareAxe } from './axe.ts';
import { eachHand, expect, localClusters, owner, sharedApp } from './kit.ts';
import { podRows } from './places.ts';
import { addPerson } from './store.ts';
import { TestClient } from '../server/http-client.ts';

const app = sharedApp(localClusters);

/** Signs a browser in as somebody whom `addPerson` made, and opens the console. */
async function enterAs(email: string, context: BrowserContext): Promise<Page> {
  const client = new TestClient(app().url);
  await client.call('signIn', { body: { email, password: owner.password } });
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: app().url })));
  const page = await context.newPage();
  await page.goto(app().url);
  return page;
}

for (const { by, it } of eachHand) {
  it(`an Owner lets a team see a cluster, and takes somebody out while they look (${by})`, async ({
    page,
    context,
    another,
    allow,
    hands,
  }) => {
    // The last Owner is refused; what is read while it is taken away is not there.
    allow(/status of 40[49]/, /failed with 40[49]/);
    const email = `noa-${by}@example.org`;
    const name = `Noa ${by}`;
    await addPerson(app().product, email, name);
    await prepareAxe(context);
    await app().enter(context);
    const noa = await enterAs(email, await another());
    await expect(noa.getByText('An Owner of your organisation can add clusters')).toBeVisible();

    await page.goto(app().url);
    await hands.press(page.getByRole('banner').getByRole('link', { name: 'Teams' }));
    await expect(page.getByRole('heading', { name: 'Teams', level: 1 })).toBeVisible();
    await hands.press(page.getByRole('button', { name: 'New team' }));
    const creating = page.getByRole('dialog', { name: 'New team' });
    await hands.write(creating.getByLabel('Name'), `Checkout ${by}`);
    await hands.press(creating.getByRole('button', { name: 'Create team' }));
    const team = page.getByRole('region', { name: `Checkout ${by}`, exact: true });
    await expect(team).toBeVisible();
    await expect(page).toHaveURL(/\/settings\/teams\/\d+$/);

    await hands.pick(team.getByRole('button', { name: 'Grant cluster' }), 'playground');
    await expect(team.getByRole('link', { name: 'playground', exact: true })).toBeVisible();
    await hands.press(team.getByRole('button', { name: 'Add member' }));
    const adding = page.getByRole('dialog', { name: `Add a member to Checkout ${by}` });
    await hands.pick(adding.getByRole('button', { name: /^Person:/ }), name);
    await hands.press(adding.getByRole('button', { name: 'Add to team' }));
    await expect(adding).toBeHidden();
    const role = team.getByLabel(`Role of ${name}`);
    await expect(role).toHaveText('Viewer view only');
    await expectAccessible(page, 'a team');

    // The person sees the cluster at once, and it is gone at once when they are taken out.
    await noa
      .getByRole('region', { name: /^Clusters/ })
      .getByRole('link', { name: /^playground(?!-)/ })
      .click();
    await noa.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Pods' }).click();
    await expect(podRows(noa).filter({ hasText: 'kube-system' }).first()).toBeVisible();

    // Of two namespaces the person sees what is in them alone, and one vanishes while they look.
    const restrict = async (change: (dialog: Locator) => Promise<void>) => {
      await hands.press(team.getByRole('button', { name: 'Namespaces of playground' }));
      const restricting = page.getByRole('dialog', { name: `What Checkout ${by} reaches of playground` });
      await change(restricting);
      await hands.press(restricting.getByRole('button', { name: 'Save' }));
      await expect(restricting).toBeHidden();
    };
    await restrict(async (dialog) => {
      await hands.tick(dialog.getByLabel('Only some namespaces'));
      await hands.tick(dialog.getByLabel('ingress', { exact: true }));
      await hands.write(dialog.getByLabel('More namespaces'), 'payments');
      await expectAccessible(page, 'the namespaces of a grant');
    });
    await expect(team.getByText('namespaces ingress, payments')).toBeVisible();
    await expect(podRows(noa).filter({ hasText: 'payments' }).first()).toBeVisible();
    await expect(podRows(noa).filter({ hasNotText: /ingress|payments/ })).toHaveCount(0);
    await expect(
      noa.getByRole('region', { name: /^Pods in playground, namespaces ingress, payments only/ }),
    ).toBeVisible();
    await expect(
      noa.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Nodes' }),
    ).toHaveCount(0);
    await restrict((dialog) => hands.tick(dialog.getByLabel('payments', { exact: true })));
    await expect(podRows(noa).filter({ hasText: 'payments' })).toHaveCount(0);
    await expect(podRows(noa).filter({ hasText: 'ingress' }).first()).toBeVisible();
    await expectAccessible(page, 'a team with a restricted grant');
    await hands.select(role, 'SecretViewer view with secrets');
    await hands.press(team.getByRole('button', { name: `Remove ${name}` }));
    await expect(team.getByText('Nobody is in this team yet.')).toBeVisible();
    await expect(podRows(noa)).toHaveCount(0);
    await expect(noa).toHaveURL(`${app().url}/`);

    // Toasts of what was done lie over the buttons up there; a pointer that waits on one keeps it.
    await expect(page.locator('[data-toast]')).toHaveCount(0);
    await hands.press(team.getByRole('button', { name: 'Delete team…' }));
    const deleting = page.getByRole('alertdialog');
    await hands.press(deleting.getByRole('button', { name: 'Delete team' }));
    await expect(page.getByText('No team yet')).toBeVisible();

    const settings = page.getByRole('navigation', { name: 'Settings' });
    const people = page.getByRole('table', { name: 'Members' });
    await hands.press(settings.getByRole('link', { name: 'Members' }));
    await expect(people.getByRole('row', { name })).toContainText('no team');
    await expectAccessible(page, 'the members');
    await hands.press(people.getByRole('link', { name: owner.name }));
    await expect(page.getByText('every permission (18)').first()).toBeVisible();
    await hands.press(page.getByRole('button', { name: 'Suspend…' }));
    const dialog = page.getByRole('alertdialog');
    await hands.press(dialog.getByRole('button', { name: 'Suspend' }));
    await expect(dialog.getByRole('alert')).toContainText('This is the last Owner of the organisation');
    await hands.press(dialog.getByRole('button', { name: 'Cancel' }));

    await hands.press(page.getByRole('main').getByRole('link', { name: 'All members' }));
    await hands.press(people.getByRole('link', { name }));
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await expectAccessible(page, 'a member');
  });
}
