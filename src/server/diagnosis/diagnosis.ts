import { kindById, kindOfObject } from '../../../commands/kinds/index.ts';
import type { AttentionLine } from '../../contract/dashboard.ts';
import type { Diagnosis, Evidence, Finding } from '../../contract/diagnosis.ts';
import type { Ref } from '../../contract/objects.ts';
import { streams } from '../../contract/streams.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { groupOf, type NamedObject, refKey } from '../../registry/refs.ts';
import type { Reach } from '../access/grants.ts';
import type { HeldPermissions } from '../access/held.ts';
import { changePlace, isNamespaceKind, viewPlace } from '../access/place.ts';
import { isExcluded, isInSight, noneExcluded, type Sight } from '../access/sight.ts';
import { needOf } from '../actions/available.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import type { Clock } from '../kit/clock.ts';
import type { Board } from '../live/dashboard/board.ts';
import { readReference } from '../live/graph/reference.ts';
import type { Hub } from '../live/hub.ts';
import { isAbsent, readObject } from '../objects/read-object.ts';
import { cleanValue } from '../objects/present.ts';
import { clusterEvents, tracesOf } from './absence.ts';
import { type Cause, diagnose, judge, merged } from './diagnose.ts';
import { ReadingWorld, type Viewed } from './reading-world.ts';
import type { Proof } from './rule.ts';
import { ruleBook } from './rule-book.ts';
import { allOf, type World } from './world.ts';

/** How often rules are run again with what they asked for. */
const rounds = 12;
/** Findings of one answer, and characters of one text in it. */
const findingLimit = 50;
/** Objects in trouble that are looked into for a cluster or a namespace. */
const rootLimit = 40;
/** How long the lists of a cluster that nobody looked at may take, ms. */
const boardPatience = 10_000;
const textLimit = 600;

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
      now: Math.floor(clock.now() / 1000),
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
      if (found === undefined) return await absence(kind, ref, world, asking.reach);
      const root = world.add(kind, found);
      const causes = await settle(world, () => diagnose(root, world, ruleBook));
      return answer(causes, world, asking.reach, ref.namespace);
    },
    async place(namespace, asking) {
      const { reach, signal } = asking;
      const { world } = await open(asking);
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
      // Once for the cluster, not for each of its namespaces.
      if (namespace === undefined && reach.held.namespaces === 'all') {
        for (const kind of ['EndpointSlice', 'Pod', 'Service', 'Deployment', 'StatefulSet'] as const)
          allOf(world, kind);
        await world.fill();
      }
      const causes = await settle(world, () => [
        ...roots.flatMap((either) => firstCauses(either, world)),
        ...sweep(world, namespace, sight),
      ]);
      const notes = [
        ...(lines === undefined
          ? ['The lists of the cluster are still being read: ask again in a moment.']
          : []),
        ...excludedNote(reach.held, excluded),
        ...(here.length > rootLimit
          ? [`${here.length - rootLimit} more objects in trouble were not looked into.`]
          : []),
      ];
      return answer(causes, world, reach, namespace, notes);
    },
  };
}

/** The answer about an object that is not there: that it is not, and what still tells of it. */
async function absence(
  kind: AnyKind,
  ref: Omit<Ref, 'kind'>,
  world: ReadingWorld,
  reach: Reach,
): Promise<Diagnosis> {
  const named = namedBy(kind, { kind: kind.id, ...ref });
  const ask = () => tracesOf(world, named);
  ask();
  await world.fill();
  const { namespace } = ref;
  const seen = ask().filter((proof) => citedAs(proof).every((one) => sees(reach, one, namespace)));
  const called = namespace === undefined ? ref.name : `${namespace}/${ref.name}`;
  const self: Evidence = { type: 'object', ref: { kind: kind.id, ...ref }, exists: false };
  return {
    findings: [],
    withheld: 0,
    notes: [...world.notes],
    gone: {
      sentence: cut(`${kind.kind} ${called} is not there: it was deleted, or never was.`),
      evidence: [self, ...seen.map((proof) => evidenceOf(proof, world))],
    },
  };
}

/** Says how many of the namespaces that somebody may view are left out. */
function excludedNote(held: HeldPermissions, excluded: ReadonlySet<string>): string[] {
  const need = kindById('namespace')?.permissions.view;
  if (need === undefined) return [];
  const { length } = [...excluded].filter((one) => held.may(need, { namespace: one }));
  if (length === 0) return [];
  const what =
    length === 1 ? 'A namespace that is excluded was' : `${length} namespaces that are excluded were`;
  return [`${what} not looked at. Ask about one by its name.`];
}

/** The lines of a dashboard, as soon as its lists were read; undefined where that takes too long. */
async function linesOf(
  board: Board,
  sight: Sight,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly AttentionLine[] | undefined> {
  const read = Promise.withResolvers<void>();
  const membership = board.join(sight, { dashboard: read.resolve, state: () => undefined });
  const cancel = clock.after(boardPatience, read.resolve);
  signal.addEventListener('abort', () => read.resolve(), { once: true });
  try {
    if (membership.lines === undefined) await read.promise;
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
    const causes = root === null || root === undefined ? [] : diagnose(root, world, ruleBook);
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

/** Runs rules until they miss nothing more. */
async function settle(world: ReadingWorld, run: () => readonly Cause[]): Promise<readonly Cause[]> {
  let causes = run();
  for (let round = 0; round < rounds && (await world.fill()); round += 1) causes = run();
  return merged(causes);
}

/** What the person may know of causes. @param asked the namespace that they asked about: it is not left out */
function answer(
  causes: readonly Cause[],
  world: ReadingWorld,
  reach: Reach,
  asked: string | undefined,
  notes: readonly string[] = [],
): Diagnosis {
  const seen = causes.filter((cause) => citedBy(cause).every((named) => sees(reach, named, asked)));
  // That something does not exist is not told by a count to who may not see whether it does.
  const isTold = (cause: Cause) =>
    cause.evidence.every((proof) => proof.type !== 'object' || proof.exists || sees(reach, proof.of, asked));
  const withheld = causes.filter(isTold).length - seen.length;
  const shown = seen.slice(0, findingLimit);
  return {
    findings: shown.map((cause) => findingOf(cause, world, reach)),
    withheld,
    notes: [
      ...notes,
      ...world.notes,
      ...(seen.length > shown.length ? [`${seen.length - shown.length} more findings are not listed.`] : []),
      ...(withheld === 0
        ? []
        : [
            `${withheld === 1 ? 'A finding is' : `${withheld} findings are`} withheld: ${withheld === 1 ? 'it cites' : 'they cite'} objects that you may not see, or that you leave out of your views.`,
          ]),
    ],
  };
}

/** Every object that a cause names, events as what they are themselves. */
function citedBy({ object, path, evidence }: Cause): readonly NamedObject[] {
  return [object, ...path, ...evidence.flatMap(citedAs)];
}

/** The objects that a piece of evidence names: that which it is about, and an event as what it is itself. */
function citedAs({ type, of }: Proof): readonly NamedObject[] {
  const { namespace = clusterEvents } = of;
  return type === 'event' ? [of, { apiVersion: 'v1', kind: 'Event', namespace, name: '-' }] : [of];
}

/** The kind of something named as far as it says where it is viewed, and what that needs; undefined if nothing has the name. */
function viewedKind({ apiVersion, kind: label, namespace, name = '-' }: Viewed) {
  const place = namespace === undefined ? {} : { namespace };
  const reference = readReference(refKey({ apiVersion, kind: label, ...place, name }));
  if (reference === undefined) return undefined;
  const kind = kindById(reference.kind) ?? {
    scope: (namespace ?? '') === '' ? ('Cluster' as const) : ('Namespaced' as const),
    group: groupOf(apiVersion),
    plural: '',
  };
  return { kind, need: reference.need };
}

/** Whether somebody may view an object, or without a name all of its kind there. */
function mayView(held: HeldPermissions, viewed: Viewed): boolean {
  const found = viewedKind(viewed);
  return found !== undefined && held.may(found.need, viewPlace(found.kind, viewed));
}

function sees({ held, excluded }: Reach, named: NamedObject, asked: string | undefined): boolean {
  const kind = viewedKind(named)?.kind;
  if (kind === undefined || !mayView(held, named)) return false;
  const { namespace = '', name } = named;
  const left =
    asked === undefined || excluded.size === 0
      ? excluded
      : new Set([...excluded].filter((one) => one !== asked));
  return !isExcluded(left.size === 0 ? noneExcluded : left, kind, { namespace, name });
}

const refOf = (named: NamedObject, world: World): Ref => ({
  kind: world.kindOf(named)?.id ?? readReference(refKey(named))?.kind ?? named.kind,
  ...(named.namespace === undefined ? {} : { namespace: named.namespace }),
  name: named.name,
});

const cut = (text: string): string => {
  const clean = cleanValue(text) as string;
  return clean.length <= textLimit ? clean : `${clean.slice(0, textLimit)}…`;
};

function evidenceOf({ of, ...proof }: Proof, world: World): Evidence {
  const ref = refOf(of, world);
  switch (proof.type) {
    case 'field':
      return { ...proof, ref, value: proof.value === null ? null : cut(proof.value) };
    case 'event':
      return { ...proof, ref, reason: cut(proof.reason), message: cut(proof.message) };
    case 'log':
      return { ...proof, ref, ...(proof.line === undefined ? {} : { line: cut(proof.line) }) };
    case 'object':
      return { ...proof, ref };
    default:
      return proof satisfies never;
  }
}

function findingOf(cause: Cause, world: ReadingWorld, reach: Reach): Finding {
  const { rule, tone, object, sentence, evidence, path, count, actions } = cause;
  return {
    rule,
    tone,
    object: refOf(object, world),
    kindName: object.kind,
    sentence: cut(sentence),
    evidence: evidence.map((proof) => evidenceOf(proof, world)),
    path: path.map((named) => refOf(named, world)),
    count,
    actions: actions.flatMap(({ id, on }) => {
      const kind = world.kindOf(on);
      const action = kind?.actions.find((one) => one.id === id);
      if (kind === undefined || action === undefined) return [];
      return reach.held.may(needOf(action, kind), changePlace(kind, on))
        ? [{ id, refs: [refOf(on, world)] }]
        : [];
    }),
  };
}
