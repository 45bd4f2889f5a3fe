import { specified } from '../web/create-spec.ts';
import { expectAccessible } from './axe.ts';
import { namespaceOf, sharedCluster } from './cluster.ts';
import { editorText } from './hands.ts';
import { eachHand, expect, ownClusters, owner, sharedApp } from './kit.ts';
import { dialogOf, headingOf } from './places.ts';
import { inStore } from './store.ts';
import { addDevice } from './virtual-device.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

for (const { by, it } of eachHand) {
  it(
    `somebody whom a new rule asks for a passkey registers one, and finds what they typed (${by})`,
    inBothHands,
    async ({ page, hands, allow }) => {
      allow(/status of 401|401 \(Unauthorized\)/, /failed with 401/, /could not be kept/);
      const ask = async (isAsked: boolean, meanwhile: () => Promise<void> = async () => {}) =>
        await inStore(app().product, async (query) => {
          await meanwhile();
          await query('delete from passkeys');
          await query('update companies set everybody_uses_passkeys = $1', [isAsked]);
        });
      await ask(false);
      await app().client.call('deleteDraft', { params: { place: 'create' } });
      await addDevice(page);
      const namespace = `asked-${hands.name}`;
      await harbour().cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
      const place = harbour().url(`/namespaces/${namespace}`).replace('127.0.0.1', 'localhost');
      const signIn = async () => {
        await hands.write(page.getByLabel('Email'), owner.email);
        await hands.write(page.getByLabel(/^Password/), owner.password);
        await hands.press(page.getByRole('button', { name: 'Sign in', exact: true }));
      };
      await page.goto(place);
      await signIn();
      await expect(headingOf(page, namespace)).toBeVisible();
      if (hands.name === 'keyboard') await page.keyboard.type('cr');
      else await page.getByRole('button', { name: 'Create Resource' }).first().click();
      const text = dialogOf(page, specified.title).getByRole('textbox', { name: 'YAML of the resource' });
      await expect(text).toBeVisible();
      try {
        // A typed text is sent a moment later. Any call after the rule leads to sign-in, which may close the dialog first.
        await ask(true, async () => {
          await hands.paste(
            text,
            `kind: ConfigMap\napiVersion: v1\nmetadata: {name: kept, namespace: ${namespace}}`,
          );
        });
        await signIn();
        await expect(page.getByText('asks you to sign in with a passkey.')).toBeVisible();
        await expectAccessible(page, 'registering the first passkey');
        await hands.press(page.getByRole('button', { name: 'Register a passkey' }));
        await expect(page).toHaveURL(place);
        await expect.poll(() => editorText(text)).toContain('name: kept');
      } finally {
        await ask(false);
      }
    },
  );
}
