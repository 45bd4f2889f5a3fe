import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { countIn } from '../../../src/server/objects/count.ts';
import { teamMembers } from '../../../src/server/store/schema/teams.ts';
import { greet, startAnsweringCluster } from '../clusters/answering-cluster.ts';
import { json } from '../clusters/api-server.ts';
import { type PlaygroundConsole, startPlaygroundConsole } from '../playground-console.ts';

let lab: PlaygroundConsole;

beforeAll(async () => {
  lab = await startPlaygroundConsole('shop');
  for (const name of ['a', 'b', 'c']) {
    await lab.transport.json({
      method: 'POST',
      path: '/api/v1/namespaces/shop/secrets',
      body: { metadata: { name } },
    });
  }
  await lab.transport.json({
    method: 'POST',
    path: '/api/v1/namespaces/default/secrets',
    body: { metadata: { name: 'elsewhere' } },
  });
  for (const name of ['sh.helm.release.v1.web.v1', 'sh.helm.release.v1.web.v2']) {
    await lab.transport.json({
      method: 'POST',
      path: '/api/v1/namespaces/shop/secrets',
      body: { metadata: { name }, type: 'helm.sh/release.v1' },
    });
  }
});
afterAll(() => lab.console.close());

describe('the counts of a cluster', () => {
  it('say how many objects there are of each kind in the sidebar, and nothing of a kind that it lacks', async () => {
    const { owner, clusterId, transport } = lab;
    const { counts } = await owner.client.call('counts', { params: { clusterId } });
    const listed = await transport.json<{ items: { type: string }[] }>({ path: '/api/v1/secrets' });
    // The list of secrets leaves those of Helm out at first.
    const shown = listed.items.filter(({ type }) => type !== 'helm.sh/release.v1');
    expect(shown.length).toBe(listed.items.length - 2);
    expect(counts['secret']).toBe(shown.length);
    expect(counts['secret']).toBeGreaterThanOrEqual(3);
    expect(counts).toMatchObject({ pod: 1, node: 1, cronjob: 0 });
    // No end, no objects of the API, no such API.
    for (const id of ['event', 'release', 'scaledobject']) expect(counts).not.toHaveProperty(id);
  });

  it('say of a namespace only what is in it, and of what has no namespace all there is', async () => {
    const { owner, clusterId } = lab;
    const params = { clusterId };
    const { counts } = await owner.client.call('counts', { params });
    const shop = await owner.client.call('counts', { params, query: { namespace: 'shop' } });
    const none = await owner.client.call('counts', { params, query: { namespace: 'nowhere' } });
    expect(shop.counts['secret']).toBeGreaterThanOrEqual(3);
    expect(counts['secret']).toBeGreaterThan(shop.counts['secret'] ?? 0);
    expect(none.counts).toMatchObject({ secret: 0, pod: 0, node: counts['node'] });
    expect(Object.keys(none.counts).sort()).toEqual(Object.keys(counts).sort());
  });

  it('contain only the kinds that the person may view', async () => {
    const { console, companyId, clusterId } = lab;
    const viewer = await console.person({ companyId });
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const { counts } = await viewer.client.call('counts', { params: { clusterId } });
    expect(counts['pod']).toBe(1);
    expect(counts).not.toHaveProperty('secret');
    const stranger = await console.person({ companyId });
    await expect(stranger.client.call('counts', { params: { clusterId } })).rejects.toMatchObject({
      status: 404,
    } satisfies Partial<Problem>);
  });
});

it('the counts of a cluster are refused to a person who lost it while they were counted', async () => {
  const begun = Promise.withResolvers<void>();
  const withdrawn = Promise.withResolvers<void>();
  const cluster = await startAnsweringCluster((seen, response) => {
    if (!seen.url.startsWith('/api/v1/pods?')) return greet(seen, response);
    begun.resolve();
    void withdrawn.promise.then(() => json(response, 200, { items: [{ metadata: { name: 'a' } }] }));
  });
  const { console, companyId, clusterId } = cluster;
  try {
    const viewer = await console.person({ companyId });
    await console.grant(companyId, viewer.id, clusterId, teamRoles.Viewer);
    const answer = viewer.client.call('counts', { params: { clusterId } });
    await begun.promise;
    await console.store.db.delete(teamMembers).where(eq(teamMembers.userId, viewer.id));
    withdrawn.resolve();
    expect(await answer).toEqual({ counts: {} });
  } finally {
    await cluster.close();
  }
});

it('the counts of a cluster that does not answer say so, instead of being none', async () => {
  const cluster = await startAnsweringCluster((seen, response) => {
    if (seen.url.startsWith('/api/v1/pods?')) json(response, 200, { items: [{ metadata: { name: 'a' } }] });
    else if (/[?&]limit=1(?:&|$)/.test(seen.url)) response.destroy();
    else greet(seen, response);
  });
  const { owner, clusterId } = cluster;
  try {
    const { message } = await owner.client.call('counts', { params: { clusterId } });
    expect(message).toMatch(/^prod .+\.$/);
  } finally {
    await cluster.close();
  }
});

describe('the count in a list of one object', () => {
  const item = { metadata: { name: 'a' } };
  it('is what is there and what remains', () => {
    expect(countIn({ items: [item], metadata: { continue: 'next', remainingItemCount: 411 } })).toBe(412);
    expect(countIn({ items: [item], metadata: {} })).toBe(1);
    expect(countIn({ items: [] })).toBe(0);
  });
  it('is unknown where the cluster does not say it, or says what is none', () => {
    expect(countIn({ items: [item], metadata: { continue: 'next' } })).toBeUndefined();
    for (const remainingItemCount of [-2, 1.5, '7', null])
      expect(countIn({ items: [item], metadata: { continue: 'next', remainingItemCount } })).toBeUndefined();
    for (const list of [undefined, [], { items: 7 }, 'no']) expect(countIn(list)).toBeUndefined();
  });
});
