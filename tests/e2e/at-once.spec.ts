import { expectAccessible } from './axe.ts';
import { sharedCluster } from './cluster.ts';
import { addMembers, grantClusters } from './grants.ts';
import { eachHand, expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import { addPerson } from './store.ts';
import { inBothHands } from '../gate/turn.ts';

/** Has no mail server: links are passed on by hand. */
const app = sharedApp(ownClusters);
const first = sharedCluster(app, 'first');
test.beforeAll(async () => {
  await app().client.call('addCluster', {
    body: { name: 'second', description: '', kubeConfigContent: first().cluster.kubeconfig },
  });
});

for (const { by, it } of eachHand) {
  it(
    `an Owner invites the addresses of a CSV at once, each judged by itself, and copies the links (${by})`,
    inBothHands,
    async ({ page, context, hands }) => {
      const [shop, devs] = [`Shop ${by}`, `Devs ${by}`];
      for (const name of [shop, devs])
        await app().client.call('createTeam', { body: { name, description: '' } });
      const [ann, bo] = [`ann-${by}@example.org`, `bo-${by}@example.org`];
      await app().enter(context);
      await page.goto(`${app().url}/settings/organization/members`);
      await hands.press(page.getByRole('button', { name: 'Invite…' }));
      const inviting = page.getByRole('dialog', { name: 'Invite somebody' });
      const chooser = page.waitForEvent('filechooser');
      await hands.press(inviting.getByRole('button', { name: 'Open a CSV' }));
      const csv = `email,teams\n${ann},${shop} as TeamAdmin\nno address,\n${owner.email},\n${bo},\n`;
      await (await chooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
      const judged = inviting.getByRole('list', { name: 'Addresses to invite' }).getByRole('listitem');
      await expect(judged).toHaveText([
        `${ann}${shop} as TeamAdminReady`,
        'no addressLine 3: “no address” is not an email address.Left out',
        `${owner.email}Line 4: It belongs to your organisation already.Left out`,
        `${bo}Ready`,
      ]);
      await hands.pick(inviting.getByRole('button', { name: 'Add a team' }), devs);
      await hands.select(inviting.getByLabel(`Role in ${devs}`), 'SecretViewer view with secrets');
      await expectAccessible(page, 'inviting several');
      await hands.press(inviting.getByRole('button', { name: 'Invite 2', exact: true }));

      const made = page.getByRole('dialog', { name: '2 of 4 addresses invited' });
      await expect(made.getByLabel('Links, shown only now')).toHaveText(
        new RegExp(`^${ann} \\S+/login#invite=\\S+\\s${bo} \\S+/login#invite=\\S+$`),
      );
      await expect(made.getByLabel('Not invited', { exact: true })).toHaveText(
        new RegExp(`^no address\\s${owner.email}$`),
      );
      await expect(made.getByRole('button', { name: 'Copy all links' })).toBeFocused();
      await expect(made.getByRole('list', { name: 'Outcomes' }).getByRole('listitem')).toHaveText([
        `${ann}Invited`,
        'no address“no address” is not an email address.Not invited',
        `${owner.email}It belongs to your organisation already.Not invited`,
        `${bo}Invited`,
      ]);
      await expectAccessible(page, 'several that were invited');
      await hands.press(made.getByRole('button', { name: 'Done' }));
      await hands.press(page.getByRole('link', { name: /^Invitations \d/ }));
      const line = (email: string) => page.getByRole('listitem', { name: `Invitation for ${email}` });
      await expect(line(ann)).toContainText(`${devs} as SecretViewer, ${shop} as TeamAdmin`);
      await expect(line(bo)).toContainText(`${devs} as SecretViewer`);
    },
  );

  it(
    `an Owner grants namespaces of two clusters before anything is granted, and adds two people at once (${by})`,
    inBothHands,
    async ({ page, context, hands }) => {
      const name = `Crew ${by}`;
      const people = [`Una ${by}`, `Udo ${by}`];
      for (const [index, person] of people.entries())
        await addPerson(app().product, `u${index}-${by}@example.org`, person);
      const team = await app().client.call('createTeam', { body: { name, description: '' } });
      await app().enter(context);
      await page.goto(`${app().url}/settings/teams/${team.id}`);
      const shown = page.getByRole('region', { name, exact: true });
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/clusters'))
          sent.push(request.postData() ?? '');
      });
      await grantClusters(hands, shown, ['first', 'second'], ['payments', 'shop']);
      await expect(shown.getByText('namespaces payments, shop')).toHaveCount(2);
      const namespaces = ['payments', 'shop'];
      expect(sent.map((body) => JSON.parse(body) as unknown)).toEqual([
        { clusterId: expect.any(String), namespaces },
        { clusterId: expect.any(String), namespaces },
      ]);
      await addMembers(hands, shown, people);
      for (const person of people) await expect(shown.getByRole('row', { name: person })).toBeVisible();
      await expectAccessible(page, 'a team with two grants');
    },
  );
}
