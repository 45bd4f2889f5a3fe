import { eq } from 'drizzle-orm';
import type { TeamRole } from '../../../src/contract/permissions.ts';
import { Problem } from '../../../src/contract/problem.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { ClusterProblem, type Transport } from '../../../src/server/clusters/transport.ts';
import { type ClusterRow, clusters } from '../../../src/server/store/schema.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

/** A console with an empty playground whose controllers rest: what is there was put there by the test. */
export interface Lab {
  readonly console: TestConsole;
  readonly clusterId: number;
  /** The cluster's name. */
  readonly name: string;
  readonly transport: Transport;
  readonly owner: TestPerson;
  member(role: TeamRole): Promise<TestPerson>;
  /** Changes what the console keeps of the cluster. */
  set(values: Partial<Pick<ClusterRow, 'isReadOnly' | 'isProtected'>>): Promise<void>;
  /** Puts an object there by the cluster's own API. */
  put(path: string, object: object): Promise<KubeObject>;
  /** Merges into an object by the cluster's own API. */
  merge(path: string, patch: object): Promise<KubeObject>;
  /** An object as the cluster has it; undefined when it is gone. */
  seen(path: string): Promise<KubeObject | undefined>;
  close(): Promise<void>;
}

/** Starts it, with a namespace `shop`. */
export async function startLab(): Promise<Lab> {
  const console = await startConsole({
    config: { playground: true },
    playgroundArguments: ['--seed', 'none', '--controllers', 'off'],
  });
  const companyId = await console.company();
  await console.services.onCompanyCreated?.({ companyId, userId: 0 });
  const owner = await console.person({ companyId, isOwner: true });
  const [row] = await console.store.db.select().from(clusters);
  if (row === undefined) throw new Error('The playground has no row.');
  const { id: clusterId, name } = row;
  const transport = await console.services.clusters.transport(clusterId);
  const put = (path: string, object: object) =>
    transport.json<KubeObject>({ method: 'POST', path, body: object });
  await put('/api/v1/namespaces', { metadata: { name: 'shop' } });
  return {
    console,
    clusterId,
    name,
    transport,
    owner,
    async member(role) {
      const person = await console.person({ companyId });
      await console.grant(companyId, person.id, clusterId, role);
      return person;
    },
    async set(values) {
      await console.store.db.update(clusters).set(values).where(eq(clusters.id, clusterId));
    },
    put,
    merge: (path, patch) =>
      transport.json<KubeObject>({
        method: 'PATCH',
        path,
        contentType: 'application/merge-patch+json',
        body: patch,
      }),
    async seen(path) {
      try {
        return await transport.json<KubeObject>({ path });
      } catch (error) {
        if (error instanceof ClusterProblem && error.upstream.status === 404) return undefined;
        throw error;
      }
    },
    close: () => console.close(),
  };
}

/** The failure of a call; throws when it succeeds. */
export async function refusal(call: Promise<unknown>): Promise<Problem> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('The call was answered.');
}
