import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/playground/server.ts';

const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'kubectl-'));
const config = path.join(folder, 'config');

function isInstalled(): boolean {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const installed = isInstalled();
let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground({ seed: 'company', controllers: true, chance: 3 });
  writeFileSync(config, playground.kubeconfig, { mode: 0o600 });
});
afterAll(async () => {
  await playground.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What kubectl prints; it throws with what it complains about. */
async function kubectl(...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: config };
  const { stdout } = await run('kubectl', [`--cache-dir=${folder}/cache`, ...args], { env, timeout: 30_000 });
  return stdout;
}

function manifest(name: string, text: string): string {
  const file = path.join(folder, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
}

const deployment = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: hello, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: hello } }
  template:
    metadata: { labels: { app: hello } }
    spec:
      containers: [{ name: main, image: "${image}" }]
`;

if (!installed) {
  test('kubectl works against the playground', () => {
    process.stdout.write(
      'There is no kubectl on this machine: what it does with the playground is not tested here.\n',
    );
    expect(process.env['CI'], 'kubectl must be there where CI runs').toBeUndefined();
  });
} else {
  // Older ones cannot read the schemas they validate with: hence --validate=false.
  describe('kubectl works against the playground', () => {
    test('it lists kinds, objects and their columns', async () => {
      expect(await kubectl('api-resources', '--no-headers', '-o', 'name')).toMatch(/^deployments\.apps$/m);
      expect(await kubectl('get', 'namespaces')).toMatch(/^shop +Active +\d+d$/m);
      expect(await kubectl('get', 'pods', '-n', 'shop', '-o', 'wide')).toMatch(
        /^storefront-\S+ +1\/1 +Running/m,
      );
      expect(await kubectl('describe', 'deployment', 'storefront', '-n', 'shop')).toContain('RollingUpdate');
    });

    test('it applies, changes, rolls out, scales and deletes', async () => {
      const file = manifest('hello', deployment('registry.example.org/hello:1'));
      expect(await kubectl('apply', '--validate=false', '-f', file)).toContain(
        'deployment.apps/hello created',
      );
      expect(await kubectl('apply', '--validate=false', '-f', file)).toContain('unchanged');
      await kubectl('rollout', 'status', 'deployment/hello', '--timeout=20s');
      manifest('hello', deployment('registry.example.org/hello:2'));
      expect(await kubectl('apply', '--validate=false', '-f', file)).toContain('configured');
      expect(await kubectl('scale', 'deployment/hello', '--replicas=1')).toContain('scaled');
      expect(await kubectl('get', 'deployment', 'hello', '-o', 'jsonpath={.spec.replicas}')).toBe('1');
      expect(await kubectl('label', 'deployment/hello', 'team=web')).toContain('labeled');
      expect(
        await kubectl('apply', '--validate=false', '--server-side', '--force-conflicts', '-f', file),
      ).toContain('serverside-applied');
      expect(await kubectl('delete', 'deployment', 'hello', '--wait=true', '--timeout=20s')).toContain(
        'deleted',
      );
    });

    test('it knows a kind as soon as it is defined', async () => {
      const file = manifest(
        'definition',
        `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: kettles.example.org }
spec:
  group: example.org
  scope: Namespaced
  names: { plural: kettles, kind: Kettle }
  versions:
    - name: v1
      served: true
      storage: true
      additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }]
      schema:
        openAPIV3Schema:
          type: object
          properties: { spec: { type: object, properties: { size: { type: integer, maximum: 5 } } } }
`,
      );
      await kubectl('create', '--validate=false', '-f', file);
      await kubectl('wait', '--for=condition=Established', 'crd/kettles.example.org', '--timeout=10s');
      const kettle = (size: number) =>
        manifest(
          'kettle',
          `apiVersion: example.org/v1\nkind: Kettle\nmetadata: { name: one }\nspec: { size: ${size} }\n`,
        );
      await expect(kubectl('create', '--validate=false', '-f', kettle(9))).rejects.toThrow(
        'should be less than or equal to 5',
      );
      await kubectl('create', '--validate=false', '-f', kettle(3));
      expect(await kubectl('get', 'kettles')).toMatch(/^NAME +SIZE\none +3$/m);
    });

    test('it explains kinds and shows usage and logs', async () => {
      expect(await kubectl('explain', 'pod.spec.nodeName')).toContain('nodeName <string>');
      expect(await kubectl('top', 'nodes')).toMatch(/^worker-a1 +\d+m +\d+% +\d+Mi +\d+%/m);
      expect(await kubectl('top', 'pods', '-n', 'shop')).toMatch(/^storefront-\S+ +\d+m +\d+Mi/m);
      expect((await kubectl('logs', '-n', 'shop', 'deployment/storefront', '--tail=3')).trim()).not.toBe('');
    });

    test('it checks permissions, creates tokens and objects, and drains nodes', async () => {
      expect(await kubectl('auth', 'can-i', 'delete', 'pods')).toBe('yes\n');
      await kubectl('create', 'role', 'reader', '--verb=get', '--resource=pods');
      await kubectl('create', 'rolebinding', 'reader', '--role=reader', '--user=jane');
      expect(await kubectl('auth', 'can-i', 'get', 'pods', '--as=jane')).toBe('yes\n');
      await expect(kubectl('auth', 'can-i', 'delete', 'pods', '--as=jane')).rejects.toMatchObject({
        stdout: 'no\n',
      });
      await kubectl('create', 'deployment', 'fresh', '--image=registry.example.org/fresh:1', '--replicas=2');
      await kubectl('rollout', 'status', 'deployment/fresh', '--timeout=20s');
      await kubectl('set', 'image', 'deployment/fresh', 'fresh=registry.example.org/fresh:2');
      await kubectl('rollout', 'status', 'deployment/fresh', '--timeout=20s');
      await kubectl('rollout', 'undo', 'deployment/fresh');
      await kubectl('rollout', 'status', 'deployment/fresh', '--timeout=20s');
      const image = 'jsonpath={.spec.template.spec.containers[0].image}';
      expect(await kubectl('get', 'deployment', 'fresh', '-o', image)).toBe('registry.example.org/fresh:1');
      expect((await kubectl('create', 'token', 'default')).trim()).not.toBe('');
      const drained = await kubectl(
        'drain',
        'worker-b2',
        '--ignore-daemonsets',
        '--delete-emptydir-data',
        '--force',
        '--dry-run=server',
      );
      expect(drained).toContain('node/worker-b2 drained (server dry run)');
    });

    test("it is refused with the server's messages", async () => {
      await expect(kubectl('get', 'pod', 'nobody')).rejects.toThrow('pods "nobody" not found');
    });
  });
}
