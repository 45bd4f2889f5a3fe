import { request } from 'node:http';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { type AnsweringCluster, greet, startAnsweringCluster } from '../clusters/answering-cluster.ts';

let setting: AnsweringCluster;
let heldQuestions = 0;
beforeAll(async () => {
  setting = await startAnsweringCluster((seen, response) => {
    // A question about an object of a namespace gets no answer.
    if (seen.url.includes('/namespaces/shop/')) heldQuestions += 1;
    else greet(seen, response);
  });
});
afterAll(() => setting.close());

/** Makes a call of the page, and disconnects while the cluster is asked. */
async function leaveDuring(method: string, path: string, body?: unknown): Promise<void> {
  const { console, owner } = setting;
  const { hostname, port } = new URL(console.url);
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    origin: console.url,
    cookie: owner.client.cookie,
    'x-xsrf-token': owner.client.cookies.get(owner.client.xsrfCookie) ?? '',
    ...(text === '' ? {} : { 'content-type': 'application/json' }),
  };
  heldQuestions = 0;
  console.log.splice(0);
  const call = request({ host: hostname, port, method, path, agent: false, headers });
  call.on('error', () => undefined);
  call.end(text);
  await vi.waitFor(() => expect(heldQuestions).toBeGreaterThan(0), 10_000);
  call.destroy();
  await vi.waitFor(
    () => expect(console.log.map(({ msg }) => msg)).toContain('A caller disconnected'),
    10_000,
  );
}

const failures = () => setting.console.log.filter(({ level }) => Number(level) >= 40);

it('a caller who disconnects is no error in the log', async () => {
  await leaveDuring('GET', `/api/clusters/${setting.clusterId}/kinds/pod/objects/web?namespace=shop`);
  expect(failures()).toEqual([]);
});

it('the audit has a call whose caller disconnected as no failure of the console', async () => {
  const path = `/api/clusters/${setting.clusterId}/namespaces/shop/secrets/database/reveal`;
  await leaveDuring('POST', path, { keys: ['password'] });
  expect(failures()).toEqual([]);
  const { db } = setting.console.store;
  const rows = await db.select().from(audit).where(eq(audit.action, 'secret.reveal'));
  expect(rows).toMatchObject([{ status: 499 }]);
});
