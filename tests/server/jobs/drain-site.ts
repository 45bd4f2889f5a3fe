import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { Job } from '../../../src/contract/jobs.ts';
import type { Outcome } from '../../../src/contract/objects.ts';
import { teamRoles } from '../../../src/contract/permissions.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { memberships } from '../../../src/server/store/schema/memberships.ts';
import { type Lab, pods, startLab } from '../actions/playground.ts';
import type { TestPerson } from '../harness.ts';

/** How long tests wait for a drain. */
export const patience = { timeout: 60_000, interval: 50 };
/** Where the API keeps the disruption budgets of `shop`. */
export const budgets = '/apis/policy/v1/namespaces/shop/poddisruptionbudgets';

/** Whom pods belong to. */
export const owner = (kind: string) => [
  {
    apiVersion: 'apps/v1',
    kind,
    name: 'owner',
    uid: '00000000-0000-4000-8000-000000000001',
    controller: true,
  },
];

/** What tests of drains begin with: names of pods and budgets are those on the test's own node, without its name. */
export interface DrainSite {
  readonly lab: Lab;
  /** An admin of a team, who drains. */
  readonly admin: TestPerson;
  readonly viewer: TestPerson;
  /** Name of a node that no other test has touched. */
  readonly node: string;
  readonly pod: (
    name: string,
    more?: { owners?: object[]; spec?: object; metadata?: object },
  ) => Promise<void>;
  /** A budget that allows so many evictions of a pod now. */
  readonly budget: (name: string, allowed: number) => Promise<void>;
  readonly allow: (name: string, disruptionsAllowed: number, observedGeneration?: number) => Promise<unknown>;
  readonly drain: (
    person: TestPerson,
    args?: Record<string, unknown>,
    more?: { dryRun?: boolean; confirm?: string },
  ) => Promise<Outcome>;
  /** The jobs that a person sees. */
  readonly listed: (person: TestPerson) => Promise<readonly Job[]>;
  readonly jobOf: (id: number | undefined, person?: TestPerson) => Promise<Job>;
  readonly until: (id: number | undefined, isIt: (job: Job) => boolean) => Promise<Job>;
  /** A job once it has ended. */
  readonly ended: (id: number | undefined) => Promise<Job>;
  /** The pods that are left on the node. */
  readonly left: () => Promise<readonly string[]>;
  /** A person of the test as handlers see them. */
  readonly personOf: (person: TestPerson) => Promise<Member>;
}

/** One lab for the tests of a file, and a new node for each of them. */
export function sharedDrainSite(): DrainSite {
  const found: { lab?: Lab; admin?: TestPerson; viewer?: TestPerson } = {};
  let count = 0;
  const there = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('The lab was not started yet.');
    return one;
  };
  beforeAll(async () => {
    found.lab = await startLab();
    found.admin = await found.lab.member(teamRoles.TeamAdmin);
    found.viewer = await found.lab.member(teamRoles.Viewer);
  });
  afterAll(() => found.lab?.close());
  beforeEach(async () => {
    count += 1;
    await site.lab.put('/api/v1/nodes', { metadata: { name: site.node } });
  });
  afterEach(() => site.lab.set({ isProtected: false, isReadOnly: false }));

  const site: DrainSite = {
    get lab() {
      return there(found.lab);
    },
    get admin() {
      return there(found.admin);
    },
    get viewer() {
      return there(found.viewer);
    },
    get node() {
      return `node-${count}`;
    },
    async pod(name, more = {}) {
      const { lab, node } = site;
      await lab.put(pods, {
        metadata: {
          name: `${node}-${name}`,
          labels: { app: `${node}-${name}` },
          ownerReferences: more.owners ?? owner('ReplicaSet'),
          ...more.metadata,
        },
        // No kubelet runs here: without a grace period the cluster itself takes a pod away.
        spec: {
          nodeName: node,
          terminationGracePeriodSeconds: 0,
          containers: [{ name: 'web', image: 'web:1' }],
          ...more.spec,
        },
      });
      // Budgets count what is ready.
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      await lab.merge(`${pods}/${node}-${name}/status`, { status });
    },
    async budget(name, allowed) {
      const metadata = { name: `${site.node}-${name}` };
      const spec = { minAvailable: 1, selector: { matchLabels: { app: `${site.node}-${name}` } } };
      const { metadata: made } = await site.lab.put(budgets, { metadata, spec });
      await site.allow(name, allowed, made?.generation ?? 1);
    },
    allow: (name, disruptionsAllowed, observedGeneration = 1) =>
      site.lab.merge(`${budgets}/${site.node}-${name}/status`, {
        status: {
          disruptionsAllowed,
          currentHealthy: 1,
          desiredHealthy: 1,
          expectedPods: 1,
          observedGeneration,
        },
      }),
    async drain(person, args = {}, more = {}) {
      const { outcomes } = await person.client.call('runAction', {
        params: { clusterId: site.lab.clusterId, actionId: 'node.drain' },
        body: { refs: [{ kind: 'node', name: site.node }], args: { limit: 10, ...args }, ...more },
      });
      const [outcome] = outcomes;
      if (outcome === undefined) throw new Error('There was no outcome.');
      return outcome;
    },
    listed: async (person) =>
      (await person.client.call('jobs', { params: { clusterId: site.lab.clusterId } })).jobs,
    async jobOf(id, person = site.admin) {
      const job = (await site.listed(person)).find((one) => one.id === id);
      if (job === undefined) throw new Error('The job is not listed.');
      return job;
    },
    until: (id, isIt) =>
      vi.waitFor(async () => {
        const job = await site.jobOf(id);
        expect(isIt(job), JSON.stringify(job)).toBe(true);
        return job;
      }, patience),
    ended: (id) => site.until(id, ({ status }) => status !== 'running'),
    async left() {
      const { items = [] } = await site.lab.transport.json<{ items?: { metadata?: { name?: string } }[] }>({
        path: pods,
        query: { fieldSelector: `spec.nodeName=${site.node}` },
      });
      return items.map(({ metadata }) => metadata?.name?.replace(`${site.node}-`, '') ?? '').sort();
    },
    async personOf({ id, email }) {
      const [row] = await site.lab.console.store.db
        .select()
        .from(memberships)
        .where(eq(memberships.userId, id));
      return {
        id,
        email,
        name: 'Robin Example',
        companyId: row?.companyId ?? 0,
        companyName: '',
        orgRole: 2,
        sessionHash: '',
        providerId: null,
        token: null,
      };
    },
  };
  return site;
}
