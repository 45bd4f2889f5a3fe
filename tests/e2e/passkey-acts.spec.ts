import { expectAccessible } from './axe.ts';
import { namespaceOf, sharedCluster } from './cluster.ts';
import { armed, pauseTyping } from './hands.ts';
import { eachHand, expect, ownClusters, owner, sharedApp, test } from './kit.ts';
import { dialogOf, statusLine, toastOf } from './places.ts';
import { inStore } from './store.ts';
import { addDevice } from './virtual-device.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

/** Browsers know no passkeys at a bare address. */
const atName = (address: string) => address.replace('127.0.0.1', 'localhost');

for (const { by, it } of eachHand) {
  it(
    `a cluster asks for a passkey before a dangerous act, which goes on with what was typed (${by})`,
    inBothHands,
    async ({ page, hands, allow }) => {
      allow(/failed with (403|409)/);
      allow(/status of (403|409)/);
      const device = await addDevice(page);
      await inStore(app().product, async (query) => void (await query('delete from passkeys')));
      const namespace = `quay-${hands.name}`;
      await harbour().cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
      const rule = page.getByRole('checkbox', { name: 'Passkey for dangerous actions' });
      const asked = dialogOf(page, 'Use a passkey');
      const pressPasskey = async () => {
        await hands.press(asked.getByRole('button', { name: 'Use a passkey' }));
        await expect(asked).toBeHidden();
      };

      await test.step('the rule waits until everybody whom it binds has a passkey', async () => {
        await page.goto(atName(harbour().url('/settings/global')));
        await hands.write(page.getByLabel('Email'), owner.email);
        await hands.write(page.getByLabel('Password'), owner.password);
        await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
        await expect(page.getByText('Without a passkey (1)')).toBeVisible();
        await hands.tick(rule);
        await expect(page.getByRole('alert')).toContainText('1 person has no passkey yet');
        await expectAccessible(page, 'a rule that cannot be set yet');
      });

      await test.step('it is set with a passkey', async () => {
        await page.goto(atName(`${app().url}/settings?section=sign-in`));
        await hands.press(page.getByRole('button', { name: 'Add passkey…' }));
        const dialog = page.getByRole('dialog');
        await hands.write(dialog.getByLabel('Name'), 'Work laptop');
        await hands.press(dialog.getByRole('button', { name: 'Add passkey' }));
        await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Work laptop');
        await page.goto(atName(harbour().url('/settings/global')));
        await hands.tick(rule);
        await expect(asked).toContainText('asks for a passkey before this');
        await expectAccessible(page, 'the question for a passkey');
        await pressPasskey();
        await expect(toastOf(page, 'Passkey for dangerous actions: on')).toBeVisible();
        await expect(rule).toBeChecked();
      });

      await test.step('declined, the dialog keeps what was typed; with the passkey it goes on', async () => {
        await page.goto(atName(harbour().url(`/namespaces/${namespace}`)));
        await expect(statusLine(page)).toContainText(/^Live/);
        await page.keyboard.press('Shift+D');
        const dialog = dialogOf(page, `Delete Namespace ${namespace}?`);
        const name = dialog.getByRole('textbox');
        await armed(name);
        await hands.write(name, namespace);
        const verb = dialog.getByRole('button', { name: 'Delete', exact: true });
        await pauseTyping(page);
        await hands.press(verb);
        await device.answers(false);
        await hands.press(asked.getByRole('button', { name: 'Use a passkey' }));
        await expect(asked.getByRole('alert')).toContainText('No passkey was used');
        await device.answers(true);
        await hands.press(asked.getByRole('button', { name: 'Cancel' }));
        await expect(dialog).toContainText('asks for a passkey before this');
        await expect(name).toHaveValue(namespace);
        await hands.press(verb);
        await pressPasskey();
        await expect(dialog).toBeHidden();
      });

      await test.step('a shell opens once the passkey was used', async () => {
        const [pod = ''] = await harbour().cluster.podNames('shop', 'checkout-');
        await page.goto(atName(harbour().url(`/namespaces/shop/pods/${pod}?view=shell`)));
        await pressPasskey();
        await expect(page.getByRole('status').filter({ hasText: /^Running (ba)?sh$/ })).toBeVisible();
      });

      await test.step('it is lifted with a passkey', async () => {
        await page.goto(atName(harbour().url('/settings/global')));
        await hands.tick(rule);
        await pressPasskey();
        await expect(toastOf(page, 'Passkey for dangerous actions: off')).toBeVisible();
      });
    },
  );
}
