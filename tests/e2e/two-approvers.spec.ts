import { TestClient } from '../server/http-client.ts';
import { alertExemptions, expectAccessible } from './axe.ts';
import { sharedCluster } from './cluster.ts';
import { eachHand, enterAs, expect, owner, ownClusters, sharedApp } from './kit.ts';
import { toastOf } from './places.ts';
import { addPerson, addViewer, inStore } from './store.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);
const place = '/settings?section=access-requests';

for (const { by, it, handsOf } of eachHand) {
  it(
    `two people approve temporary access, once two Owners ask for it (${by})`,
    inBothHands,
    async ({ page, context, another, hands }) => {
      const asker = { name: 'Kim Viewer', email: `kim-${by}@example.org` };
      const second = { name: `Ada ${by}`, email: `ada-${by}@example.org` };
      await addViewer(app().product, asker.email, harbour().id);
      const { userId } = await addPerson(app().product, second.email, second.name);
      const setRole = async (role: number) =>
        await inStore(app().product, async (query) => {
          await query('update memberships set org_role = $1 where user_id = $2', [role, userId]);
        });
      const row = `${asker.name}: pods.manage on harbour`;
      const browser = await another();
      await app().enter(context);

      await page.goto(app().url + place);
      const rule = page.getByRole('region', { name: 'Approvals' });
      const demand = rule.getByRole('button', { name: 'Require two approvals…' });
      await expect(rule).toContainText(`Two approvals need two Owners`);
      await expect(demand).toBeDisabled();
      await setRole(1);
      await page.reload();
      await hands.press(demand);
      const question = page.getByRole('alertdialog', { name: 'Require two approvals?' });
      await expect(question).toContainText('also those that are waiting');
      await expectAccessible(page, 'the question for two approvals', alertExemptions);
      await hands.press(question.getByRole('button', { name: 'Require two' }));
      await expect(rule).toContainText(
        'Each request needs approval from two people other than the one who asks.',
      );

      const client = new TestClient(app().url);
      await client.call('signIn', { body: { email: asker.email, password: owner.password } });
      const { id: clusterId } = harbour();
      await client.call('askAccess', {
        body: { clusterId, permissions: ['pods.manage'], namespaces: null, reason: 'A rescue', minutes: 60 },
      });
      const approve = { name: `Approve ${row}` };
      await expect(page.getByRole('list', { name: 'Waiting for your decision' })).toContainText(
        'Needs 2 approvals',
      );
      await hands.press(page.getByRole('button', approve));
      await expect(toastOf(page, 'Approved. Somebody else has to approve it as well.')).toBeVisible();
      await expect(page.getByRole('list', { name: 'Waiting for another approval' })).toContainText(
        `Approved by ${owner.name} · needs 2 approvals`,
      );
      await expect(page.getByRole('button', approve)).toBeHidden();
      await expectAccessible(page, 'a request that somebody else has to approve');

      // The first approval gives nothing.
      const stateOf = async () => (await client.call('accessRequests', {})).requests[0]?.state;
      expect(await stateOf()).toBe('pending');
      const ada = await enterAs(app(), second.email, browser, place);
      const hers = ada.getByRole('list', { name: 'Waiting for your decision' });
      await expect(hers).toContainText(`Approved by ${owner.name}`);
      await expectAccessible(ada, 'a request that somebody approved already');
      await handsOf(ada).press(ada.getByRole('button', approve));
      await expect(toastOf(ada, 'Approved for 1 hour')).toBeVisible();
      expect(await stateOf()).toBe('active');
      // The toasts of the first approval go with the page: they cover what is below them.
      await page.reload();
      await expect(page.getByRole('list', { name: 'Held by others' })).toContainText(
        `approved by ${owner.name} and ${second.name}`,
      );

      await hands.press(page.getByRole('button', { name: `Revoke ${row}` }));
      await expect.poll(stateOf).not.toBe('active');
      await hands.press(rule.getByRole('button', { name: 'Require one approval…' }));
      await hands.press(page.getByRole('button', { name: 'Require one', exact: true }));
      await expect(rule).toContainText(
        'Each request needs approval from one person other than the one who asks.',
      );
      await setRole(2);
    },
  );
}
