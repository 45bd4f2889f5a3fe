import { expectAccessible } from './axe.ts';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { eachHand, expect, ownClusters, sharedApp } from './kit.ts';
import { headingOf, toastOf } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

for (const { by, it } of eachHand) {
  it(`somebody who chose alerts is told of new trouble while they look at something else (${by})`, async ({
    page,
    hands,
  }) => {
    const namespace = `alerts-${hands.name}`;
    const { cluster, url } = harbour();
    await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    const initial = { mail: 'off', dailyAt: 480, quiet: null, timeZone: 'UTC' } as const;
    await app().client.call('saveAlertSettings', { body: initial });
    await app().enter(page.context());
    await page.goto(`${app().url}/`);
    await hands.press(page.getByRole('link', { name: 'Choose alerts' }));
    await expect(headingOf(page, 'Alerts')).toBeVisible();
    await expect(page.getByText('No cluster alerts you yet.')).toBeVisible();
    const form = page.getByRole('form', { name: 'Another place' });
    await hands.write(form.getByLabel(/^Namespace/), namespace);
    await hands.press(form.getByRole('button', { name: 'Alert me' }));
    const place = page.getByRole('list', { name: 'Places that alert you' }).getByRole('listitem');
    await expect(place).toContainText(`namespace ${namespace} of harbour`);
    await hands.tick(place.getByRole('checkbox', { name: 'A certificate ends soon' }));
    await expect(place.getByRole('checkbox', { name: 'A certificate ends soon' })).not.toBeChecked();
    await hands.tick(page.getByRole('checkbox', { name: /^Quiet hours/ }));
    await hands.write(page.getByLabel('From'), '02:00');
    await hands.write(page.getByLabel('Until'), '02:01');
    await hands.press(page.getByRole('button', { name: 'Save', exact: true }));
    await expect(toastOf(page, 'Alerts saved')).toBeVisible();
    await expectAccessible(page, 'alerts');

    await page.goto(url('/services'));
    await cluster.call('POST', deploymentsIn(namespace), deploymentOf('siren', { behaviour: 'crash-loop' }));
    await expect(toastOf(page, `${namespace}/siren: `)).toBeVisible({ timeout: 60_000 });
    await expect(page).toHaveTitle(/^\(\d+\) Services/);
    await page.goto(`${app().url}/settings?section=alerts`);
    await hands.press(place.getByRole('button', { name: /^End alerts of/ }));
    await expect(page.getByText('No cluster alerts you yet.')).toBeVisible();
  });
}
