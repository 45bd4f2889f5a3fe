import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireStorable } from '../../../src/server/http/storable.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { drafts } from '../../../src/server/store/schema/profile.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
let owner: TestPerson;
beforeAll(async () => {
  console = await startConsole();
  owner = await console.person({ companyId: await console.company(), isOwner: true });
});
afterAll(() => console.close());

const calls = [
  ['GET', '/api/profile/drafts/a%00b', undefined, 'path'],
  ['PUT', '/api/profile/drafts/a%00b', { text: 'a: 1' }, 'path'],
  ['DELETE', '/api/profile/drafts/a%00b', undefined, 'path'],
  ['PUT', '/api/profile/drafts/create', { text: 'a: \0' }, 'body'],
  ['PUT', '/api/profile/drafts/create', { text: 'a: 1', base: '\ud800' }, 'body'],
  ['POST', '/api/auth/login', { email: 'a@example.org', password: 'a\0' }, 'body'],
  ['GET', '/api/auth/login?returnUrl=/%00', undefined, 'query'],
] as const;

test.each(calls)('%s %s with %j is refused, naming the %s, before anything is written', async (...call) => {
  const [method, path, body, part] = call;
  const before = await console.store.db.$count(audit);
  const answer = await owner.client.send(method, path, body);
  expect([answer.status, answer.json]).toMatchObject([
    400,
    { title: expect.stringMatching(new RegExp(`^The ${part} of this request contains a NUL`)) },
  ]);
  expect(await console.store.db.$count(audit)).toBe(before);
  expect(await console.store.db.$count(drafts)).toBe(0);
});

test('a signed-out caller only learns that they are signed out', async () => {
  expect((await console.visitor().send('GET', '/api/profile/drafts/a%00b')).status).toBe(401);
});

describe('what is sent', () => {
  test.each([[{ a: [{ 'b\0': 1 }] }], [['\udc00']], ['\ud83d'], [{ a: { b: ['x', 'y\0'] } }]])(
    '%j cannot be kept',
    (body) => expect(() => requireStorable({ body })).toThrow('Remove it and try again.'),
  );

  test.each([[undefined], [null], [7], ['\u{1f600}\n\t\u0001'], [{ a: [null, { b: 'ünï' }] }]])(
    '%j can be kept',
    (body) => expect(() => requireStorable({ body })).not.toThrow(),
  );

  test('is looked through however deep it is', () => {
    let body: unknown = '\0';
    for (let depth = 0; depth < 100_000; depth += 1) body = [body];
    expect(() => requireStorable({ body })).toThrow();
  });
});
