import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { Problem } from '../../../src/contract/problem.ts';
import { StartError } from '../../../src/server/kit/start-error.ts';
import { type ClusterRow, clusters } from '../../../src/server/store/schema/clusters.ts';
import { clockAt } from '../clock-at.ts';
import { type ApiServer, json, startApiServer } from './api-server.ts';
import { type Authority, makeAuthority } from './pki.ts';
import { openSetting, type Setting } from './setting.ts';

let authority: Authority;
let server: ApiServer;
let setting: Setting;
let folder: string;
let file: string;

beforeEach(async () => {
  authority = await makeAuthority();
  setting = await openSetting();
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-operator-'));
  file = join(folder, 'config');
  server = await startApiServer(authority, (seen, response) => {
    if (seen.url === '/version') json(response, 200, { gitVersion: 'v1.33.0' });
    else json(response, 201, { status: { allowed: true } });
  });
});

afterEach(async () => {
  await server.close();
  await setting.close();
  await rm(folder, { recursive: true, force: true });
});

type Fields = Record<string, unknown>;

async function write(
  user: Fields,
  options: { url?: string; name?: string; cluster?: Fields } = {},
): Promise<void> {
  const { url = server.url, name = 'kind-dev', cluster } = options;
  const text = stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: 'c', user: 'u' } }],
    clusters: [
      {
        name: 'c',
        cluster: cluster ?? {
          server: url,
          'certificate-authority-data': Buffer.from(authority.pem).toString('base64'),
        },
      },
    ],
    users: [{ name: 'u', user }],
  });
  await writeFile(file, text);
}

/** A credential program: counts its runs and prints what the test says. */
async function program(body: string): Promise<Fields> {
  const path = join(folder, 'login.sh');
  await writeFile(path, `#!/bin/sh\necho run >> "${folder}/runs"\n${body}\n`);
  await chmod(path, 0o755);
  return {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './login.sh',
      args: ['--region', 'eu; echo not a shell'],
      env: [{ name: 'PROFILE', value: 'dev' }],
      interactiveMode: 'IfAvailable',
      installHint: 'Install the login program.',
      provideClusterInfo: true,
    },
  };
}

const credential = (status: Fields) =>
  `cat <<'END'\n${JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status })}\nEND`;
const runs = async () => (await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n').length;

const open = (now?: () => number) =>
  setting.directory({
    config: { allowCidrs: [], metricsSourceCidrs: [], kubeconfigFile: file, billing: null },
    ...(now === undefined ? {} : { clock: clockAt(now) }),
  });

async function row(): Promise<ClusterRow> {
  const [found] = await setting.store.db.select().from(clusters).where(eq(clusters.source, 'operator'));
  if (found === undefined) throw new Error('The context has no row.');
  return found;
}

async function sentence(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error.title;
  throw new Error('expected a Problem', { cause: error });
}

describe("contexts of the operator's kubeconfig", () => {
  it('become clusters of the first company, on loopback too, with files read beside the kubeconfig', async () => {
    const pair = await authority.issue({ name: 'minikube' });
    await writeFile(join(folder, 'ca.crt'), authority.pem);
    await writeFile(join(folder, 'client.crt'), pair.certificate);
    await writeFile(join(folder, 'client.key'), pair.key);
    await write(
      { 'client-certificate': 'client.crt', 'client-key': join(folder, 'client.key') },
      { cluster: { server: server.url, 'certificate-authority': 'ca.crt' }, name: 'minikube' },
    );
    const directory = await open();
    const found = await row();
    expect(found).toMatchObject({
      companyId: setting.owner.companyId,
      name: 'minikube',
      context: 'minikube',
      kubeconfig: null,
    });
    expect(found.credentialExpiresAt).not.toBeNull();
    expect(await directory.probe(found.id)).toMatchObject({ status: 'reachable', version: 'v1.33.0' });
  });

  it('wait for the first company', async () => {
    const other = await openSetting();
    try {
      await write({ token: 'x' });
      await other.store.pool.query('delete from companies');
      const directory = await other.directory({
        config: { allowCidrs: [], metricsSourceCidrs: [], kubeconfigFile: file, billing: null },
      });
      expect(await other.store.db.select().from(clusters)).toEqual([]);
      await other.person('late company');
      await directory.adopt();
      expect(await other.store.db.select().from(clusters)).toMatchObject([
        { name: 'kind-dev', source: 'operator' },
      ]);
    } finally {
      await other.close();
    }
  });

  it('take another name where theirs is taken, and keep their row over starts', async () => {
    const { companyId } = setting.owner;
    await setting.store.db
      .insert(clusters)
      .values({ companyId, name: 'kind-dev', source: 'kubeconfig', server: '', colour: 1 });
    await write({ token: 'x' });
    await open();
    const first = await row();
    expect(first.name).toBe('kind-dev 2');
    await open();
    expect(await setting.store.db.select().from(clusters)).toHaveLength(2);
  });

  it('follow the file: another server is dialled at once and stored with the next start', async () => {
    await write({ token: 'old' });
    const directory = await open();
    const before = await row();
    await (await directory.transport(before.id)).json({ path: '/version' });
    const moved = await startApiServer(authority, (_seen, response) =>
      json(response, 200, { gitVersion: 'v1.34.0' }),
    );
    await write({ token: 'new-token' }, { url: moved.url });
    await (await directory.transport(before.id)).json({ path: '/version' });
    expect(moved.seen[0]?.headers.authorization).toBe('Bearer new-token');
    await open();
    const after = await row();
    expect(after).toMatchObject({ id: before.id, server: moved.url, credentialVersion: 2 });
    await moved.close();
  });

  it('that are added while the server runs have their clusters within seconds', async () => {
    await write({ token: 'x' });
    const directory = await open();
    await write({ token: 'x' }, { name: 'added-later' });
    const names = async () =>
      (await setting.store.db.select({ name: clusters.name }).from(clusters)).map(({ name }) => name);
    await expect.poll(names, { timeout: 10_000, interval: 100 }).toContain('added-later');
    await directory.close();
  });

  it('say that the file is missing when the server is started without it', async () => {
    await write({ token: 'x' });
    await open();
    const { id } = await row();
    const without = await setting.directory({
      config: { allowCidrs: [], metricsSourceCidrs: [], kubeconfigFile: null, billing: null },
    });
    expect(await without.probe(id)).toMatchObject({
      status: 'unreachable',
      message: expect.stringMatching(
        /^kind-dev was context "kind-dev" of the operator's kubeconfig, which this server was started without/,
      ),
    });
  });

  it('that cannot be used are left out with a warning; a broken file is no start', async () => {
    await write({ token: 'x' }, { cluster: { server: server.url, 'insecure-skip-tls-verify': true } });
    await open();
    expect(await setting.store.db.select().from(clusters)).toEqual([]);
    expect(setting.logged()).toMatch(/Context \\"kind-dev\\".*left out.*insecure-skip-tls-verify/);
    await writeFile(file, 'token: "SECRET');
    await expect(open()).rejects.toThrow(StartError);
    await expect(open()).rejects.not.toThrow(/SECRET/);
    await rm(file);
    await expect(open()).rejects.toThrow(/cannot be read \(ENOENT\)\. Check --kubeconfig/);
  });

  it('keep working from what was read when the file breaks later', async () => {
    await write({ token: 'x' });
    const directory = await open();
    const { id } = await row();
    await writeFile(file, '{');
    expect(await directory.probe(id)).toMatchObject({ status: 'reachable' });
    expect(setting.logged()).toMatch(/not valid YAML/);
  });

  it('read a token file again when it has become old', async () => {
    let time = 1_000_000;
    await writeFile(join(folder, 'token'), 'first\n');
    await write({ tokenFile: 'token' });
    const directory = await open(() => time);
    const transport = await directory.transport((await row()).id);
    await transport.json({ path: '/version' });
    await writeFile(join(folder, 'token'), 'second\n');
    await transport.json({ path: '/version' });
    time += 60_000;
    await transport.json({ path: '/version' });
    const sent = server.seen
      .filter((seen) => seen.url === '/version')
      .map((seen) => seen.headers.authorization);
    expect(sent).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
  });
});

describe('credential programs', () => {
  it("run without a shell, know the cluster, see none of the console's secrets, and once until the credential ends", async () => {
    let time = Date.parse('2026-05-01T00:00:00Z');
    process.env['WHEELHOUSE_SECRET_KEY'] = 'k1:SECRETKEY';
    try {
      await write(
        await program(
          `env > "${folder}/env"; printf '%s\\n' "$@" > "${folder}/args"\n${credential({ token: 'from-program', expirationTimestamp: '2026-05-01T01:00:00Z' })}`,
        ),
      );
      const directory = await open(() => time);
      const transport = await directory.transport((await row()).id);
      await Promise.all([1, 2, 3].map(() => transport.json({ path: '/version' })));
      expect(server.seen[0]?.headers.authorization).toBe('Bearer from-program');
      expect(await runs()).toBe(1);
      time += 3_600_000;
      await transport.json({ path: '/version' });
      expect(await runs()).toBe(2);
      expect(await readFile(join(folder, 'args'), 'utf8')).toBe('--region\neu; echo not a shell\n');
      const env = await readFile(join(folder, 'env'), 'utf8');
      expect(env).toMatch(/^PROFILE=dev$/m);
      expect(env).not.toContain('SECRETKEY');
      const info: unknown = JSON.parse(/^KUBERNETES_EXEC_INFO=(.*)$/m.exec(env)?.[1] ?? '');
      expect(info).toMatchObject({
        kind: 'ExecCredential',
        spec: { interactive: false, cluster: { server: server.url } },
      });
    } finally {
      delete process.env['WHEELHOUSE_SECRET_KEY'];
    }
  });

  it('are asked again, once, when the cluster rejects what they gave', async () => {
    await write(await program(credential({ token: 'stale' })));
    const directory = await open();
    const transport = await directory.transport((await row()).id);
    await transport.json({ path: '/version' });
    server.answer = (_seen, response) => json(response, 401, { kind: 'Status' });
    expect(await sentence(transport.json({ path: '/version' }))).toMatch(/rejected the console's credential/);
    expect(await runs()).toBe(2);
  });

  it('may give a client certificate', async () => {
    const pair = await authority.issue({ name: 'from-program' });
    await write(
      await program(credential({ clientCertificateData: pair.certificate, clientKeyData: pair.key })),
    );
    const directory = await open();
    expect(await directory.probe((await row()).id)).toMatchObject({ status: 'reachable' });
  });

  it.each<[how: string, script: string, sentence: string]>([
    [
      'saying why',
      'echo "Session expired, log in again" >&2; echo more >&2; exit 1',
      'failed: Session expired, log in again',
    ],
    [
      'saying a token',
      'echo "token eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMzQ1Njc4OTAifQ.e30.x rejected" >&2; exit 3',
      'failed: token … rejected',
    ],
    ['silently', 'exit 2', 'failed.'],
    ['printing nonsense', 'echo nonsense', 'printed no ExecCredential.'],
    ['printing nothing of use', credential({}), 'printed neither a token nor a certificate.'],
    ['printing a token of two lines', credential({ token: 'a\nb' }), 'printed a token that cannot be sent.'],
    [
      'printing half a pair',
      credential({ clientCertificateData: 'x' }),
      'printed a certificate without a key, or a key without a certificate.',
    ],
    ['printing without end', 'cat /dev/zero', 'printed more than 1 MB.'],
  ])('that fail %s are told in one sentence', async (_how, script, end) => {
    await write(await program(script));
    const directory = await open();
    const title = await sentence((await directory.transport((await row()).id)).json({ path: '/version' }));
    expect(title).toBe(`kind-dev cannot be asked. The credential program login.sh ${end}`);
    expect(server.seen).toEqual([]);
  });

  it('that are not installed are reported with the install hint of the file', async () => {
    const user = await program('');
    await rm(join(folder, 'login.sh'));
    await write(user);
    const directory = await open();
    const title = await sentence((await directory.transport((await row()).id)).json({ path: '/version' }));
    expect(title).toMatch(
      /login\.sh is not installed on the console's server\. Install the login program\.$/,
    );
  });
});
