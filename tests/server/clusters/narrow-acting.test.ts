import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { api } from '../../../src/contract/api.ts';
import {
  type PlaygroundProcess,
  startPlaygroundProcess,
} from '../../../src/server/boot/playground-process.ts';
import { createAddressGuard } from '../../../src/server/clusters/address.ts';
import { ClusterTransport, type HttpTransport } from '../../../src/server/clusters/http-transport.ts';
import { toKubeconfig } from '../../../src/server/clusters/target.ts';
import { textOf } from '../../sources.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { pathOf } from '../http-client.ts';
import { untilReady } from '../until-ready.ts';
import { targetFor } from './api-server.ts';
import { failure } from './wire.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const group = 'rbac.authorization.k8s.io';
const guard = createAddressGuard(['127.0.0.0/8']);

let playground: PlaygroundProcess;
let admin: HttpTransport;
let narrow: HttpTransport;
let console: TestConsole;
let owner: TestPerson;
let clusterId: number;

const post = (path: string, body: unknown) => admin.json<unknown>({ method: 'POST', path, body });

/** The roles that docs/operations.md gives, by name. */
const documentedRole = (name: string): object => {
  const texts = [...textOf('docs/operations.md').matchAll(/```yaml\n([^]*?)```/g)].map(
    ([, text = '']) => parse(text) as { metadata?: { name?: string } },
  );
  const role = texts.find(({ metadata }) => metadata?.name === name);
  if (role === undefined) throw new Error(`docs/operations.md has no role ${name}.`);
  return role;
};

const bind = (name: string, role: string, subject: object) =>
  post(`${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects: [subject],
  });

/** A service account that sees what everybody may see, with a documented role beside it. */
async function accountWith(role: string): Promise<string> {
  await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: role } });
  await post(`${rbac}/clusterroles`, documentedRole(role));
  const subject = { kind: 'ServiceAccount', name: role, namespace: 'default' };
  await bind(role, role, subject);
  await bind(`${role}-view`, 'view', subject);
  const { status } = await admin.json<{ status: { token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/default/serviceaccounts/${role}/token`,
    body: { spec: { expirationSeconds: 3_600 } },
  });
  return status.token;
}

beforeAll(async () => {
  playground = startPlaygroundProcess(pino({ level: 'silent' }), ['--seed', 'bulk:1']);
  await untilReady(playground);
  const { server, ca, token } = await playground.target();
  const connect = (bearer: string, name: string) =>
    new ClusterTransport(targetFor(server, ca, { credential: { token: bearer } }), {
      clusterId: 1,
      name,
      credential: name,
      guard,
    });
  admin = connect(token, 'admin');
  const bearer = await accountWith('wheelhouse-acting');
  narrow = connect(bearer, 'prod');
  console = await startConsole({ config: { allowCidrs: ['127.0.0.0/8'] } });
  const companyId = await console.company();
  owner = await console.person({ companyId, isOwner: true });
  ({ id: clusterId } = await owner.client.call('addCluster', {
    body: {
      name: 'prod',
      description: '',
      kubeConfigContent: toKubeconfig(targetFor(server, ca, { credential: { token: bearer } })),
    },
  }));
  const body = { isProtected: false, isReadOnly: false, isShellAllowed: true, isImpersonating: true };
  await owner.client.call('saveGlobalSettings', { params: { clusterId }, body });
  const user = { kind: 'User', apiGroup: group, name: `wheelhouse:user:${owner.id}` };
  await bind('owner-of-the-console', 'cluster-admin', user);
});
afterAll(async () => {
  await Promise.all([admin.close(), narrow.close()]);
  await console.close();
  await playground.close();
});

const create = (kind: string, object: object) =>
  owner.client.send('POST', `${pathOf(api.createObject, { clusterId, kind })}?namespace=default`, { object });

describe('a credential with the narrow role of the documentation', () => {
  it('is enough to change what its role lists, as the person alone', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', namespace: 'default' } };
    expect((await create('configmap', object)).status).toBe(200);
    // The credential itself may not.
    const own = { method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: object } as const;
    expect((await failure(narrow.json(own))).upstream.status).toBe(403);
  });

  it('changes nothing else as somebody, and the refusal names what it lacks', async () => {
    const role = {
      apiVersion: `${group}/v1`,
      kind: 'Role',
      metadata: { name: 'more', namespace: 'default' },
      rules: [],
    };
    const refused = await create('role', role);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Nothing was done: prod does not let this console create roles as you.');
    expect(refused.text).toContain('impersonate-on:user-info:create on roles');
  });

  it('reads nothing as somebody, and makes no binding and no token, be it a superuser', async () => {
    const as = { user: `wheelhouse:user:${owner.id}`, groups: ['system:masters'], extra: {} };
    for (const path of ['/api/v1/namespaces/default/secrets', '/api/v1/nodes']) {
      const { upstream } = await failure(narrow.json({ path, as }));
      expect(upstream.body?.message).toContain('cannot impersonate-on:user-info:list resource');
    }
    for (const path of [
      `${rbac}/clusterrolebindings`,
      '/api/v1/namespaces/default/serviceaccounts/default/token',
    ]) {
      const { upstream } = await failure(narrow.json({ method: 'POST', path, body: {}, as }));
      expect(upstream.body?.message).toContain('cannot impersonate-on:user-info:create resource');
    }
  });
});
