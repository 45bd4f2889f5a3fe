import { expect, it } from 'vitest';
import { deployment } from '../../../commands/kinds/deployment.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { runOnObject } from '../../../src/server/actions/run.ts';
import { ClusterProblem, type Transport } from '../../../src/server/clusters/transport.ts';

const conflict = () =>
  new ClusterProblem(
    { status: 502, title: 'The object has been modified.' },
    { status: 409, reason: 'Conflict' },
  );

/** A cluster whose object becomes another version at each of the first changes. */
function moving(conflicts: number, generationOf: (version: number) => number) {
  let version = 1;
  let sent = 0;
  const transport: Transport = {
    clusterId: 1,
    credential: 'test',
    json: <T>({ method = 'GET' }: { readonly method?: string }) => {
      const object: KubeObject = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {
          name: 'web',
          namespace: 'shop',
          uid: 'u',
          resourceVersion: String(version),
          generation: generationOf(version),
        },
      };
      if (method === 'GET') return Promise.resolve(object as T);
      sent += 1;
      if (sent > conflicts) return Promise.resolve(object as T);
      version += 1;
      return Promise.reject(conflict());
    },
    stream: () => Promise.reject(new Error('Nothing is streamed here.')),
    close: () => Promise.resolve(),
  };
  return { transport, sent: () => sent };
}

function restart(transport: Transport) {
  const action = deployment.actions.find(({ id }) => id === 'deployment.restart');
  if (action === undefined) throw new Error('Deployments can be restarted.');
  return runOnObject(
    {
      permit: () => Promise.resolve(),
      transport,
      action,
      args: {},
      dryRun: false,
      now: 0,
      report: { left: 1_000_000 },
      log: { error: () => {} },
      onChange: () => undefined,
      onWritten: () => undefined,
      jobs: {
        context: () => {
          throw new Error('A restart begins no job.');
        },
        start: () => Promise.reject(new Error('A restart begins no job.')),
      },
    },
    deployment,
    { kind: 'deployment', namespace: 'shop', name: 'web' },
  );
}

it('is done all the same when controllers only noted what they did on the object', async () => {
  const { transport, sent } = moving(2, () => 1);
  const outcome = await restart(transport);
  expect(outcome).toMatchObject({ ok: true });
  expect(outcome.requests).toHaveLength(1);
  expect(sent()).toBe(3);
});

it('is left to the person when somebody changed what the object should be', async () => {
  const { transport, sent } = moving(1, (version) => version);
  expect(await restart(transport)).toMatchObject({ ok: false, message: 'The object has been modified.' });
  expect(sent()).toBe(1);
});

it('gives up after some tries', async () => {
  const { transport, sent } = moving(Number.POSITIVE_INFINITY, () => 1);
  expect(await restart(transport)).toMatchObject({ ok: false });
  expect(sent()).toBe(4);
});
