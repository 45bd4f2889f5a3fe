import { limitedToken } from './cluster.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { kubeconfigOf } from './kubeconfigs.ts';
import { headingOf, sectionOf } from './places.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';

const app = sharedApp(ownClusters);
/** More clusters than home follows the dashboards of. */
const calm = Array.from({ length: 44 }, (_, at) => `berth-${String(at).padStart(2, '0')}`);
let cluster: SecondCluster;

test.beforeAll(async () => {
  cluster = await startSecondCluster();
  const token = await limitedToken(cluster, 'berths', [
    { apiGroups: [''], resources: ['namespaces', 'nodes'], verbs: ['get', 'list', 'watch'] },
  ]);
  const clusters = calm.map((name) => ({
    name,
    description: '',
    kubeConfigContent: kubeconfigOf(cluster, [{ name, server: cluster.server, user: { token } }]),
  }));
  const { errors } = await app().client.call('addClusters', { body: { clusters } });
  expect(errors).toEqual([]);
  // Added last, and last by its name: only what is wrong with it brings it to the top.
  await app().client.call('addCluster', {
    body: { name: 'zulu', description: '', kubeConfigContent: cluster.kubeconfig },
  });
});
test.afterAll(() => cluster.stop());

/** Lists that the server watches. */
async function watched(): Promise<number> {
  const answer = await fetch(`${app().url}/metrics`);
  return Number(/^wheelhouse_live_reflectors (?<count>\d+)$/m.exec(await answer.text())?.groups?.['count']);
}

/** Number of clusters that were never counted; they are counted because it is asked. */
async function uncounted(): Promise<number> {
  const { clusters } = await app().client.call('fleet', {});
  expect(clusters.length).toBeGreaterThan(calm.length);
  return clusters.filter(({ readAt }) => readAt === null).length;
}

for (const { by, it } of eachHand) {
  it(`home shows every one of many clusters with the age of its figures, and opens no watch (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    await expect.poll(watched, { timeout: 90_000 }).toBe(0);
    await expect.poll(uncounted, { timeout: 90_000 }).toBe(0);
    await app().enter(context);
    await page.goto(app().url);
    const fleet = page.getByRole('table', { name: 'Clusters' });
    const row = fleet.getByRole('row', { name: /^zulu/ });
    await expect(row).toContainText(/\d+ failing/);
    await expect(row).toContainText(/as of \d+s ago/);
    await expect(row.getByRole('cell', { name: '6 ready', exact: true })).toBeVisible();
    await expect(fleet.getByRole('link').first()).toHaveText('zulu');
    for (const name of calm)
      await expect(fleet.getByRole('row', { name: new RegExp(`^${name}`) })).toContainText('Healthy');
    expect(await watched()).toBe(0);
    const line = sectionOf(page, 'Needs attention anywhere')
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'zulu', exact: true }) });
    await expect(line).toContainText(/\d+ Deployments?\b.* failing/);
    await hands.press(line.getByRole('link'));
    await expect(headingOf(page, 'zulu')).toBeVisible();
    await page.goto('about:blank');
  });
}
