import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../commands/kinds/index.ts';
import type { ObjectBody, Outcome, Ref } from '../../src/contract/objects.ts';
import { teamRoles } from '../../src/contract/permissions.ts';
import { Problem } from '../../src/contract/problem.ts';
import { collectionPath, objectPath } from '../../src/kube/change.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { needsClusterName } from '../../src/registry/kinds/confirmation.ts';
import type { ArgDefinition, KindAction } from '../../src/registry/kinds/kind-action.ts';
import type { Kind } from '../../src/registry/kinds/kind.ts';
import { addressOf } from '../../src/server/objects/address.ts';
import { presentObject } from '../../src/server/objects/present.ts';
import { ClusterProblem, type Transport } from '../../src/server/clusters/transport.ts';
import { clusters } from '../../src/server/store/schema/clusters.ts';
import { oneOfTwo, turnOfRun } from '../gate/turn.ts';
import { startConsole, type TestConsole, type TestPerson } from '../server/harness.ts';
import { neededObjects, sampleOf } from './samples.ts';

/** The namespace of the samples. */
const namespace = 'kinds';

/** Polls until a result is defined; the cluster's controllers need a moment. */
async function until<T>(ask: () => Promise<T | undefined>, what: string | (() => string)): Promise<T> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; ) {
    const found = await ask();
    if (found !== undefined) return found;
    await delay(25);
  }
  throw new Error(`It never came to this: ${typeof what === 'string' ? what : what()}.`);
}

/** The part of an object that people wrote: no status, nothing that controllers count. */
function written(object: KubeObject | undefined): unknown {
  if (object === undefined) return undefined;
  const {
    status: _status,
    spec,
    metadata,
    ...rest
  } = object as KubeObject & {
    status?: unknown;
    spec?: { nodeName?: string; volumeName?: string; taints?: readonly { key: string }[] };
  };
  // Controllers set the node of pods, the volume of claims, and taints of nodes.
  const { nodeName: _nodeName, volumeName: _volumeName, taints = [], ...wanted } = spec ?? {};
  const { name, labels, annotations, ownerReferences, deletionTimestamp } = metadata ?? {};
  const own = Object.entries(annotations ?? {}).filter(
    ([key]) => !/^(deployment|pv|volume|volume\.beta)\.kubernetes\.io\//.test(key),
  );
  const tainted = taints.filter(({ key }) => !key.startsWith('node.kubernetes.io/'));
  return {
    ...rest,
    spec: { ...wanted, taints: tainted },
    name,
    labels,
    annotations: Object.fromEntries(own),
    ownerReferences,
    deletionTimestamp,
  };
}

describe('every kind, through the server and a real cluster', () => {
  let console: TestConsole;
  let clusterId: number;
  let transport: Transport;
  let owner: TestPerson;
  let viewer: TestPerson;
  let stranger: TestPerson;
  /** Somebody with every permission who is no Owner. */
  let admin: TestPerson;

  beforeAll(async () => {
    console = await startConsole({ config: { playground: true }, playgroundArguments: ['--seed', 'none'] });
    const companyId = await console.company();
    await console.services.onCompanyCreated({ companyId, userId: 0 });
    owner = await console.person({ companyId, isOwner: true });
    viewer = await console.person({ companyId });
    stranger = await console.person({ companyId: await console.company(), isOwner: true });
    const [row] = await console.store.db.select().from(clusters);
    if (row === undefined) throw new Error('The playground has no row.');
    clusterId = row.id;
    await console.grant(companyId, viewer.id, clusterId, teamRoles.SecretViewer);
    admin = await console.person({ companyId });
    await console.grant(companyId, admin.id, clusterId, teamRoles.TeamAdmin);
    transport = await console.services.clusters.transport(clusterId);
    await transport.json({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: namespace } },
    });
    await until(
      () => seen(`/api/v1/namespaces/${namespace}/serviceaccounts/default`),
      'the namespace has its service account',
    );
    for (const object of neededObjects()) {
      const { apiVersion = '', kind } = object;
      const needed = kinds.find((one) => one.kind === kind && apiVersion === `${one.group}/${one.version}`);
      if (needed === undefined) throw new Error(`No kind makes a ${String(kind)}.`);
      await transport.json({ method: 'POST', path: collectionPath(needed), body: object });
    }
    for (const { addOn, group, version } of kinds) {
      if (addOn !== undefined) await until(() => seen(`/apis/${group}/${version}`), `${addOn} is served`);
    }
  });
  afterAll(() => console.close());

  /** An object as the cluster's own API returns it. */
  async function seen(path: string): Promise<KubeObject | undefined> {
    try {
      return await transport.json<KubeObject>({ path });
    } catch (error) {
      if (error instanceof ClusterProblem && error.upstream.status === 404) return undefined;
      throw error;
    }
  }

  const refOf = (kind: Kind, name: string): Ref => ({
    kind: kind.id,
    ...(kind.scope === 'Namespaced' ? { namespace } : {}),
    name,
  });
  const pathOf = (kind: Kind, ref: Ref) => objectPath(addressOf(kind, ref));
  const paramsOf = (kind: Kind) => ({ clusterId, kind: kind.id });
  const queryOf = (kind: Kind) => (kind.scope === 'Namespaced' ? { namespace } : {});

  /** The fixed suffix of a kind's names: names of definitions consist of other fields. */
  const suffixOf = (kind: Kind) => (sampleOf(kind).healthy.metadata?.name ?? '').replace(/^sample/, '');

  /** The kind's sample under another name. */
  function sample(kind: Kind, name: string): ObjectBody {
    const base = name.replace(suffixOf(kind), '');
    const text = JSON.stringify(sampleOf(kind).healthy).replaceAll('"sample', `"${base}`);
    const { status: _status, ...object } = JSON.parse(text) as ObjectBody;
    return { ...object, metadata: { ...object.metadata, name, ...queryOf(kind) } };
  }

  async function create(kind: Kind, name: string): Promise<Ref> {
    await owner.client.call('createObject', {
      params: paramsOf(kind),
      query: queryOf(kind),
      body: { object: sample(kind, name) },
    });
    return refOf(kind, name);
  }

  async function run(
    person: TestPerson,
    action: KindAction,
    ref: Ref,
    args: Record<string, unknown>,
    dryRun = false,
  ): Promise<Outcome> {
    const { outcomes } = await person.client.call('runAction', {
      params: { clusterId, actionId: action.id },
      body: { refs: [ref], args, dryRun },
    });
    const [outcome] = outcomes;
    if (outcome === undefined) throw new Error('There was no outcome.');
    return outcome;
  }

  const problemOf = async (call: () => Promise<unknown>) => {
    try {
      await call();
      return undefined;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  };
  const statusOf = async (call: () => Promise<unknown>) => (await problemOf(call))?.status ?? 200;

  // Helm releases are not API objects and have tests of their own.
  const served = kinds.filter(({ source }) => source === undefined);
  // Guards by a name, an Owner or a permission are tried for every kind; all else for half of the kinds in the gate.
  const turn = turnOfRun();
  const inTurn = served.filter(({ id }) => turn === undefined || oneOfTwo([true, false], id, turn));
  describe.each(inTurn.map((kind) => [kind.id, kind] as const))('%s', (_id, kind) => {
    it('can be created, listed, opened and changed, and dry runs change nothing', async () => {
      const name = `main-${kind.id}${suffixOf(kind)}`;
      const ref = refOf(kind, name);
      const object = sample(kind, name);
      await owner.client.call('createObject', {
        params: paramsOf(kind),
        query: { ...queryOf(kind), dryRun: 'true' },
        body: { object },
      });
      expect(await seen(pathOf(kind, ref))).toBeUndefined();

      await create(kind, name);
      expect(await seen(pathOf(kind, ref))).toMatchObject({ metadata: { name } });
      const list = await owner.client.call('objects', { params: paramsOf(kind) });
      const listed = list.items.find((item) => item.metadata?.name === name);
      expect(listed).toMatchObject({ kind: kind.kind, metadata: { name } });

      const opened = await viewer.client.call('object', {
        params: { ...paramsOf(kind), name },
        query: queryOf(kind),
      });
      expect(opened.metadata).not.toHaveProperty('managedFields');
      const resourceVersion = String(opened.metadata?.['resourceVersion']);
      const patch = { metadata: { annotations: { 'example.org/note': 'changed' } } };
      const change = (dryRun: 'true' | 'false', version: string) =>
        owner.client.call('patchObject', {
          params: { ...paramsOf(kind), name },
          query: { ...queryOf(kind), dryRun },
          body: { resourceVersion: version, patch },
        });
      const note = async () => (await seen(pathOf(kind, ref)))?.metadata?.annotations?.['example.org/note'];
      expect(await statusOf(() => change('false', '1'))).toBe(409);
      await until(async () => {
        const now = await seen(pathOf(kind, ref));
        return (await statusOf(() => change('true', now?.metadata?.resourceVersion ?? resourceVersion))) ===
          200
          ? true
          : undefined;
      }, 'the version did not change under the hand');
      expect(await note()).toBeUndefined();
      await until(async () => {
        const now = await seen(pathOf(kind, ref));
        return (await statusOf(() => change('false', now?.metadata?.resourceVersion ?? ''))) === 200
          ? true
          : undefined;
      }, 'the version did not change under the hand');
      expect(await note()).toBe('changed');
      const fields = (await seen(pathOf(kind, ref)))?.metadata?.managedFields as
        | { manager?: string }[]
        | undefined;
      if (fields !== undefined) expect(fields.map(({ manager }) => manager)).toContain('wheelhouse');
    });

    it('performs each of its actions on the cluster, and none in a dry run', async () => {
      const usual = await create(kind, `act-${kind.id}${suffixOf(kind)}`);
      // Jobs continue after the response and have tests of their own.
      const pending = new Set(kind.actions.filter((action) => !('job' in action)));
      /** An object that one action changed may be the precondition of another: a suspended one can be resumed. */
      const done: Ref[] = [];
      const offered = async (action: KindAction, ref: Ref) => {
        const { actions } = await owner.client.call('availableActions', {
          params: { clusterId },
          body: { refs: [ref] },
        });
        return actions.find(({ id }) => id === action.id)?.enabled === true;
      };
      const tryAll = async () => {
        for (const action of pending) {
          const own =
            action.dangerous === true ? [await create(kind, unique(kind, action))] : [usual, ...done];
          for (const ref of own) {
            if (!(await offered(action, ref))) continue;
            await tryOut(kind, action, ref);
            pending.delete(action);
            if (ref !== usual) done.push(ref);
            break;
          }
        }
        return pending.size === 0 ? true : undefined;
      };
      // Some actions wait for a controller: a claim can be expanded once it is bound.
      await until(tryAll, `every action could be done: ${kind.actions.map(({ id }) => id).join(', ')}`);
    });
  });

  describe.each(served.map((kind) => [kind.id, kind] as const))('%s', (_id, kind) => {
    it('asks for the name of a protected cluster before the actions that end pods or destroy something', async () => {
      const ref = await create(kind, `guarded-${kind.id}${suffixOf(kind)}`);
      const protect = (isProtected: boolean) => console.store.db.update(clusters).set({ isProtected });
      const call = (action: KindAction, args: Record<string, unknown>, more: object) =>
        owner.client.call('runAction', {
          params: { clusterId, actionId: action.id },
          body: { refs: [ref], args, ...more },
        });
      await protect(true);
      try {
        for (const action of kind.actions) {
          const args = await argsOf(kind, action);
          const object = await seen(pathOf(kind, ref));
          if (object === undefined) throw new Error(`${ref.name} is gone, though nobody typed the name.`);
          const asks = needsClusterName(action, args, kind.facts?.(object) ?? {});
          const problem = await problemOf(() => call(action, args, {}));
          const fields = problem?.issues.map(({ path }) => path) ?? [];
          expect({ status: problem?.status, fields }, action.id).toEqual(
            asks ? { status: 409, fields: ['confirm'] } : { status: undefined, fields: [] },
          );
          if (!asks) continue;
          const wrong = await problemOf(() => call(action, args, { confirm: 'another' }));
          expect(wrong, action.id).toMatchObject({ status: 409, issues: [{ path: 'confirm' }] });
          expect(await problemOf(() => call(action, args, { dryRun: true })), action.id).toBeUndefined();
        }
      } finally {
        await protect(false);
      }
    });

    it('rejects actions, creation and changes without permission', async () => {
      const ref = await create(kind, `denied-${kind.id}${suffixOf(kind)}`);
      const before = written(await seen(pathOf(kind, ref)));
      const params = { ...paramsOf(kind), name: ref.name };
      const denied: [TestPerson, number][] = [
        [viewer, 403],
        [stranger, 404],
      ];
      for (const [person, status] of denied) {
        for (const action of kind.actions) {
          const args = await argsOf(kind, action);
          for (const dryRun of [false, true]) {
            expect(await statusOf(() => run(person, action, ref, args, dryRun)), action.id).toBe(status);
          }
        }
        const object = sample(kind, `denied-too-${kind.id}${suffixOf(kind)}`);
        const query = queryOf(kind);
        const body = { resourceVersion: '1', patch: { metadata: { labels: { a: 'b' } } } };
        const { client } = person;
        expect(
          await statusOf(() =>
            client.call('createObject', { params: paramsOf(kind), query, body: { object } }),
          ),
        ).toBe(status);
        expect(await statusOf(() => client.call('patchObject', { params, query, body }))).toBe(status);
      }
      expect(await statusOf(() => stranger.client.call('object', { params, query: queryOf(kind) }))).toBe(
        404,
      );
      expect(await statusOf(() => stranger.client.call('objects', { params: paramsOf(kind) }))).toBe(404);
      const offered = await viewer.client.call('availableActions', {
        params: { clusterId },
        body: { refs: [ref] },
      });
      expect(offered.actions).toEqual([]);
      expect(written(await seen(pathOf(kind, ref)))).toEqual(before);
      expect(await seen(pathOf(kind, refOf(kind, `denied-too-${kind.id}${suffixOf(kind)}`)))).toBeUndefined();
    });
  });

  const ofOwners = served.filter(({ permissions }) => permissions.manage === 'owner');
  it.each(ofOwners.map((kind) => [kind.id, kind] as const))(
    '%s is changed by Owners alone: all permissions together are refused, by each way',
    async (_id, kind) => {
      const ref = await create(kind, `owned-${kind.id}${suffixOf(kind)}`);
      const before = written(await seen(pathOf(kind, ref)));
      const fresh = `owned-too-${kind.id}${suffixOf(kind)}`;
      const params = { ...paramsOf(kind), name: ref.name };
      const query = queryOf(kind);
      const there = { ...sample(kind, ref.name), metadata: { ...sample(kind, ref.name).metadata } };
      const changed = { ...there, metadata: { ...there.metadata, labels: { pasted: 'yes' } } };
      const paste = (person: TestPerson, object: ObjectBody, dryRun: boolean) =>
        person.client.call('applyResource', {
          params: { clusterId },
          body: { yaml: JSON.stringify(object), dryRun },
        });
      const { client } = admin;
      for (const action of kind.actions) {
        const args = await argsOf(kind, action);
        expect(await statusOf(() => run(admin, action, ref, args)), action.id).toBe(403);
      }
      const patch = { resourceVersion: '1', patch: { metadata: { labels: { a: 'b' } } } };
      expect(await statusOf(() => client.call('patchObject', { params, query, body: patch }))).toBe(403);
      const created = { object: sample(kind, fresh) };
      expect(
        await statusOf(() => client.call('createObject', { params: paramsOf(kind), query, body: created })),
      ).toBe(403);
      for (const dryRun of [true, false]) {
        for (const object of [changed, sample(kind, fresh)]) {
          const { results } = await paste(admin, object, dryRun);
          expect(results).toMatchObject([{ ok: false, status: 403 }]);
        }
      }
      const yaml = JSON.stringify(sample(kind, fresh));
      const made = await statusOf(() =>
        client.call('createResource', { params: { clusterId }, body: { yaml } }),
      );
      expect(made).toBe(403);
      const offered = await client.call('availableActions', { params: { clusterId }, body: { refs: [ref] } });
      expect(offered.actions).toEqual([]);
      expect(written(await seen(pathOf(kind, ref)))).toEqual(before);
      expect(await seen(pathOf(kind, refOf(kind, fresh)))).toBeUndefined();

      expect((await paste(owner, changed, false)).results).toMatchObject([{ ok: true }]);
      expect((await seen(pathOf(kind, ref)))?.metadata?.labels).toMatchObject({ pasted: 'yes' });
      await owner.client.call('createResource', { params: { clusterId }, body: { yaml } });
      expect(await seen(pathOf(kind, refOf(kind, fresh)))).toBeDefined();
    },
  );

  let count = 0;
  function unique(kind: Kind, action: KindAction): string {
    count += 1;
    return `${action.id.replace('.', '-')}-${count}${suffixOf(kind)}`;
  }

  /** Runs an action as a dry run, then really: the cluster must have the predicted result. */
  async function tryOut(kind: Kind, action: KindAction, ref: Ref): Promise<void> {
    const path = pathOf(kind, ref);
    // A controller that writes meanwhile has an action refused: its arguments are those of before. Then it is asked again.
    let refusal = '';
    const { args, before, tried } = await until(
      async () => {
        const args = await argsOf(kind, action, ref);
        const before = written(await seen(path));
        const tried = await run(owner, action, ref, args, true);
        refusal = tried.message;
        return tried.ok ? { args, before, tried } : undefined;
      },
      () => `a dry run of ${action.id} is accepted, and not answered “${refusal}”`,
    );
    expect(tried.status, action.id).toBe(200);
    expect(written(await seen(path)), `${action.id} in a dry run`).toEqual(before);

    const done = await run(owner, action, ref, args);
    expect(done, action.id).toMatchObject({ ok: true, message: expect.stringContaining(action.done) });
    expect(done.requests.length).toBeGreaterThan(0);
    const after = await seen(path);
    if (action.creates === true) {
      const made = done.requests.at(-1) as { path: string; body: KubeObject };
      expect(await seen(`${made.path}/${made.body.metadata?.name ?? ''}`), action.id).toBeDefined();
      return;
    }
    if (tried.after === undefined) {
      expect(after?.metadata?.deletionTimestamp ?? 'gone', action.id).not.toBe('');
      expect(after === undefined || after.metadata?.deletionTimestamp !== undefined, action.id).toBe(true);
      return;
    }
    expect(written(after), action.id).not.toEqual(before);
    // Masked as people see it, like the prediction.
    expect(
      timeless(after === undefined ? after : (presentObject(kind, after) as KubeObject)),
      action.id,
    ).toEqual(timeless(tried.after as KubeObject));
  }

  /** Removes the times that an action writes, because the second run is a moment later. */
  const timeless = (object: KubeObject | undefined) =>
    JSON.parse(JSON.stringify(written(object)).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')) as unknown;

  /** Arguments for an action; without an object, made-up values for those that depend on one. */
  async function argsOf(kind: Kind, action: KindAction, ref?: Ref): Promise<Record<string, unknown>> {
    const args: Record<string, unknown> = {};
    for (const [name, definition] of Object.entries(action.args ?? {})) {
      args[name] = await argOf(kind, definition, ref);
    }
    return args;
  }

  async function argOf(kind: Kind, definition: ArgDefinition, ref?: Ref): Promise<unknown> {
    switch (definition.type) {
      case 'number':
        return Math.min(definition.max, definition.min + 3);
      case 'choice':
        return definition.default;
      case 'member':
        return [kind.facts?.(sampleOf(kind).healthy)[definition.of] ?? 'member'].flat()[0];
      case 'text':
        return new RegExp(definition.pattern ?? '').test('text') ? 'text' : '900Gi';
      case 'map':
        return { 'example.org/mark': 'made' };
      case 'revision':
        if (ref === undefined) return 1;
        return await until(async () => {
          const { revisions } = await owner.client.call('revisions', {
            params: { ...paramsOf(kind), name: ref.name },
            query: queryOf(kind),
          });
          return revisions.find(({ isCurrent }) => !isCurrent)?.revision;
        }, 'there is an earlier revision');
      default:
        return definition satisfies never;
    }
  }
});
