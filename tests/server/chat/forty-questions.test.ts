import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { users } from '../../../src/server/store/schema/accounts.ts';
import type { TestPerson } from '../harness.ts';
import { deploymentOf, type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';
import { readAnswer } from './answers.ts';
import { keepAnswer } from './transcript.ts';

let place: PlaygroundConsole;
let owner: TestPerson;
let viewer: TestPerson;
let node: string;
/** Each person may ask 30 questions a minute. */
let owners: readonly TestPerson[];
let count = 0;

const post = (path: string, body: object) => place.transport.json({ method: 'POST', path, body });

/** The api: it takes its settings from a Secret and a config map, and logs. */
function apiOf(namespace: string) {
  const { spec, ...rest } = deploymentOf(namespace, 'api', 'example/api:1.0', 2);
  const containers = spec.template.spec.containers.map((one) => ({
    ...one,
    envFrom: [{ secretRef: { name: 'database' } }, { configMapRef: { name: 'settings' } }],
  }));
  return { ...rest, spec: { ...spec, template: { ...spec.template, spec: { containers } } } };
}

beforeAll(async () => {
  place = await startPlaygroundConsole('shop');
  ({ owner } = place);
  await post('/api/v1/namespaces', { metadata: { name: 'mart' } });
  await post('/api/v1/namespaces/shop/secrets', { metadata: { name: 'database' }, data: {} });
  await post('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'settings' }, data: { a: 'b' } });
  await post('/apis/apps/v1/namespaces/shop/deployments', apiOf('shop'));
  await post(
    '/apis/apps/v1/namespaces/shop/deployments',
    deploymentOf('shop', 'web', 'example/web:9.9-missing', 1),
  );
  const another = () => place.console.person({ companyId: place.companyId, isOwner: true });
  owners = [owner, await another(), await another(), await another(), await another()];
  viewer = await place.console.person({ companyId: place.companyId });
  await place.console.store.db.update(users).set({ name: 'Vera Sight' }).where(eq(users.id, viewer.id));
  await place.console.grant(place.companyId, viewer.id, place.clusterId, teamRoles.Viewer, ['shop']);
  const nodes = await place.transport.json<{ items: { metadata: { name: string } }[] }>({
    path: '/api/v1/nodes',
  });
  node = nodes.items[0]?.metadata.name ?? '';
  await vi.waitUntil(async () => (await answerTo('Why is web down?')).includes('9.9-missing'), {
    timeout: 60_000,
    interval: 1_000,
  });
});
afterAll(() => place.console.close());

/** The sentences of an answer, each on a line. */
async function answerTo(question: string, asker?: TestPerson): Promise<string> {
  count += 1;
  const who = asker ?? owners[count % owners.length] ?? owner;
  const { clusterId } = place;
  const { id } = await who.client.call('addConversation', { params: { clusterId }, body: { title: 'T' } });
  const turn = await who.client.call('askChat', {
    params: { clusterId, conversationId: id },
    body: { question },
  });
  const { parts } = await readAnswer(who.client, clusterId, turn.id);
  return parts
    .flatMap(({ part }) =>
      part.type === 'text' || part.type === 'notice' || (part.type === 'end' && part.text !== null)
        ? [part.text]
        : [],
    )
    .join('\n');
}

/** Questions as people ask them, and what the answer says; NODE is the name of the node. */
const questions: readonly (readonly [question: string, ...answers: RegExp[]])[] = [
  // Trouble.
  ['What is wrong with web?', /9\.9-missing/],
  ['why is shop/web down', /9\.9-missing/],
  ['web?', /9\.9-missing/],
  ['What is wrong in shop?', /^(?:Deployment shop\/web|Pod shop\/web-\S+): The image .*9\.9-missing/m],
  ['Was ist in shop kaputt?', /9\.9-missing/],
  ['Warum startet das Deployment web nicht?', /9\.9-missing/],
  ['why does wbe not start', /“wbe” was read as web\./, /9\.9-missing/],
  ['Is api ok?', /nothing wrong with shop\/api\. Examined: .*\b2 pods/],
  ['Why are pods failing in shop?', /9\.9-missing/],
  ['anything wrong in mart?', /nothing wrong with the namespace mart\. Examined: /],
  // Changes.
  [
    'What changed in shop since yesterday?',
    /Deployment shop\/web was created/,
    /does not record who changed what/,
  ],
  ['what changed in the last hour', /Deployment shop\/api was created/],
  ['Was hat sich heute in shop geändert?', /Deployment shop\/api was created/],
  ['who changed web?', /wrote spec\./, /Nothing records every change.* without the person/],
  ['What changed since 2026-01-01 in mart?', /No changes in the namespace mart since 2026-01-01.* are known/],
  // Rights.
  [
    `May I drain NODE?`,
    /“Drain” is possible on Node NODE now/,
    /A dry run of the drain of NODE gives: \d+ pods evicted\./,
  ],
  ['Darf ich den Knoten NODE leeren?', /“Drain” is possible on Node NODE now/],
  ['restart api', /“Restart” is possible on Deployment shop\/api now\. The chat itself changes nothing\./],
  ['Who are the owners?', /The Owners? of your organisation (?:is|are) /],
  ['Whom do I ask to see Secrets in shop?', /You have every permission/],
  // Uses.
  ['What uses the Secret database?', /Deployment shop\/api uses Secret shop\/database\./],
  ['Wer benutzt das Secret database?', /Deployment shop\/api uses Secret shop\/database\./],
  ['is the config map settings used?', /Deployment shop\/api uses ConfigMap shop\/settings\./],
  ['what does api depend on', /refers to Secret shop\/database/, /refers to ConfigMap shop\/settings/],
  // Usage and logs.
  ['How much memory does api use?', /[Uu]sage of Deployment shop\/api/],
  ['which pods use the most cpu in shop', /Pod shop\/api-|No usage of pods in the namespace shop/],
  ['logs of api', /log of Pod shop\/api-/],
  ['Zeig mir das Protokoll von api', /log of Pod shop\/api-/],
  // Numbers and lists.
  ['How many pods are in shop?', /^3 Pods in the namespace shop: 2 Running, 1 /m],
  ['Wie viele Deployments gibt es in shop?', /^2 Deployments in the namespace shop/m],
  ['How many secrets are there in mart', /^0 Secrets in the namespace mart/m],
  ['Which pods are not ready?', /1 Pod with problems in the cluster:\n• shop\/web-/],
  ['list deploymnets in shop', /2 Deployments in the namespace shop:\n• shop\/api/],
  ['which pods run on NODE', /Pods on NODE:/],
  ['where is api', /Deployment api is in the namespace shop\./, /Pod api-\S+ is on the node NODE: Running/],
  // Rollouts, images, events.
  ['Is the rollout of api complete?', /The rollout of Deployment shop\/api is complete: 2 of 2 pods updated/],
  ['rollouts in shop', /1 of 2 rollouts in the namespace shop is complete/],
  ['Which image does web run?', /runs the image example\/web:9\.9-missing/],
  ['events of web', /ScalingReplicaSet on Deployment shop\/web/],
  ['What can you answer?', /May I drain NODE\?\n[^]*How many pods are in \S+\?/],
];

describe('forty questions as people ask them', () => {
  it('are forty', () => {
    expect(questions).toHaveLength(40);
  });

  it.each(questions.map(([question, ...answers]) => ({ question, answers })))(
    '$question',
    async ({ question, answers }) => {
      const text = await answerTo(question.replace('NODE', node));
      keepAnswer(question.replace('NODE', node), text);
      for (const answer of answers)
        expect(text).toMatch(new RegExp(answer.source.replaceAll('NODE', node), answer.flags));
      expect(text).not.toMatch(/undefined|\[object|NaN|: Error: \w+$/m);
    },
  );
});

describe('a question that names something that is not there', () => {
  it.each([
    ['recommendations?', 'recommendations'],
    ['Why is orders-db slow?', 'orders-db'],
    ['What changed in warehouse?', 'warehouse'],
    ['How many pods are in warehouse?', 'warehouse'],
    ['Is the zebra well?', 'zebra'],
  ])('gets no answer about the cluster: %s', async (question, word) => {
    const text = await answerTo(question);
    expect(text).toContain(`“${word}” is not understood`);
    expect(text).toContain('The rules answer questions such as');
    expect(text).not.toMatch(/9\.9-missing|whole cluster|in the cluster:/);
  });

  it('is answered about the rest, and says so', async () => {
    const text = await answerTo('Why can web not reach orders-db?');
    expect(text).toMatch(/9\.9-missing/);
    expect(text).toContain('“orders-db” is not understood');
  });

  it('is told the nearest names', async () => {
    expect(await answerTo('What is wrong with setting?')).toMatch(/settings/);
  });
});

describe('somebody who may view one namespace', () => {
  it('is told whom to ask', async () => {
    const text = await answerTo('Why can I not delete web?', viewer);
    expect(text).toMatch(/needs deployments\.manage on .* in the namespace shop, which you do not have/);
    expect(text).toMatch(/An Owner of your organisation can grant it/);
    expect(await answerTo('Whom do I ask to see Secrets in shop?', viewer)).toMatch(/needs secrets\.view/);
    expect(await answerTo(`May I drain ${node}?`, viewer)).not.toMatch(/is possible on/);
  });

  it('learns nothing of other places', async () => {
    expect(await answerTo('What is wrong in mart?', viewer)).toContain('“mart” is not understood');
    expect(await answerTo('How many pods are there?', viewer)).toMatch(/Only objects in namespaces/);
    expect(await answerTo('what uses the secret database', viewer)).toContain('“database” is not understood');
  });
});

describe('a question for the people who may do something', () => {
  it('is told by the grants, with the permission that it needs', async () => {
    const text = await answerTo('Who can delete pods in shop?');
    expect(text).toMatch(
      /These people may do “Delete \(Pods\)” in the namespace shop \(it needs pods\.manage\):/,
    );
    expect(text).toMatch(/• Robin Example.*\(Owners\)/);
    expect(text).not.toContain('the people of your own teams');
    expect(await answerTo('Wer darf in shop Pods löschen?')).toBe(text);
  });

  it('is told to a Member as far as their own teams go', async () => {
    const text = await answerTo('who is allowed to view secrets in shop', viewer);
    expect(text).toMatch(/“View Secrets” in the namespace shop \(it needs secrets\.view\)/);
    expect(text).toContain('Only Owners, you and the people of your own teams are listed.');
  });

  it('names one person by their name', async () => {
    expect(await answerTo('can Robin delete pods in shop')).toMatch(
      /Yes: Robin Example.* is an Owner, and may do “Delete \(Pods\)” in the namespace shop\./,
    );
    expect(await answerTo('Darf Vera in shop Pods löschen?')).toMatch(
      /No: Vera Sight may not do “Delete \(Pods\)” in the namespace shop, as it needs pods\.manage\./,
    );
    expect(await answerTo('can vera see pods in shop')).toMatch(
      /Yes: Vera Sight may do “View Pods” in the namespace shop \(it needs pods\.view\)\./,
    );
    expect(await answerTo('can zoe delete pods in shop')).toContain('no active member called “zoe”');
  });

  it('names nobody outside of a Member’s own teams to them', async () => {
    const stranger = await place.console.person({ companyId: place.companyId });
    await place.console.store.db.update(users).set({ name: 'Yann Far' }).where(eq(users.id, stranger.id));
    expect(await answerTo('can yann delete pods in shop', viewer)).toContain(
      '“yann” is not understood: no Owner and nobody of your own teams has that name.',
    );
  });

  it('says of an order that the chat changes nothing', async () => {
    expect(await answerTo('delete all pods in shop')).toContain('The chat itself changes nothing.');
  });
});

describe('a question for room', () => {
  it('is computed from the nodes and what their pods request', async () => {
    expect(await answerTo('Is there room to scale api to 5?')).toMatch(
      /There is room to scale Deployment shop\/api from 2 to 5\./,
    );
    expect(await answerTo('Ist Platz für 2 weitere Pods von api?')).toMatch(/from 2 to 4\./);
    expect(await answerTo('is there room to scale api to 2')).toContain('already has 2 replicas');
    expect(await answerTo('how many more api fit')).toMatch(
      /There is room for (?:at least )?\d+ more replicas/,
    );
  });

  it('counts the quotas of the namespace', async () => {
    await post('/api/v1/namespaces/shop/resourcequotas', {
      metadata: { name: 'few' },
      spec: { hard: { pods: '4' } },
    });
    await vi.waitUntil(
      async () =>
        /no room to scale Deployment shop\/api to 9: it can go to 3, as the quota few has 3 of 4 pods in use/.test(
          await answerTo('is there room to scale api to 9'),
        ),
      { timeout: 20_000, interval: 500 },
    );
  });

  it('says to whoever does not see the nodes that these are not counted', async () => {
    const text = await answerTo('is there room to scale api to 3', viewer);
    expect(text).toContain('Nodes are not seen: you lack the permission to view them.');
    expect(text).toContain('as far as quotas go');
  });
});

describe('a misspelt namespace', () => {
  it('is read as the one that was meant, and is never called healthy by its misspelt name', async () => {
    const text = await answerTo('pods in shopp not ready');
    expect(text).toContain('“shopp” was read as shop.');
    expect(text).toMatch(/9\.9-missing/);
  });
});

describe('what somebody may do', () => {
  it('is read by nobody else', async () => {
    const { clusterId } = place;
    const reader = await place.console.person({ companyId: place.companyId });
    const teamId = await place.console.grant(place.companyId, reader.id, clusterId, teamRoles.Viewer);
    const { id } = await owner.client.call('addConversation', {
      params: { clusterId },
      body: { title: 'T' },
    });
    const turn = await owner.client.call('askChat', {
      params: { clusterId, conversationId: id },
      body: { question: 'Whom do I ask to see Secrets in shop?' },
    });
    await readAnswer(owner.client, clusterId, turn.id);
    const params = { clusterId, conversationId: id };
    await owner.client.call('changeConversation', { params, body: { teamId } });
    const seen = await reader.client.call('conversation', { params });
    expect(seen.turns[0]?.withheld).toMatch(/what the person who asked may do/);
  });
});
