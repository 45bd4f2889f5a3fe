import type { Page } from 'playwright/test';
import { expectAccessible } from './axe.ts';
import { sharedCluster } from './cluster.ts';
import { type Hands, keyboard, pauseTyping, pointer } from './hands.ts';
import { eachHand, enterAs, expect, ownClusters, sharedApp } from './kit.ts';
import { podRows } from './places.ts';
import { addPerson } from './store.ts';
import { inBothHands } from '../gate/turn.ts';

const app = sharedApp(ownClusters);
sharedCluster(app, 'playground');

/** Asks why what a Viewer may not do is refused, in each place that answers. */
async function learnWhy(
  vera: Page,
  hands: Hands,
  {
    playground,
    team,
    teamAdmin,
  }: { readonly playground: number; readonly team: string; readonly teamAdmin: string },
): Promise<void> {
  await vera.keyboard.press('a');
  await expect(
    vera.getByText('“Add a member to the team” is for the TeamAdmins of this team and Owners.').first(),
  ).toBeVisible();
  await vera.keyboard.press('Escape');
  await vera.keyboard.press('Control+k');
  await vera.getByRole('dialog').getByRole('combobox').fill('why add a member');
  await expect(vera.getByRole('option', { name: /Why can I not add a member to the team/ })).toBeVisible();
  await vera.keyboard.press('Enter');
  await expect(vera.getByText(`is for TeamAdmins and Owners in the team ${team}`)).toBeVisible();
  await expect(vera.getByText(`Its TeamAdmin is ${teamAdmin}.`)).toBeVisible();
  await hands.press(
    vera.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'My permissions' }),
  );
  await expect(vera.getByRole('listitem').filter({ hasText: 'playground' })).toContainText(
    `by ${team} as Viewer`,
  );
  await expectAccessible(vera, 'my permissions');
  await hands.press(vera.getByRole('link', { name: 'What each permission unlocks' }));
  const table = vera.getByRole('table', { name: 'Permissions' });
  await expect(table.getByRole('row', { name: /^pods\.manage/ })).toContainText('Opens shells');
  await expect(vera.getByRole('button', { name: 'Adjust Viewer' })).toBeHidden();
  await vera.goto(`${app().url}/clusters/${playground}/deployments`);
  await vera.locator('a[href*="/deployments/"]').first().click();
  await expect(vera).toHaveURL(/\/deployments\/.+/);
  await vera.keyboard.press('Control+k');
  await vera.getByRole('dialog').getByRole('combobox').fill('why scale');
  await expect(vera.getByRole('option', { name: /Why can I not scale / })).toBeVisible();
  await vera.keyboard.press('Enter');
  await expect(vera.getByText('“Scale” needs deployments.manage on playground')).toBeVisible();
  await expect(vera.getByText(`${teamAdmin} (TeamAdmin of ${team})`)).toBeVisible();
  // The menu of an object leads to the same questions, and so does its key.
  const questions = vera.getByRole('option', { name: /Why can I not / });
  await hands.choose(vera.getByRole('button', { name: 'More actions' }), 'Why can I not …');
  await expect(questions.first()).toBeVisible();
  await vera.keyboard.press('Escape');
  await expect(questions.first()).toBeHidden();
  await hands.press(vera.getByRole('button', { name: 'More actions' }));
  await expect(vera.getByRole('menuitem', { name: 'Why can I not …' })).toBeVisible();
  await vera.keyboard.press('?');
  await expect(questions.first()).toBeVisible();
  await vera.keyboard.press('Escape');
  await expect(questions.first()).toBeHidden();
  await vera.keyboard.press('g');
  await vera.keyboard.press('?');
  await expect(questions.first()).toBeVisible();
  await vera.keyboard.press('Escape');
}

/** Reads a request for access in the bell, clears it, and ends what the Owner follows. */
async function readBell(page: Page, hands: Hands, email: string): Promise<void> {
  // The bell tells of it as well: the Owner follows the cluster, until now.
  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications, \d+\+? unread$/ });
  const news = page.getByRole('dialog', { name: 'Notifications' });
  const asked = news.getByRole('listitem').filter({ hasText: `${email} asks for temporary access` });
  await expect(bell).toBeVisible();
  if (hands.name === 'pointer') await bell.click();
  else {
    await page.keyboard.press('g');
    await page.keyboard.press('b');
  }
  await expect(asked).toContainText('unread');
  await expectAccessible(page, 'the bell');
  await hands.press(asked.getByRole('button', { name: /^Mark as read/ }));
  await expect(asked).not.toContainText('unread');
  await hands.press(asked.getByRole('button', { name: /^Clear/ }));
  await expect(asked).toBeHidden();
  await hands.press(news.getByRole('button', { name: /^Followed/ }));
  await hands.press(news.getByRole('button', { name: 'Unfollow cluster playground' }));
  await expect(news).toContainText('You follow nothing');
  await page.keyboard.press('Escape');
  await expect(news).toBeHidden();
}

for (const { by, it } of eachHand) {
  it(
    `Viewer, TeamAdmin and Owner do what each may, and learn why they may not do the rest (${by})`,
    inBothHands,
    async ({ page, context, another, allow, hands, isWhole }) => {
      // What ends while somebody looks is refused when it is asked for once more.
      allow(/status of 40[13]/, /failed with 40[13]/);
      // The page of somebody who is removed hears of changed grants before it is left, and reads them once more.
      allow(/status of 404 .*\/organization\/members\/\d+/, /organization\/members\/:userId failed with 404/);
      const handsOf = by === 'pointer' ? pointer : keyboard;
      const client = app().client;
      const [viewer, teamAdmin, joining] = ['Vera', 'Tara', 'Jo'].map((name) => ({
        name: `${name} ${by}`,
        email: `${name.toLowerCase()}-${by}@example.org`,
      }));
      if (viewer === undefined || teamAdmin === undefined || joining === undefined)
        throw new Error('Nobody.');
      const name = `Crew ${by}`;
      const team = await client.call('createTeam', { body: { name } });
      const params = { teamId: team.id };
      const clusters = await client.call('clusters', {});
      const playground = clusters.find((one) => one.name === 'playground');
      if (playground === undefined) throw new Error('There is no playground.');
      await client.call('follow', { params: { clusterId: playground.id }, body: {} });
      await client.call('addTeamCluster', { params, body: { clusterId: String(playground.id) } });
      for (const [{ name: who, email }, role] of [
        [viewer, 6],
        [teamAdmin, 4],
        [joining, undefined],
      ] as const) {
        const { userId } = await addPerson(app().product, email, who);
        if (role !== undefined)
          await client.call('setTeamMember', { params, body: { UserId: String(userId), Role: role } });
      }

      // The TeamAdmin manages the members, and nothing else of the team.
      const tara = await enterAs(app(), teamAdmin.email, await another(), `/settings/teams/${team.id}`);
      const tarasHands = handsOf(tara);
      const crew = tara.getByRole('region', { name, exact: true });
      await expect(crew.getByText('You are TeamAdmin')).toBeVisible();
      for (const button of ['Delete team…', 'Rename', 'Grant clusters…'])
        await expect(crew.getByRole('button', { name: button })).toBeHidden();
      await tara.keyboard.press('a');
      // Space after it would be part of a word.
      if (by === 'keyboard') await pauseTyping(tara);
      const adding = tara.getByRole('dialog', { name: `Add members to ${name}` });
      await tarasHands.tick(adding.getByRole('checkbox', { name: joining.name }));
      await tarasHands.press(adding.getByRole('button', { name: 'Add to team' }));
      const role = crew.getByLabel(`Role of ${joining.name}`);
      await tarasHands.select(role, 'SecretViewer view with secrets');
      await tarasHands.press(crew.getByRole('button', { name: `Remove ${joining.name}` }));
      await expect(crew.getByRole('row', { name: joining.name })).toBeHidden();

      // The Viewer sees the team, what they may do and what each permission means, and asks for the rest.
      const viewing = await another();
      const vera = await enterAs(app(), viewer.email, viewing, `/settings/teams/${team.id}`);
      const seen = vera.getByRole('region', { name, exact: true });
      await expect(seen.getByRole('row', { name: viewer.name })).toContainText('Viewer');
      await expect(seen.getByRole('button')).toHaveCount(0);
      if (isWhole)
        await learnWhy(vera, handsOf(vera), {
          playground: playground.id,
          team: name,
          teamAdmin: teamAdmin.name,
        });
      // Where nothing is shown at all, the page says who can grant it.
      await vera.goto(`${app().url}/clusters/${playground.id}/secrets`);
      await handsOf(vera).press(vera.getByRole('button', { name: 'Who can grant it?' }));
      await expect(vera.getByText('“View secrets” needs secrets.view on playground')).toBeVisible();
      await expectAccessible(vera, 'a list that may not be viewed');

      // She asks for it for a while; an Owner approves, and takes it back while she looks.
      await handsOf(vera).press(vera.getByRole('button', { name: 'Ask for it…' }));
      const wish = vera.getByRole('dialog', { name: 'Ask for temporary access' });
      await expect(wish.getByRole('checkbox', { name: /^secrets\.view/ })).toBeChecked();
      await handsOf(vera).write(wish.getByRole('textbox', { name: 'Reason' }), 'A certificate has expired');
      await expectAccessible(vera, 'asking for access');
      await handsOf(vera).press(wish.getByRole('button', { name: 'Ask', exact: true }));
      await expect(vera.getByRole('list', { name: 'Your requests' })).toContainText('Waiting');
      await app().enter(context);
      await page.goto(`${app().url}/settings?section=access-requests`);
      const navigation = page.getByRole('navigation', { name: 'Settings' });
      await expect(navigation.getByRole('link', { name: /^Access requests\s+1 waiting$/ })).toBeVisible();
      await expectAccessible(page, 'access requests');
      if (isWhole) await readBell(page, hands, viewer.email);
      await hands.press(
        page.getByRole('button', { name: `Approve ${viewer.name}: secrets.view on playground` }),
      );
      await expect(
        vera.getByText('approved your request: you hold secrets.view on playground'),
      ).toBeVisible();
      await vera.goto(`${app().url}/clusters/${playground.id}/secrets`);
      const countdown = vera.getByRole('link', { name: /^Temporary access\. You hold secrets\.view/ });
      await expect(countdown).toContainText('59:');
      await expectAccessible(vera, 'a list with a countdown');
      await hands.press(
        page.getByRole('button', { name: `Revoke ${viewer.name}: secrets.view on playground` }),
      );
      await expect(vera.getByText('Your temporary access has ended')).toBeVisible();
      await expect(countdown).toBeHidden();
      await expect(vera.getByRole('button', { name: 'Who can grant it?' })).toBeVisible();

      // An Owner takes a permission from the role, and the list that needs it ends.
      await vera.goto(`${app().url}/clusters/${playground.id}/pods`);
      await expect(podRows(vera).first()).toBeVisible();
      await app().enter(context);
      await page.goto(`${app().url}/settings/permissions`);
      await hands.press(page.getByRole('button', { name: 'Adjust Viewer' }));
      const dialog = page.getByRole('dialog', { name: 'Adjust Viewer' });
      await hands.tick(dialog.getByLabel('pods.view', { exact: true }));
      await expectAccessible(page, 'a role that is adjusted');
      await hands.press(dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog).toBeHidden();
      await expect(podRows(vera)).toHaveCount(0);
      await expect(page.getByText('adjusted', { exact: true })).toBeVisible();
      await hands.press(page.getByRole('button', { name: 'Adjust Viewer' }));
      await hands.press(dialog.getByRole('button', { name: 'Reset to default' }));
      await hands.press(dialog.getByRole('button', { name: 'Save' }));
      await expect(page.getByText('adjusted', { exact: true })).toBeHidden();
      await expectAccessible(page, 'the permissions');

      // Sessions end, a suspension is lifted, somebody is removed, and somebody leaves.
      await page.goto(`${app().url}/settings/organization/members`);
      await expect(
        page.getByRole('table', { name: 'Members' }).getByRole('link').first(),
        'a page of the settings begins beside its navigation',
      ).toBeFocused();
      const people = page.getByRole('table', { name: 'Members' });
      await hands.press(people.getByRole('link', { name: viewer.name }));
      await hands.press(page.getByRole('button', { name: 'Reset link…' }));
      const reset = page.getByRole('dialog', { name: `Reset link for ${viewer.name}` });
      await expect(reset.getByRole('status', { name: 'Link, shown only now' })).toHaveText(/\/login#reset=/);
      await hands.press(reset.getByRole('button', { name: 'Done' }));
      /** By the page's button, or by the key that the keyboard has for it. */
      const act = async (name: string, key: string) => {
        if (hands.name === 'keyboard') await page.keyboard.press(key);
        else await hands.press(page.getByRole('button', { name }));
      };
      await act('End sessions…', 'Shift+E');
      await hands.press(page.getByRole('alertdialog').getByRole('button', { name: 'End sessions' }));
      await expect(vera).toHaveURL(/\/login/);
      await act('Suspend…', 's');
      const asking = page.getByRole('alertdialog');
      await hands.press(asking.getByRole('button', { name: 'Suspend' }));
      await hands.press(page.getByRole('button', { name: 'Let in again' }));
      await expect(page.getByText(`${viewer.name} is let in again`)).toBeVisible();
      // The same by the keys of the page, or by the menu of a line.
      if (hands.name === 'keyboard') await page.keyboard.press('Shift+D');
      else {
        await hands.press(page.getByRole('main').getByRole('link', { name: 'All members' }));
        const menu = people.getByRole('button', { name: `Actions on ${viewer.name}` });
        await hands.choose(menu, 'Remove a member from the organisation…');
      }
      await hands.press(asking.getByRole('button', { name: 'Remove' }));
      await expect(people.getByRole('row', { name: teamAdmin.name })).toBeVisible();
      await expect(people.getByRole('row', { name: viewer.name })).toBeHidden();
      await tara.goto(`${app().url}/settings`);
      await tarasHands.press(tara.getByRole('button', { name: 'Leave organisation…' }));
      await tarasHands.press(
        tara.getByRole('alertdialog').getByRole('button', { name: 'Leave organisation' }),
      );
      await expect(tara).toHaveURL(/\/login/);
      await page.reload();
      await expect(people.getByRole('row', { name: teamAdmin.name })).toBeHidden();
    },
  );
}
