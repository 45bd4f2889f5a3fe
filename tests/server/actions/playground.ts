import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Outcome, Ref } from '../../../src/contract/objects.ts';
import { type TeamRole, teamRoles } from '../../../src/contract/permissions.ts';
import { Problem } from '../../../src/contract/problem.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { ClusterProblem, type Transport } from '../../../src/server/clusters/transport.ts';
import { type ClusterRow, clusters } from '../../../src/server/store/schema/clusters.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

/** A console with an empty playground whose controllers rest: what is there was put there by the test. */
export interface Lab {
  readonly console: TestConsole;
  readonly clusterId: number;
  /** The cluster's name. */
  readonly name: string;
  readonly transport: Transport;
  readonly owner: TestPerson;
  /** Somebody of a team with this role that reaches the cluster, or some namespaces of it. */
  member(role: TeamRole, namespaces?: readonly string[]): Promise<TestPerson>;
  /** Changes what the console keeps of the cluster. */
  set(values: Partial<Pick<ClusterRow, 'isReadOnly' | 'isProtected' | 'isImpersonating'>>): Promise<void>;
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
  await console.services.onCompanyCreated({ companyId, userId: 0 });
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
    async member(role, namespaces) {
      const person = await console.person({ companyId });
      await console.grant(companyId, person.id, clusterId, role, namespaces ?? null);
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

/** Where the API keeps the deployments and pods of `shop`. */
export const deployments = '/apis/apps/v1/namespaces/shop/deployments';
export const pods = '/api/v1/namespaces/shop/pods';

/** A deployment of two replicas. */
export const deploymentNamed = (name: string) => ({
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'web', image: 'web:2' }] },
    },
  },
});

/** An object of `shop`, as actions are told of it. */
export const ref = (name: string, kind = 'deployment'): Ref => ({ kind, namespace: 'shop', name });

/** Actions as a person calls them, on the lab's cluster. */
export function actingAs(who: () => { readonly lab: Lab; readonly person: TestPerson }) {
  const act = (
    actionId: string,
    refs: Ref[],
    args: Record<string, unknown> = {},
    more: { dryRun?: boolean; confirm?: string } = {},
  ) => {
    const { lab, person } = who();
    return person.client.call('runAction', {
      params: { clusterId: lab.clusterId, actionId },
      body: { refs, args, ...more },
    });
  };
  /** The outcome on the first of the objects. */
  const actOn = async (...call: Parameters<typeof act>): Promise<Outcome> => {
    const [outcome] = (await act(...call)).outcomes;
    if (outcome === undefined) throw new Error('There was no outcome.');
    return outcome;
  };
  const offered = async (refs: Ref[]) => {
    const { lab, person } = who();
    const asked = { params: { clusterId: lab.clusterId }, body: { refs } };
    return (await person.client.call('availableActions', asked)).actions;
  };
  return { act, actOn, offered };
}

/** What tests of actions begin with. */
export interface Shore extends ReturnType<typeof actingAs> {
  readonly lab: Lab;
  /** An admin of a team, as whom actions are called. */
  readonly admin: TestPerson;
  /** Name of a deployment of two replicas that nobody else has touched. */
  readonly name: string;
}

/** One lab for the tests of a file, and a new deployment for each of them. */
export function sharedShore(): Shore {
  const found: { lab?: Lab; admin?: TestPerson } = {};
  let count = 0;
  const there = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('The lab was not started yet.');
    return one;
  };
  const shore = {
    get lab() {
      return there(found.lab);
    },
    get admin() {
      return there(found.admin);
    },
    get name() {
      return `api-${count}`;
    },
  };
  beforeAll(async () => {
    found.lab = await startLab();
    found.admin = await found.lab.member(teamRoles.TeamAdmin);
  });
  afterAll(() => found.lab?.close());
  beforeEach(async () => {
    count += 1;
    await shore.lab.put(deployments, deploymentNamed(shore.name));
  });
  // Getters are kept: what they give comes with the first test.
  return Object.assign(
    shore,
    actingAs(() => ({ lab: shore.lab, person: shore.admin })),
  );
}
