import { actionById } from '../../../commands/kinds/index.ts';
import type { actionEndpoints, Ref } from '../../contract/objects.ts';
import type { Need } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { argsSchema } from '../../registry/action-args.ts';
import { isGrave } from '../../registry/confirmation.ts';
import type { KindAction } from '../../registry/kind-action.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { type Reach, requireHeld } from '../access/grants.ts';
import type { Place } from '../access/held.ts';
import { changePlace, viewPlace } from '../access/place.ts';
import { judgeActions, type NamedObject, needOf, sharedActions } from '../actions/available.ts';
import { deletionEffects, together } from '../actions/deletion-effects.ts';
import { createJoiner } from '../actions/joins.ts';
import { requireNameFor, requireWritable } from '../actions/protection.ts';
import { readOnlyReason } from '../../contract/clusters.ts';
import type { ArgChanges } from '../../registry/change-text.ts';
import { type ActionJobs, runOnObject } from '../actions/run.ts';
import { reportLimit } from '../actions/report-budget.ts';
import { createLimiter } from '../kit/limiter.ts';
import type { Handlers } from '../http/handlers.ts';
import { addressOf } from '../objects/address.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { RouteParts } from './parts.ts';

/** Objects of one call that are worked on at a time. */
const concurrency = 8;
/** Kinds in one call: each may have to be looked up on the cluster. */
const kindsLimit = 20;
/** Names of one call that the audit keeps, in characters. */
const namesLimit = 8_000;

/** The objects of some references with their kinds, without those of kinds that are unknown. Throws Problem 400. */
async function withKinds(
  kinds: KindCatalogue,
  cluster: ClusterRow,
  refs: readonly Ref[],
): Promise<NamedObject[]> {
  const names = [...new Set(refs.map(({ kind }) => kind))];
  if (names.length > kindsLimit)
    throw new Problem({ status: 400, title: `One call takes objects of at most ${kindsLimit} kinds.` });
  const found = new Map<string, AnyKind>();
  for (const name of names) found.set(name, await kinds.find(cluster, name));
  return refs.flatMap((ref) => {
    const kind = found.get(ref.kind);
    return kind === undefined ? [] : [{ ref, kind }];
  });
}

/** Actions on objects, as the kinds declare them. */
export function actionHandlers({
  clusters,
  grants,
  kinds,
  now,
  jobs,
  clock,
}: Pick<RouteParts, 'clusters' | 'grants' | 'kinds' | 'now' | 'jobs' | 'clock'>): Handlers<
  typeof actionEndpoints
> {
  return {
    async availableActions({ params, body }, { person, cluster }) {
      const reach = await grants.access(person, params.clusterId);
      const named = await withKinds(kinds, cluster, body.refs);
      const distinct = [...new Set(named.map(({ kind }) => kind))];
      requireView(reach, named);
      const shared = sharedActions(distinct);
      const permitted = shared.filter((action) =>
        named.every(({ kind, ref }) => reach.held.may(needOf(action, kind), changePlace(kind, ref))),
      );
      const reason = readOnlyReason(cluster);
      const refused = shared.filter((action) => !permitted.includes(action)).map(({ id }) => id);
      if (permitted.length === 0) return { actions: [], refused };
      const transport = await clusters.transport(params.clusterId);
      const actions = await judgeActions(permitted, named, {
        transport,
        joiner: createJoiner(transport),
        limiter: createLimiter(concurrency),
      });
      return {
        actions: reason === undefined ? actions : actions.map(({ id }) => ({ id, enabled: reason })),
        refused,
      };
    },

    async deletionEffects({ params, body }, { person, cluster }) {
      const reach = await grants.access(person, params.clusterId);
      const named = await withKinds(kinds, cluster, body.refs);
      requireView(reach, named);
      const parts = {
        transport: await clusters.transport(params.clusterId),
        held: reach.held,
        limiter: createLimiter(concurrency),
        find: (name: string) => kinds.find(cluster, name),
      };
      const found = await Promise.all(named.map(({ kind, ref }) => deletionEffects(parts, kind, ref)));
      const { effects, hasUnseen } = together(found);
      return { effects: [...effects], hasUnseen };
    },

    async runAction({ params, body }, { person, cluster, audit, log, address, requestId, proveAct }) {
      const action = actionById(params.actionId);
      if (action === undefined) throw new Problem({ status: 404, title: 'There is no such action.' });
      const { refs, dryRun } = body;
      await audit.record(action.id, { ...subjectOf(refs), dryRun });
      const named = await withKinds(kinds, cluster, refs);
      const distinct = [...new Set(named.map(({ kind }) => kind))];
      const require = async (need: Need, place: Place) =>
        requireWritable(await grants.require(person, params.clusterId, need, place));
      const permit = (kind: AnyKind, ref: Ref) => require(needOf(action, kind), changePlace(kind, ref));
      for (const kind of distinct) requireAction(kind, action);
      // All or nothing: of many objects one that is out of reach refuses the call.
      const reach = await grants.access(person, params.clusterId);
      for (const { kind, ref } of named) requireHeld(reach, needOf(action, kind), changePlace(kind, ref));
      requireWritable(reach.cluster);
      const args = readArgs(action, body.args);
      requireOneFor(action, refs.length);
      for (const { kind, ref } of named) addressOf(kind, ref);
      const transport = await clusters.acting({ person, cluster });
      if (!dryRun)
        await requireNameFor({ action, args, named }, { cluster, transport, confirm: body.confirm });
      if (!dryRun && distinct.some((kind) => isGrave(action, kind))) await proveAct();
      const limiter = createLimiter(concurrency);
      const ownJobs: ActionJobs = {
        context: (part) => ({ ...part, cluster, kinds, clock, require }),
        start: (ref, prepared) =>
          jobs.start({ cluster, person, action: action.id, ref, prepared, address, requestId }),
      };
      const changes: (readonly [Ref, ArgChanges])[] = [];
      const run = {
        permit,
        transport,
        action,
        args,
        dryRun,
        joiner: createJoiner(transport),
        now: now(),
        report: { left: reportLimit },
        log,
        onChange: (ref: Ref, changed: ArgChanges) => void changes.push([ref, changed]),
        jobs: ownJobs,
      };
      const outcomes = await Promise.all(
        named.map(({ kind, ref }) => limiter.run(() => runOnObject(run, kind, ref))),
      );
      audit.subject({ failed: outcomes.filter(({ ok }) => !ok).length });
      const told = changesOf(changes, refs.length);
      audit.changed(told.before, told.after);
      return { outcomes };
    },
  };
}

/**
 * Throws Problem 403 unless all objects may be viewed, as the verdict on an action reveals something of its object, and
 * Problem 400 for one that has no address.
 */
function requireView(reach: Reach, named: readonly NamedObject[]): void {
  for (const { kind, ref } of named) requireHeld(reach, kind.permissions.view, viewPlace(kind, ref));
  for (const { kind, ref } of named) addressOf(kind, ref);
}

/** Throws Problem 400 for a kind without an action. */
function requireAction(kind: AnyKind, action: KindAction): void {
  if (kind.actions.includes(action)) return;
  throw new Problem({ status: 400, title: `${kind.title} have no action ${action.title}.` });
}

/** Throws Problem 400 for an action on one object that is asked for on several. */
function requireOneFor({ single }: Pick<KindAction, 'single'>, count: number): void {
  if (single !== true || count < 2) return;
  throw new Problem({ status: 400, title: 'This action works on one object at a time. Select only one.' });
}

/** Throws Problem 400 with the first thing that is wrong with an action's arguments. */
function readArgs(action: KindAction, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const parsed = argsSchema(action.args).safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const [first] = issues;
  const message = first?.message ?? 'Its arguments are not valid.';
  throw new Problem({ status: 400, title: message.endsWith('.') ? message : `${message}.`, issues });
}

/** Objects whose values the audit tells before and after; of more it has the names alone. */
const changesLimit = 20;

/** What was changed, by the name of the value; of several objects by that of each as well. */
function changesOf(changes: readonly (readonly [Ref, ArgChanges])[], objects: number) {
  const all = changes.slice(0, changesLimit).flatMap(([{ kind, namespace, name }, changed]) =>
    Object.entries(changed).map(([arg, values]) => {
      const of = objects === 1 ? '' : `${[kind, namespace, name].filter(Boolean).join('/')} `;
      return [`${of}${arg}`, values] as const;
    }),
  );
  return {
    before: Object.fromEntries(all.map(([name, { before }]) => [name, before])),
    after: Object.fromEntries(all.map(([name, { after }]) => [name, after])),
  };
}

/** Kinds, namespaces and names, as the audit keeps them. */
function subjectOf(refs: readonly Ref[]): Record<string, string | number | null> {
  const all = (values: readonly (string | undefined)[]) =>
    [...new Set(values.filter((value) => value !== undefined))].join(', ').slice(0, namesLimit);
  return {
    kind: all(refs.map(({ kind }) => kind)),
    namespace: all(refs.map(({ namespace }) => namespace)) || null,
    names: all(refs.map(({ namespace, name }) => (namespace === undefined ? name : `${namespace}/${name}`))),
    objects: refs.length,
  };
}
