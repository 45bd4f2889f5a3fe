import { asks, type ModelStub, said, startModelStub } from '../server/chat/model-stub.ts';
import { TestClient } from '../server/http-client.ts';
import { expectAccessible } from './axe.ts';
import { sharedCluster } from './cluster.ts';
import { eachHand, expect, owner, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf } from './places.ts';
import { addViewer, inStore } from './store.ts';

let model: ModelStub;
test.beforeAll(async () => {
  model = await startModelStub();
});
test.afterAll(() => model.close());
const app = sharedApp(() => ({
  ...ownClusters,
  WHEELHOUSE_AI_BASE_URL: model.url.href,
  WHEELHOUSE_AI_MODEL: 'example-large',
}));
const added = sharedCluster(app, 'playground');

for (const { by, it } of eachHand) {
  it(`an answer shows what it stands on, its proposal is run, and it is shared (${by})`, async ({
    page,
    context,
    another,
    hands,
  }) => {
    const replicas = by === 'pointer' ? 4 : 5;
    const { id: clusterId, url } = added();
    const chat = url('/chat');
    const scaled = JSON.stringify({
      action: 'deployment.scale',
      objects: [{ kind: 'deployment', namespace: 'shop', name: 'email-worker' }],
      args: { replicas },
    });
    const restarted = JSON.stringify({
      action: 'deployment.restart',
      objects: [{ kind: 'deployment', namespace: 'shop', name: 'cart' }],
    });
    model.script = [
      asks(['propose', scaled], ['propose', restarted]),
      said('**More of them** may help [e1]. It may rain.\n\n1. Wait [e1].\n2. Look again [e1].'),
    ];
    await app().enter(context);
    await page.goto(chat);
    // Who is told what, as an Owner changes it meanwhile.
    const told = (model: string) => page.getByText(`then the model ${model} at`);
    await expect(told('example-large')).toBeVisible();
    const other = {
      provider: 'anthropic',
      baseUrl: 'https://models.example.org/v1',
      model: 'other',
    } as const;
    await app().client.call('saveChatModel', { body: other });
    await expect(told('other')).toBeVisible();
    await app().client.call('removeChatModel', {});
    await expect(told('example-large')).toBeVisible();
    // What is typed is a question at once, and so is what is typed after the first answer.
    const field = page.getByRole('textbox', { name: 'Question' });
    await expect(field).toBeFocused();
    const suggestions = page.getByRole('region', { name: 'Suggested questions' });
    const suggestion = suggestions.getByRole('button', { name: /^Why is .* unhealthy\?$/ }).first();
    await expect(suggestion).toBeVisible({ timeout: 120_000 });
    await hands.press(suggestion);

    const answers = page.getByRole('list', { name: 'Questions and answers' });
    await expect(answers.getByText('This answer comes from rules').first()).toBeVisible();
    await expect(answers.getByText('The rest was written by a model').first()).toBeVisible();
    await expect(answers.getByText('It may rain.').first()).toBeVisible();
    await expect(field).toBeFocused();
    await expect(answers.getByText('no evidence')).toHaveCount(1);
    await expect(answers.locator('li ol > li')).toHaveCount(2);
    const proposal = page.getByRole('region', { name: /^Proposal: Scale/ });
    await expect(proposal.getByText(`replicas: ${replicas}`)).toBeVisible();
    if (by === 'pointer') await expectAccessible(page, 'an answer with a proposal');

    // It is the ordinary action, with all that this asks.
    await hands.press(proposal.getByRole('button', { name: 'Review and run…' }));
    const dialog = dialogOf(page, 'Scale Deployment email-worker');
    await hands.press(dialog.getByRole('button', { name: 'Scale', exact: true }));
    await expect(dialog).toHaveCount(0);
    await expect(proposal.getByText('Taken up.')).toBeVisible();
    await expect(proposal.getByRole('button', { name: 'Review and run…' })).toHaveCount(0);

    // On a protected cluster a proposal that ends pods asks for its name, as every way does.
    const rules = { isReadOnly: false, isShellAllowed: true };
    const protect = (isProtected: boolean) =>
      app().client.call('saveGlobalSettings', { params: { clusterId }, body: { ...rules, isProtected } });
    await protect(true);
    await page.reload();
    await hands.press(
      page
        .getByRole('region', { name: /^Proposal: Restart/ })
        .getByRole('button', { name: 'Review and run…' }),
    );
    const guarded = dialogOf(page, 'Restart Deployment cart');
    await expect(guarded.getByLabel('playground is protected. Type its name to restart.')).toBeFocused();
    await expect(guarded.getByRole('button', { name: 'Restart', exact: true })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(guarded).toHaveCount(0);
    await protect(false);

    // A reader without the namespace learns neither the question nor the answer.
    const email = `${by}@example.org`;
    await addViewer(app().product, email, clusterId);
    await inStore(app().product, async (query) => {
      await query('update team_clusters set namespaces = $1', [['elsewhere']]);
    });
    await hands.press(page.getByRole('button', { name: 'Rename or share…' }));
    const change = dialogOf(page, 'Rename or share');
    await hands.select(change.getByLabel('Shared with'), `Crew of ${email}`);
    await hands.press(change.getByRole('button', { name: 'Save' }));
    await expect(page.getByText(`Shared with Crew of ${email}`).first()).toBeVisible();
    const reader = await another();
    const client = new TestClient(app().url);
    await client.call('signIn', { body: { email, password: owner.password } });
    await reader.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: app().url })));
    const read = await reader.newPage();
    await read.goto(page.url());
    await expect(read.getByText(/This answer is hidden: .* that you may not view/)).toBeVisible();
    await expect(read.getByText(/email-worker/)).toHaveCount(0);

    // A long conversation opens at its end; what is on screen stays there while earlier turns are read.
    const conversation = new URL(page.url()).searchParams.get('conversation') ?? '';
    await inStore(app().product, async (query) => {
      await query(
        `insert into chat_turns (id, conversation_id, number, question, state)
         select gen_random_uuid(), $1, number, 'Question ' || number || repeat(E'\\n.', 9), 'done'
         from generate_series(2, 45) number`,
        [conversation],
      );
    });
    await page.reload();
    const question = (number: number) =>
      answers.getByRole('heading', { name: new RegExp(`^Question ${number}\\b`) });
    await expect(question(45)).toBeInViewport();
    await expect(answers.getByRole('listitem')).toHaveCount(20);
    const earlier = page.getByRole('button', { name: 'Earlier turns' });
    const scrollUp = () =>
      question(26).evaluate((element) => element.closest('[data-scroller]')?.scrollTo({ top: 0 }));
    // Whoever comes to the button by the keyboard has scrolled to it, and stays there until all turns are shown.
    if (by === 'pointer') await scrollUp();
    else await earlier.focus();
    await expect(answers.getByRole('heading', { name: /^Question/ })).toHaveCount(40);
    await expect(question(26)).toBeInViewport();
    await expect(question(6)).not.toBeInViewport();
    if (by === 'pointer') await scrollUp();
    else {
      await expect(earlier).toBeFocused();
      await page.keyboard.press('Enter');
    }
    await expect(answers.getByRole('heading', { name: /^Question/ })).toHaveCount(44);
    await expect(earlier).toHaveCount(0);
    if (by === 'keyboard') await expect(answers).toBeFocused();

    // What a sentence stands on opens beside the chat.
    await hands.press(answers.getByRole('list', { name: 'Evidence' }).first().getByRole('button').first());
    await expect(page.getByRole('tab', { name: 'AI Chat' })).toBeVisible();
    await expect(page.getByRole('tablist')).toHaveCount(2);
  });
}
