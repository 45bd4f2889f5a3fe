import { describe, expect, test } from 'vitest';
import { Problem } from '../../src/contract/problem.ts';
import { cookieValue, createClient } from '../../src/web/data/client.ts';

const cookies = 'a=b; XSRF-TOKEN=t%2B1; XSRF-TOKEN-80=plain; XSRF-TOKEN-8081=other';

function clientOn(
  answer: () => Promise<Response>,
  place = { protocol: 'https:', port: '' },
  confirms: readonly boolean[] = [],
) {
  const calls: { readonly path: string; readonly init: RequestInit }[] = [];
  const logged: string[] = [];
  const confirming = [...confirms];
  let signedOut = 0;
  const api = createClient({
    fetch: (path, init) => {
      calls.push({ path, init });
      return answer();
    },
    cookies: () => cookies,
    place,
    confirmIdentity: () => Promise.resolve(confirming.shift() ?? false),
    onSignedOut: () => {
      signedOut += 1;
    },
    log: (message) => logged.push(message),
  });
  return { api, calls, logged, signedOut: () => signedOut };
}
const json =
  (body: unknown, status = 200) =>
  () =>
    Promise.resolve(Response.json(body, { status }));
const webhook = { url: 'https://hooks.example.org/', events: ['job.failed' as const] };
const webhookId = '0f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const failure = async (call: Promise<unknown>): Promise<Problem> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw new Error('The call did not fail with a Problem.');
};

describe('a call that needs a confirmed identity', () => {
  const title = 'You signed in a while ago. Confirm your password first.';
  const refusal = { title, code: 'identity-not-confirmed', proof: 'password' };
  const answers = (...all: readonly (() => Promise<Response>)[]) => {
    const left = [...all];
    return () => (left.shift() ?? json(refusal, 403))();
  };
  const invited = json({ invitation: 1 });
  const place = { protocol: 'https:', port: '' };

  test('is sent again as it was, once the person confirmed it', async () => {
    const { api, calls, logged } = clientOn(answers(json(refusal, 403), invited), place, [true]);
    const body = { email: 'kim@example.org', orgRole: 2 as const, teams: [] };
    await expect(api.invite({ body })).resolves.toEqual({ invitation: 1 });
    expect(calls.map(({ init }) => init.body)).toEqual([JSON.stringify(body), JSON.stringify(body)]);
    expect(logged).toEqual([]);
  });

  test('that is a dangerous act as well is sent again once both were confirmed', async () => {
    const act = {
      title: 'harbour asks for a passkey before this.',
      code: 'passkey-needed',
      proof: 'passkey',
    };
    const { api, calls } = clientOn(answers(json(refusal, 403), json(act, 403), invited), place, [
      true,
      true,
    ]);
    const body = { email: 'kim@example.org', orgRole: 2 as const, teams: [] };
    await expect(api.invite({ body })).resolves.toEqual({ invitation: 1 });
    expect(calls).toHaveLength(3);
  });

  test.each([
    ['declined', [false], 1],
    ['confirmed it, and the server refuses again', [true, true], 2],
  ] as const)('fails with its sentence where the person %s', async (_, confirms, sent) => {
    const { api, calls } = clientOn(answers(), place, confirms);
    const problem = await failure(api.deleteCompany({ body: { name: 'Example' } }));
    expect([problem.title, problem.proof, calls.length]).toEqual([title, 'password', sent]);
  });
});

describe('the client', () => {
  test('fills paths in and parses what comes back', async () => {
    const { api, calls } = clientOn(json([{ name: 'pods.view' }]));
    expect(await api.userPermissions({ params: { clusterId: 7 } })).toEqual([{ name: 'pods.view' }]);
    expect(calls[0]?.path).toBe('/api/auth/clusters/7/user-permissions');
    expect(calls[0]?.init.headers).not.toHaveProperty('X-XSRF-TOKEN');
  });

  test('sends the XSRF token of the cookie back with what changes something', async () => {
    const { api, calls } = clientOn(() => Promise.resolve(new Response(null, { status: 204 })));
    await api.deleteCluster({ params: { clusterId: 7 } });
    expect(calls[0]?.init).toMatchObject({ method: 'DELETE', headers: { 'X-XSRF-TOKEN': 't+1' } });
  });

  test('reads the token of its own port over plain http, where cookies are not kept apart by port', async () => {
    const place = { protocol: 'http:', port: '8081' };
    const done = () => Promise.resolve(new Response(null, { status: 204 }));
    const [named, plain] = [clientOn(done, place), clientOn(done, { ...place, port: '' })];
    for (const { api } of [named, plain]) await api.deleteCluster({ params: { clusterId: 7 } });
    expect(named.calls[0]?.init.headers).toMatchObject({ 'X-XSRF-TOKEN': 'other' });
    expect(plain.calls[0]?.init.headers).toMatchObject({ 'X-XSRF-TOKEN': 'plain' });
  });

  test.each([
    [{ title: 'The title.', message: 'The message.' }, 'The title.'],
    [{ message: 'The message.' }, 'The message.'],
    [{ other: 1 }, 'An error occurred'],
  ])('a failure %j reads "%s"', async (body, title) => {
    const { api, logged } = clientOn(json(body, 502));
    expect(await failure(api.clusters({}))).toMatchObject({ title, status: 502, retryable: true });
    expect(logged).toEqual([`GET /api/ClusterManagement/clusters failed with 502: ${title}`]);
  });

  test('a body of plain words is the sentence, a proxy’s page of HTML is not', async () => {
    const words = clientOn(() => Promise.resolve(new Response('Just words', { status: 500 })));
    expect((await failure(words.api.clusters({}))).title).toBe('Just words');
    const page = clientOn(() => Promise.resolve(new Response('<html>Bad gateway</html>', { status: 502 })));
    expect((await failure(page.api.clusters({}))).title).toBe('An error occurred');
  });

  test('401 means signed out, but not where somebody is just signing in', async () => {
    const ended = clientOn(json({ title: 'Sign in to continue.' }, 401));
    await failure(ended.api.clusters({}));
    expect(ended.signedOut()).toBe(1);
    const wrong = clientOn(json({ title: 'Wrong password.' }, 401));
    await failure(wrong.api.signIn({ body: { email: 'a@b.io', password: 'x' } }));
    expect(wrong.signedOut()).toBe(0);
  });

  test('a server that does not answer is a sentence that can be tried again', async () => {
    const { api } = clientOn(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failure(api.clusters({}))).toMatchObject({
      status: 0,
      retryable: true,
      where: { source: 'network' },
    });
  });

  test.each([
    ['globalSettings', 'Failed to fetch global settings'],
    ['saveGlobalSettings', 'Failed to update global settings'],
    ['userSettings', 'Failed to fetch user settings'],
    ['saveUserSettings', 'Failed to update user settings'],
    ['addWebhook', 'Failed to add webhook'],
    ['deleteWebhook', 'Failed to delete webhook'],
  ] as const)('%s says “%s” where no server says why it failed', async (name, title) => {
    const silent: (() => Promise<Response>)[] = [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => Promise.resolve(new Response('<html>Bad gateway</html>', { status: 502 })),
      () => Promise.resolve(new Response(null, { status: 500 })),
      json({ other: 1 }, 503),
    ];
    const params = { clusterId: 7 };
    const rules = { isProtected: true, isReadOnly: false, isShellAllowed: true };
    const call = ({ api }: ReturnType<typeof clientOn>) => {
      if (name === 'saveGlobalSettings') return api[name]({ params, body: rules });
      if (name === 'saveUserSettings') return api[name]({ params, body: { excludedNamespaces: [] } });
      if (name === 'addWebhook') return api[name]({ params, body: webhook });
      if (name === 'deleteWebhook') return api[name]({ params: { ...params, webhookId } });
      return api[name]({ params });
    };
    for (const answer of silent) expect((await failure(call(clientOn(answer)))).title).toBe(title);
    const said = clientOn(json({ title: 'Only Owners may do this.' }, 403));
    expect((await failure(call(said))).title).toBe('Only Owners may do this.');
    expect(await failure(call(clientOn(silent[0] ?? json({}))))).toMatchObject({
      detail: 'The console’s server did not answer. Check your connection and try again.',
    });
  });

  test('issues of single fields come along', async () => {
    const issues = [{ path: 'email', message: 'That is not an email address.' }];
    const { api } = clientOn(json({ title: 'Check the form.', issues }, 400));
    expect((await failure(api.clusters({}))).issues).toEqual(issues);
  });
});

test('cookies are found by their whole name', () => {
  expect(cookieValue('X-XSRF-TOKEN=no; XSRF-TOKEN=yes', 'XSRF-TOKEN')).toBe('yes');
  expect(cookieValue('', 'XSRF-TOKEN')).toBeUndefined();
});
