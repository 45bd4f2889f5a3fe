import { expect } from 'vitest';
import { toKubeconfig } from '../../../src/server/clusters/target.ts';
import { type ConsoleOptions, startConsole, type TestConsole, type TestPerson } from '../harness.ts';
import { type Answer, type ApiServer, json, startApiServer, targetFor } from './api-server.ts';
import { makeAuthority } from './pki.ts';

/** A console with one cluster, whose API server answers what a test says. */
export interface AnsweringCluster {
  readonly console: TestConsole;
  readonly server: ApiServer;
  /** An owner of the cluster's company. */
  readonly owner: TestPerson;
  readonly companyId: number;
  readonly clusterId: number;
  close(): Promise<void>;
}

/** What adding a cluster asks for: its version, and what its credential may do. */
export const greet: Answer = (seen, response) =>
  seen.url === '/version'
    ? json(response, 200, { gitVersion: 'v1.36.2' })
    : json(response, 200, { status: { allowed: true } });

/** Starts a console and adds the cluster by its kubeconfig. */
export async function startAnsweringCluster(
  answer: Answer = greet,
  options: Pick<ConsoleOptions, 'pageDir'> = {},
): Promise<AnsweringCluster> {
  const authority = await makeAuthority();
  const server = await startApiServer(authority, answer);
  const console = await startConsole({
    config: { allowCidrs: ['127.0.0.0/8'], metricsSourceCidrs: ['127.0.0.0/8'] },
    ...options,
  });
  const companyId = await console.company();
  const owner = await console.person({ companyId, isOwner: true });
  const added = await owner.client.send('POST', '/api/ClusterManagement/clusters/kubeconfig', {
    name: 'prod',
    kubeConfigContent: toKubeconfig(targetFor(server.url, authority.pem)),
  });
  expect(added.status).toBe(200);
  return {
    console,
    server,
    owner,
    companyId,
    clusterId: (added.json as { id: number }).id,
    close: async () => {
      await console.close();
      await server.close();
    },
  };
}
