import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Job } from '../../../src/contract/jobs.ts';
import { type Playground, startPlayground } from '../../../src/playground/server.ts';
import { chart, valuesFile } from '../../deploy/chart.ts';
import { isHelmMissing, realHelm } from '../../deploy/helm.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'helm-'));
const namespace = 'wheelhouse';
const name = 'console';
const values = ['--values', valuesFile('servers')];
/** The second revision has one replica more, and no NetworkPolicy. */
const changed = [...values, '--set', 'replicas=3,networkPolicy.enabled=false'];

let playground: Playground;
let console: TestConsole;
let owner: TestPerson;
let clusterId = 0;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'none' });
  writeFileSync(join(folder, 'config'), playground.kubeconfig, { mode: 0o600 });
  console = await startConsole({ config: { allowCidrs: ['127.0.0.0/8'] } });
  owner = await console.person({ companyId: await console.company(), isOwner: true });
  const body = { name: 'one', kubeConfigContent: playground.kubeconfig };
  const answer = await owner.client.send('POST', '/api/ClusterManagement/clusters/kubeconfig', body);
  clusterId = (answer.json as { id: number }).id;
});
afterAll(async () => {
  await console.close();
  await playground.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What real Helm prints; it throws with what it complains about. */
async function helm(...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: join(folder, 'config') };
  const { stdout } = await run(realHelm.program, [...args, '--namespace', namespace], {
    env,
    timeout: 60_000,
  });
  return stdout;
}

/** One of our changes of the release; waits for its job. */
async function act(actionId: string, args: Record<string, unknown> = {}): Promise<Job> {
  const { outcomes } = await owner.client.call('runAction', {
    params: { clusterId, actionId },
    body: { refs: [{ kind: 'release', namespace, name }], args, confirm: name },
  });
  return await vi.waitFor(
    async () => {
      const { jobs } = await owner.client.call('jobs', { params: { clusterId } });
      const job = jobs.find(({ id }) => id === outcomes[0]?.job);
      if (job === undefined || job.status === 'running') throw new Error(JSON.stringify([outcomes, job]));
      return job;
    },
    { timeout: 20_000, interval: 20 },
  );
}

const documents = (yaml: string) => parseAllDocuments(yaml).map((one) => one.toJS() as unknown);

/**
 * Compares what real Helm and the console say of the release.
 * @returns its revisions, oldest first, as `status: description`
 */
async function agreed(): Promise<readonly string[]> {
  const { revisions } = await owner.client.call('releaseHistory', { params: { clusterId, namespace, name } });
  const ours = revisions.toReversed().map(({ revision, status, description, chart: of, chartVersion }) => ({
    revision,
    status,
    description,
    chart: `${of}-${chartVersion}`,
  }));
  const theirs = JSON.parse(await helm('history', name, '--output', 'json')) as typeof ours;
  expect(ours).toEqual(
    theirs.map(({ revision, status, description, chart: of }) => ({
      revision,
      status,
      description,
      chart: of,
    })),
  );
  const revision = ours.at(-1)?.revision ?? 0;
  const state = JSON.parse(await helm('status', name, '--output', 'json')) as {
    version: number;
    info: { status: string; description: string };
  };
  expect({ revision: state.version, ...state.info }).toMatchObject({
    revision,
    status: ours.at(-1)?.status,
    description: ours.at(-1)?.description,
  });
  const params = { clusterId, namespace, name, revision };
  const { manifest } = await owner.client.call('releaseContents', { params });
  expect(documents(manifest)).toEqual(documents(await helm('get', 'manifest', name)));
  return ours.map(({ status, description }) => `${status}: ${description}`);
}

/** What of the release stands on the cluster: its replicas, and whether it has a NetworkPolicy. */
async function installed(): Promise<readonly [replicas: number | undefined, isGuarded: boolean]> {
  const transport = await console.services.clusters.transport(clusterId);
  const all = async (path: string) =>
    (await transport.json<{ items: { spec: { replicas?: number } }[] }>({ path })).items;
  const [deployment] = await all(`/apis/apps/v1/namespaces/${namespace}/deployments`);
  const policies = await all(`/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`);
  return [deployment?.spec.replicas, policies.length > 0];
}

const install = () => helm('install', name, chart, ...values, '--create-namespace');
const upgrade = (...more: string[]) => helm('upgrade', name, chart, ...more);

it.skipIf(isHelmMissing)(
  'real Helm and the console go on with what the other has done to a release, and tell the same of it',
  async () => {
    await install();
    await upgrade(...changed);
    expect(await installed()).toEqual([3, false]);
    await agreed();

    expect(await act('release.rollback', { revision: 1 })).toMatchObject({ status: 'succeeded' });
    expect(await installed()).toEqual([2, true]);
    expect(await agreed()).toEqual([
      'superseded: Install complete',
      'superseded: Upgrade complete',
      'deployed: Rollback to 1',
    ]);
    // To the byte: what is kept is what was kept, not what we have read of it.
    expect(await helm('get', 'manifest', name)).toBe(await helm('get', 'manifest', name, '--revision', '1'));
    expect(await helm('get', 'values', name)).toBe(await helm('get', 'values', name, '--revision', '1'));

    await helm('rollback', name, '2');
    expect(await installed()).toEqual([3, false]);
    await upgrade(...values, '--set', 'replicas=4');
    expect(await installed()).toEqual([4, true]);
    expect(await act('release.rollback', { revision: 4 })).toMatchObject({ status: 'succeeded' });
    expect(await installed()).toEqual([3, false]);
    expect((await agreed()).slice(3)).toEqual([
      'superseded: Rollback to 2',
      'superseded: Upgrade complete',
      'deployed: Rollback to 4',
    ]);

    // A release that was taken away with its history kept can be brought back by either.
    await helm('uninstall', name, '--keep-history');
    expect((await agreed()).at(-1)).toBe('uninstalled: Uninstallation complete');
    expect(await installed()).toEqual([undefined, false]);
    expect(await act('release.rollback', { revision: 1 })).toMatchObject({ status: 'succeeded' });
    expect(await installed()).toEqual([2, true]);
    expect((await agreed()).slice(5)).toEqual([
      'uninstalled: Uninstallation complete',
      'deployed: Rollback to 1',
    ]);

    await helm('uninstall', name);
    expect(await installed()).toEqual([undefined, false]);
    await expect(agreed()).rejects.toMatchObject({ status: 404 });

    await install();
    expect(await act('release.uninstall')).toMatchObject({ status: 'succeeded' });
    expect(await installed()).toEqual([undefined, false]);
    await expect(helm('status', name)).rejects.toThrow('release: not found');
    expect(await helm('list', '--all', '--short')).toBe('');
    await install();
    expect(await agreed()).toEqual(['deployed: Install complete']);
  },
);
