import { namespaceOf, sharedCluster } from './cluster.ts';
import { eachHand, expect, ownClusters, sharedApp } from './kit.ts';
import { dialogOf, headingOf, statusLine, toastOf } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

for (const { by, it } of eachHand) {
  it(`the Job that a CronJob is made to run is named, and opened from the toast (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const { cluster } = harbour();
    const namespace = `tide-${hands.name}`;
    await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
    const template = {
      spec: { restartPolicy: 'Never', containers: [{ name: 'dredge', image: 'dredge:1' }] },
    };
    await cluster.call('POST', `/apis/batch/v1/namespaces/${namespace}/cronjobs`, {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'dredge' },
      spec: { schedule: '0 3 1 1 *', jobTemplate: { spec: { template } } },
    });
    await app().enter(context);
    await page.goto(harbour().url(`/namespaces/${namespace}/cronjobs/dredge`));
    await expect(statusLine(page)).toContainText(/^Live/);
    await hands.press(page.getByRole('button', { name: 'Run now', exact: true }));
    const dialog = dialogOf(page, 'Run now CronJob dredge');
    await hands.press(dialog.getByRole('button', { name: 'Run now', exact: true }));
    await expect(dialog).toBeHidden();
    const toast = toastOf(page, /CronJob dredge started: Job dredge-manual-\w+/);
    await expect(toast).toBeVisible();
    const [job = ''] =
      /dredge-manual-\w+$/.exec((await toast.locator('[data-part=title]').textContent()) ?? '') ?? [];
    await hands.press(toast.getByRole('button', { name: 'Open', exact: true }));
    await expect(toast).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`/namespaces/${namespace}/objects/batch/jobs/${job}$`));
    await expect(headingOf(page, job)).toBeVisible();
  });
}
