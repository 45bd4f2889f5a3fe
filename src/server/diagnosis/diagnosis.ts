import { kindById, kindOfObject } from '../../../commands/kinds/index.ts';
import type { AttentionLine } from '../../contract/dashboard.ts';
import type { Diagnosis } from '../../contract/diagnosis.ts';
import type { Ref } from '../../contract/objects.ts';
import { controllerOf } from '../../kube/owners.ts';
import { streams } from '../../contract/streams.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { NamedObject } from '../../registry/kinds/refs.ts';
import type { Reach } from '../access/grants.ts';
import type { HeldPermissions } from '../access/held.ts';
import { isNamespaceKind, viewPlace } from '../access/place.ts';
import { isInSight, noneExcluded, type Sight } from '../access/sight.ts';
import { clusterSeconds } from '../clusters/cluster-clock.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import type { Clock } from '../kit/clock.ts';
import { besideTurn } from '../kit/turns.ts';
import type { Board } from '../live/dashboard/board.ts';
import type { Hub } from '../live/page/hub.ts';
import { isAbsent, readObject } from '../objects/read-object.ts';
import { tracesOf } from './absence.ts';
import { diagnosisOf, diagnosisOfAbsent } from './answer.ts';
import { mayView } from './cited-sight.ts';
import { type Cause, diagnose, judge, merged } from './diagnose.ts';
import { ReadingWorld } from './reading-world.ts';
import { ruleBook } from './rule-book.ts';
import type { Lookup, World } from './world.ts';

/** How often rules are run again with what they asked for. */
const rounds = 12;
/** Objects in trouble that are looked into for a cluster or a namespace. */
const rootLimit = 40;
/** How long the lists of a cluster that nobody looked at may take, ms. */
const boardPatience = 10_000;

/** What the permission to read logs is asked about. */
const podPlace = { scope: 'Namespaced', group: '', plural: 'pods' } as const;

/** Who asks, and where. The person was authorised to view the object, or to reach the cluster. */
export interface Asking {
  readonly reach: Reach;
  readonly signal: AbortSignal;
}

/** Why things are in trouble: one service for pages, scripts and the chat. */
export interface Diagnoses {
  /** Of one object, also of one that is not there. Throws ClusterProblem when it cannot be read. */
  object(kind: AnyKind, ref: Omit<Ref, 'kind'>, asking: Asking): Promise<Diagnosis>;
  /** Of a namespace, or of all that the person sees of the cluster. */
  place(namespace: string | undefined, asking: Asking): Promise<Diagnosis>;
}

/** Gives the one service. */
export function createDiagnoses({
  hub,
  clusters,
  clock,
}: {
  readonly hub: Hub;
  readonly clusters: Pick<ClusterDirectory, 'transport'>;
  readonly clock: Clock;
}): Diagnoses {
  async function open({ reach: { cluster, held }, signal }: Asking) {
    const transport = await clusters.transport(cluster.id);
    const findKind = (name: string) => hub.kinds.find(cluster, name);
    const world = new ReadingWorld({
      transport,
      cluster: cluster.name,
      findKind,
      mayView: (of) => mayView(held, of),
      mayReadLog: ({ namespace = '', name }) =>
        held.may(streams.followLog.access.permission, viewPlace(podPlace, { namespace, name })),
      now: () => clusterSeconds(clock, transport),
      signal,
    });
    return { transport, world };
  }

  return {
    async object(kind, ref, asking) {
      const { transport, world } = await open(asking);
      const { cluster } = asking.reach;
      const found = await readObject(transport, kind, ref, {
        cluster: cluster.name,
        signal: asking.signal,
      }).catch((error: unknown) => {
        if (isAbsent(error, ref.name)) return undefined;
        throw error;
      });
      if (found === undefined) {
        const traces = () => tracesOf(world, namedBy(kind, { kind: kind.id, ...ref }));
        traces();
        await world.fill();
        return diagnosisOfAbsent({ kind, ref, traces: traces() }, world, asking.reach);
      }
      const root = world.add(kind, found);
      if (isNamespaceKind(kind)) {
        const { run, notes } = await openPlace(world, ref.name, asking);
        const causes = await settle(world, clock, () => [...diagnose(root, world, ruleBook), ...run()]);
        return diagnosisOf(causes, world, asking.reach, ref.name, notes);
      }
      const causes = await settle(world, clock, () => diagnose(root, world, ruleBook));
      return diagnosisOf(causes, world, asking.reach, ref.namespace);
    },
    async place(namespace, asking) {
      const { world } = await open(asking);
      const { run, notes } = await openPlace(world, namespace, asking);
      const causes = await settle(world, clock, run);
      return diagnosisOf(causes, world, asking.reach, namespace, notes);
    },
  };

  /** Reads what a namespace or the cluster has in any case, and gives what the rules say of it when they are run. */
  async function openPlace(world: ReadingWorld, namespace: string | undefined, { reach, signal }: Asking) {
    const excluded = namespace === undefined ? reach.excluded : noneExcluded;
    const sight = { held: reach.held, excluded };
    const lines = await linesOf(hub.live(reach.cluster).board, sight, clock, signal);
    const here = (lines ?? []).filter(({ on }) => namespace === undefined || placeOf(on) === namespace);
    const roots = await Promise.all(
      here.slice(0, rootLimit).map(async ({ on, objects }) => {
        const named = async (ref: Ref) => namedBy(await hub.kinds.find(reach.cluster, ref.kind), ref);
        return await Promise.all([on, ...objects.slice(0, 1)].map(named));
      }),
    );
    // Once for the whole of it, not for each of its parts.
    if (namespace !== undefined || reach.held.namespaces === 'all') {
      for (const lookup of wholeLists(namespace)) world.all(lookup);
      await world.fill();
    }
    const notes = [
      ...(lines === undefined ? ['The lists of the cluster are still loading. Ask again in a moment.'] : []),
      ...excludedNote(reach.held, excluded),
      ...(here.length > rootLimit
        ? [`${here.length - rootLimit} more unhealthy objects were not examined.`]
        : []),
    ];
    const run = (): readonly Cause[] => [
      ...roots.flatMap((either) => firstCauses(either, world)),
      ...(namespace === undefined ? [] : contentCauses(world, namespace)),
      ...sweep(world, namespace, sight),
    ];
    return { run, notes };
  }
}

/** Kinds of which all objects of a namespace are looked at. */
const contents = [
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'StatefulSet'],
  ['apps/v1', 'DaemonSet'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'CronJob'],
  ['v1', 'Pod'],
  ['v1', 'PersistentVolumeClaim'],
  ['v1', 'Service'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
] as const;

/** Lists that most rules ask for; of a namespace all of its contents. */
function wholeLists(namespace: string | undefined): readonly Lookup[] {
  if (namespace === undefined)
    return [
      { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
      { apiVersion: 'v1', kind: 'Pod' },
      { apiVersion: 'v1', kind: 'Service' },
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      { apiVersion: 'apps/v1', kind: 'StatefulSet' },
    ];
  return [
    ...contents,
    ['apps/v1', 'ReplicaSet'] as const,
    ['discovery.k8s.io/v1', 'EndpointSlice'] as const,
  ].map(([apiVersion, kind]) => ({ apiVersion, kind, namespace }));
}

/** Objects of a namespace that are looked into, besides those of the dashboard. */
const contentLimit = 200;

/** The rules for objects that no question names: without those that are for named objects alone. */
const booksUnasked = {
  line: { ...ruleBook, rules: ruleBook.rules.filter(({ sort }) => sort !== 'last') },
  content: { ...ruleBook, rules: ruleBook.rules.filter(({ sort }) => sort !== 'last' && sort !== 'advice') },
};

/** Causes found at the objects of a namespace that no other object controls. */
function contentCauses(world: ReadingWorld, namespace: string): readonly Cause[] {
  const all = contents.flatMap(([apiVersion, kind]) =>
    (world.all({ apiVersion, kind, namespace }) ?? []).filter((one) => controllerOf(one) === undefined),
  );
  if (all.length > contentLimit)
    world.note(
      `${all.length - contentLimit} objects of namespace ${namespace} were not examined: there are too many.`,
    );
  return all.slice(0, contentLimit).flatMap((one) => diagnose(one, world, booksUnasked.content));
}

/** Says how many of the namespaces that somebody may view are left out. */
function excludedNote(held: HeldPermissions, excluded: ReadonlySet<string>): string[] {
  const need = kindById('namespace')?.permissions.view;
  if (need === undefined) return [];
  const { length } = [...excluded].filter((one) => held.may(need, { namespace: one }));
  if (length === 0) return [];
  const what = length === 1 ? 'An excluded namespace was' : `${length} excluded namespaces were`;
  return [`${what} not examined. Ask about one by its name.`];
}

/** The lines of a dashboard, as soon as its lists were read; undefined where that takes too long. */
async function linesOf(
  board: Board,
  sight: Sight,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly AttentionLine[] | undefined> {
  signal.throwIfAborted();
  const read = Promise.withResolvers<void>();
  const membership = board.join(sight, { dashboard: read.resolve, state: () => undefined });
  const cancel = clock.after(boardPatience, read.resolve);
  signal.addEventListener('abort', () => read.resolve(), { once: true });
  try {
    if (membership.lines === undefined) await besideTurn(() => read.promise);
    signal.throwIfAborted();
    return membership.lines;
  } finally {
    cancel();
    membership.leave();
  }
}

/** Where an object is: a namespace is in itself. */
const placeOf = ({ kind, namespace, name }: Ref): string | undefined => {
  const known = kindById(kind);
  return known !== undefined && isNamespaceKind(known) ? name : namespace;
};

const namedBy = ({ group, version, kind }: AnyKind, { namespace, name }: Ref): NamedObject => ({
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
  ...(namespace === undefined ? {} : { namespace }),
  name,
});

/** The causes of the first of some objects that has any: a workload, else one of its pods. */
function firstCauses(either: readonly NamedObject[], world: World): readonly Cause[] {
  for (const named of either) {
    const root = world.one(named);
    const causes = root === null || root === undefined ? [] : diagnose(root, world, booksUnasked.line);
    if (causes.length > 0) return causes;
  }
  return [];
}

/** What no status tells of: all objects of the kinds that have such rules. */
function sweep(world: World, namespace: string | undefined, sight: Sight): readonly Cause[] {
  const rules = ruleBook.rules.filter(({ isSwept }) => isSwept);
  return [...new Set(rules.map(({ kind }) => kind))].flatMap((swept) => {
    const [name = '', ...group] = swept.split('.');
    const kind = kindOfObject(`${group.join('.')}/`, name);
    if (kind === undefined || (namespace !== undefined && kind.scope === 'Cluster')) return [];
    const { apiVersion } = namedBy(kind, { kind: kind.id, name });
    const held = sight.held.namespacesFor(kind.permissions.view);
    // Of some namespaces only theirs are read.
    const places =
      namespace === undefined && kind.scope === 'Namespaced' && held !== 'all'
        ? [...held].filter((one) => !sight.excluded.has(one))
        : [namespace];
    return places
      .flatMap((place) => world.all({ apiVersion, kind: name, namespace: place }) ?? [])
      .filter(({ metadata = {} }) =>
        isInSight(sight, kind, { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }),
      )
      .flatMap((object) => judge(object, world, rules));
  });
}

/** How long rules may ask for more, ms. */
const timeLimit = 5_000;

/** Runs rules until they miss nothing more, or for as long as they may ask. */
async function settle(
  world: ReadingWorld,
  clock: Clock,
  run: () => readonly Cause[],
): Promise<readonly Cause[]> {
  const end = clock.now() + timeLimit;
  let causes = run();
  for (let round = 0; round < rounds && (await world.fill()); round += 1) {
    causes = run();
    if (clock.now() < end) continue;
    world.note(`Not everything was examined: that would take more than ${timeLimit / 1000} s.`);
    break;
  }
  return merged(causes);
}
