import { expectAccessible } from './axe.ts';
import { eachHand, expect, ownClusters, owner, sharedApp, test } from './kit.ts';
import { addPerson, inStore } from './store.ts';
import { addDevice } from './virtual-device.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);

/** Browsers know no passkeys at a bare address. */
const at = (path: string) => app().url.replace('127.0.0.1', 'localhost') + path;

for (const { by, it } of eachHand) {
  it(
    `a passkey is registered, named, asked of Owners, used and removed (${by})`,
    inBothHands,
    async ({ page, hands, allow }) => {
      // The last passkey is not removed while the rule asks for one, and a removed one opens nothing.
      allow(
        /DELETE \/api\/profile\/passkeys\/:passkeyId failed with 409/,
        /POST \/api\/auth\/passkey failed with 401/,
      );
      allow(/status of (401|409)/);
      await addDevice(page);
      const list = page.getByRole('list', { name: 'Passkeys' });
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
      const section = () => page.goto(at('/settings?section=sign-in'));

      await test.step('who signed in by password registers one', async () => {
        await page.goto(at('/settings?section=sign-in'));
        await hands.write(page.getByLabel('Email'), owner.email);
        await hands.write(page.getByLabel('Password'), owner.password);
        await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
        await expect(page.getByText('You have no passkey yet.')).toBeVisible();
        await hands.press(page.getByRole('button', { name: 'Add passkey…' }));
        await expect(dialog.getByLabel('Name')).toBeVisible();
        await expectAccessible(page, 'adding a passkey');
        await hands.write(dialog.getByLabel('Name'), 'Work laptop');
        await hands.press(dialog.getByRole('button', { name: 'Add passkey' }));
        await expect(list).toContainText('Work laptop');
        await expect(dialog).toBeHidden();
        await expectAccessible(page, 'passkeys');
      });

      await test.step('it gets another name', async () => {
        await hands.press(list.getByRole('button', { name: 'Rename Work laptop' }));
        await hands.write(dialog.getByLabel('Name'), 'Key of the office');
        await hands.press(dialog.getByRole('button', { name: 'Rename' }));
        await expect(list).toContainText('Key of the office');
      });

      await test.step('signed out, it leads back to the place that was asked for, without an address', async () => {
        await page.context().clearCookies();
        await page.goto(at('/settings?section=company-sign-in'));
        await hands.press(page.getByRole('button', { name: 'Sign in with a passkey' }));
        await expect(page.getByRole('region', { name: 'Passkeys', exact: true })).toBeVisible();
        expect(new URL(page.url()).pathname).toBe('/settings');
      });

      await test.step('the organisation asks its Owners for one, and the password opens it no more', async () => {
        await hands.press(page.getByRole('button', { name: 'Require passkeys of Owners…' }));
        await hands.press(page.getByRole('button', { name: 'Require passkeys', exact: true }));
        await expect(page.getByText('Owners can open this organisation only with a passkey.')).toBeVisible();
        await expect(page.getByRole('button', { name: 'Stop requiring passkeys…' })).toBeVisible();
        await expectAccessible(page, 'the rule for passkeys');
        await page.context().clearCookies();
        await page.goto(at('/'));
        await hands.write(page.getByLabel('Email'), owner.email);
        await hands.write(page.getByLabel('Password'), owner.password);
        await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
        await expect(page.getByText('asks you to sign in with a passkey.')).toBeVisible();
        await expectAccessible(page, 'a passkey is needed');
        await hands.press(page.getByRole('button', { name: 'Sign in with a passkey' }));
        await expect(page.getByRole('heading', { name: 'No cluster yet' })).toBeVisible();
      });

      await test.step('it asks everybody for one once everybody has one', async () => {
        const { userId } = await addPerson(app().product, `late-${hands.name}@example.org`, 'Kim Late');
        await page.goto(at('/settings?section=company-sign-in'));
        const button = page.getByRole('button', { name: 'Require passkeys of everybody…' });
        await expect(page.getByText('People without a passkey (1): Kim Late.')).toBeVisible();
        await expect(button).toBeDisabled();
        await expectAccessible(page, 'a rule that people cannot meet yet');
        await inStore(app().product, async (query) => {
          await query('update memberships set state = $1 where user_id = $2', ['suspended', userId]);
        });
        await page.reload();
        await hands.press(button);
        await hands.press(page.getByRole('button', { name: 'Require passkeys', exact: true }));
        await expect(
          page.getByText('Everybody can open this organisation only with a passkey'),
        ).toBeVisible();
        await expectAccessible(page, 'the rule for everybody');
      });

      await test.step('the last one stays while it is asked for, and goes with a word', async () => {
        await section();
        const remove = page.getByRole('button', { name: 'Remove Key of the office' });
        await hands.press(remove);
        await expect(dialog).toContainText('your last passkey?');
        await hands.press(dialog.getByRole('button', { name: 'Remove passkey' }));
        await expect(dialog.getByRole('alert')).toContainText('this is your last one');
        await hands.press(dialog.getByRole('button', { name: 'Cancel' }));

        await page.goto(at('/settings?section=company-sign-in'));
        await hands.press(page.getByRole('button', { name: 'Stop requiring passkeys…' }));
        await hands.press(page.getByRole('button', { name: 'Stop requiring', exact: true }));
        await expect(page.getByRole('button', { name: 'Require passkeys of Owners…' })).toBeVisible();
        await section();
        await hands.press(remove);
        await hands.press(dialog.getByRole('button', { name: 'Remove passkey' }));
        await expect(page.getByText('You have no passkey yet.')).toBeVisible();
      });

      await test.step('a passkey that is gone opens nothing, and the page says so', async () => {
        await page.context().clearCookies();
        await page.goto(at('/login'));
        await hands.press(page.getByRole('button', { name: 'Sign in with a passkey' }));
        await expect(page.getByRole('alert')).toContainText('This passkey belongs to no account here');
      });
    },
  );
}
