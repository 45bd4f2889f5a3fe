import { join } from 'node:path';
import { PNG } from 'pngjs';
import { faultsOf } from '../e2e/axe.ts';
import { deploymentsIn, limitedToken } from '../e2e/cluster.ts';
import { type Gate, openGate } from '../e2e/gate.ts';
import { expect, localClusters, owner, sharedApp, test } from '../e2e/kit.ts';
import { kubeconfigOf } from '../e2e/kubeconfigs.ts';
import type { ChangeGuard } from '../../src/contract/preferences.ts';
import { type SecondCluster, startSecondCluster } from '../e2e/product.ts';
import { addViewer, inStore } from '../e2e/store.ts';
import { TestClient } from '../server/http-client.ts';
import { hostileObject } from './screens/hostile.ts';
import { between, folder, hasAxe, looks, usual } from './looks.ts';
import { instant, stillPlayground } from './instant.ts';
import { fillOrganisation } from './organisation.ts';
import { screens } from './screens.ts';
import { away, harbour, member, type Shot, team, unwatched } from './shot.ts';
import { hold, release, standStill } from './stillness.ts';

/** Providers whose buttons the sign-in page has; nobody signs in by them here. */
const providers = {
  WHEELHOUSE_OIDC_CORP_ISSUER: 'https://id.example.org',
  WHEELHOUSE_OIDC_CORP_CLIENT_ID: 'wheelhouse',
  WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: 'of the pictures',
  WHEELHOUSE_OIDC_CORP_GROUPS_CLAIM: 'groups',
  WHEELHOUSE_GOOGLE_CLIENT_ID: 'wheelhouse.apps.googleusercontent.com',
  WHEELHOUSE_GOOGLE_CLIENT_SECRET: 'of the pictures',
};
const app = sharedApp({ ...localClusters, ...providers }, 'tests/shots/product.ts');
const viewer = 'kim@example.org';

// The playground is protected here, and another cluster cannot be reached: both have a look of their own.
const addresses = new Map<string, string>();
let gate: Gate;
let cluster: SecondCluster;
test.beforeAll(async () => {
  await inStore(app().product, async (query) => {
    await query('update clusters set is_protected = true');
  });
  await addViewer(app().product, viewer, 1);
  cluster = await startSecondCluster(...stillPlayground);
  gate = await openGate(cluster.server);
  await cluster.call('POST', deploymentsIn('shop'), hostileObject);
  const lost = await openGate(cluster.server);
  const listOnly = await limitedToken(cluster, 'list-only', [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] },
  ]);
  for (const [address, name, { port }, token] of [
    [harbour, 'harbour', gate, cluster.token],
    [away, 'edge-lab', lost, cluster.token],
    [unwatched, 'depot', gate, listOnly],
  ] as const) {
    const user = { token };
    const kubeConfigContent = kubeconfigOf(cluster, [{ name, server: `https://127.0.0.1:${port}`, user }]);
    const { id } = await app().client.call('addCluster', {
      body: { name, description: '', kubeConfigContent },
    });
    addresses.set(address, `/clusters/${id}`);
  }
  const organisation = await fillOrganisation(app());
  addresses.set(team, organisation.team).set(member, organisation.member);
  await lost.shut();
  // Known from here on: one is away, the others have said their version.
  for (const { id } of await app().client.call('clusters', {})) {
    const status = addresses.get(away) === `/clusters/${id}` ? 'unreachable' : 'reachable';
    await expect
      .poll(() => app().client.call('clusterState', { params: { clusterId: id } }), { timeout: 30_000 })
      .toMatchObject({ status });
  }
});

/** Sets what becomes of the Owner's changes by a single key. */
async function saveChanges(changes: ChangeGuard): Promise<void> {
  await app().client.call('savePreferences', { body: { changes } });
}
test.afterEach(async () => {
  await saveChanges('confirm');
  gate.thaw();
  await gate.open();
});
test.afterAll(async () => {
  await gate.shut();
  await cluster.stop();
});

/** Whether each pixel of a picture is equal to the first: the page was not painted. */
function isOfOneColour(picture: Buffer): boolean {
  const { data } = PNG.sync.read(picture);
  return data.subarray(4).equals(data.subarray(0, -4));
}

/** The cookies of whoever looks. */
async function sessionOf(person: Shot['person']): Promise<ReadonlyMap<string, string>> {
  if (person === 'nobody') return new Map();
  if (person === undefined) return app().client.cookies;
  const client = new TestClient(app().url);
  await client.call('signIn', { body: { email: viewer, password: owner.password } });
  return client.cookies;
}

for (const { name, path, person, isFull, exemptions, ready } of screens) {
  for (const { suffix, viewport, deviceScaleFactor } of isFull === true ? [...usual, ...between] : usual) {
    test(`${name}${suffix}`, async ({ another, allow }) => {
      allow(/the server responded with a status of/, /edge-lab|harbour/, /failed with 50\d/);
      allow(/ERR_FAILED \(https:\/\/accounts\.google\.com/);
      const context = await another({
        viewport,
        deviceScaleFactor,
        colorScheme: 'light',
        reducedMotion: 'reduce',
      });
      await context.route('https://accounts.google.com/**', (route) => route.abort());
      const { url } = app();
      await context.addCookies(
        [...(await sessionOf(person))].map(([cookie, value]) => ({ name: cookie, value, url })),
      );
      const page = await context.newPage();
      await standStill(page, instant);
      const at = [...addresses].reduce((text, [from, to]) => text.replaceAll(from, to), path);
      await page.goto(`${url}${at}`);
      await ready(page, {
        shutHarbour: () => gate.shut(),
        freezeHarbour: () => gate.freeze(),
        holdChanges: () => saveChanges('hold'),
      });
      // What goes by itself (keys that may follow, toasts) is on each of them.
      await hold(page);
      for (const { look, ...media } of looks) {
        await page.emulateMedia(media);
        const file = join(folder, `${name}${suffix}-${look}.png`);
        const picture = await page.screenshot({ path: file, animations: 'disabled', caret: 'initial' });
        expect(isOfOneColour(picture), `${file} is of one colour`).toBe(false);
      }
      await release(page);
      if (!hasAxe) return;
      const faults: string[] = [];
      for (const { look, ...media } of looks) {
        // What a system's own colours look like is not for axe to judge.
        if (look === 'forced') continue;
        // Nor are colours on their way from one look to the other.
        await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
        faults.push(...(await faultsOf(page, look, exemptions)));
      }
      expect(faults).toEqual([]);
    });
  }
}
