import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';
import { chart, valuesFile } from '../deploy/chart.ts';
import { isHelmMissing, realHelm } from '../deploy/helm.ts';
import { send } from './client.ts';

const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'helm-'));
const config = path.join(folder, 'config');
let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'company', controllers: true, chance: 3 });
  writeFileSync(config, playground.kubeconfig, { mode: 0o600 });
});
afterAll(async () => {
  await playground.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What real Helm prints; it throws with what it complains about. */
async function helm(...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: config };
  const { stdout } = await run(realHelm.program, args, { env, timeout: 60_000 });
  return stdout;
}

const release = ['console', '--namespace', 'wheelhouse'] as const;

test.skipIf(isHelmMissing)(
  'real Helm installs, upgrades, rolls back and uninstalls without a flag, as it does on a cluster',
  async () => {
    const values = ['--values', valuesFile('servers')];
    await helm('install', ...release, chart, ...values, '--create-namespace');
    await helm('upgrade', ...release, chart, ...values, '--set', 'replicas=3');
    await helm('rollback', 'console', '1', '--namespace', 'wheelhouse');
    const history = JSON.parse(await helm('history', ...release, '--output', 'json')) as { status: string }[];
    expect(history.map(({ status }) => status)).toEqual(['superseded', 'superseded', 'deployed']);
    const path = '/apis/apps/v1/namespaces/wheelhouse/deployments/console-wheelhouse';
    const { text } = await send(playground, { method: 'GET', path });
    expect(JSON.parse(text)).toMatchObject({ spec: { replicas: 2 } });
    await helm('uninstall', ...release);
    expect((await send(playground, { method: 'GET', path })).status).toBe(404);
  },
);

test('the definitions come as protobuf to who asks for it, and as JSON to others', async () => {
  const ask = (accept: string) =>
    send(playground, { method: 'GET', path: '/openapi/v2', headers: { accept } });
  const protobuf = await ask('application/com.github.proto-openapi.spec.v2@v1.0+protobuf');
  expect(protobuf.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
  // Field 1, a text of three bytes: the version of Swagger.
  expect(protobuf.text.slice(0, 5)).toBe('\n\u00032.0');
  const json = await ask('application/json');
  const { definitions, paths } = JSON.parse(json.text) as Record<'definitions' | 'paths', object>;
  for (const name of [...Object.keys(definitions), ...Object.keys(paths)])
    expect(protobuf.text).toContain(name);
  expect(protobuf.headers['etag']).not.toBe(json.headers['etag']);
});
