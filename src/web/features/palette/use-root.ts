import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import {
  namespaceOfLine,
  type PaletteInput,
  readKindLine,
  readPaletteInput,
} from '../../../registry/palette/query.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import { isAdmin } from '../../data/session.ts';
import { useActionStates, useRefusedActions } from '../actions/use-action-states.ts';
import { useKept } from '../../core/state/port.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { actionsOf } from '../../core/kinds/actions.ts';
import { withAbsent } from './absent.ts';
import { commandCandidates, listBoost, othersOf, verbsOf } from './command-entries.ts';
import { composeRoot } from './compose.ts';
import type { Content } from './content.ts';
import type { Entry } from './entries.ts';
import { hrefOfPlace } from '../../../registry/filter/place.ts';
import { filterEntries } from './filter-entries.ts';
import { excludedOf, type Frame } from './frames.ts';
import { usePresent } from './gone.ts';
import { type Judged, withJudged } from './judged.ts';
import { groupOfCustom, isDeclared, listedKinds, type ListedKind } from '../../core/kinds/listed.ts';
import { clusterOfLine, matchKinds } from './mode-entries.ts';
import type { PaletteOpening } from './opening.ts';
import { tiers } from '../../../registry/palette/rank.ts';
import { prepareCandidates } from './loose-entries.ts';
import { type Candidate, candidate } from './rank-entries.ts';
import { intendedQuery, namedQuery, nothingRead, type Reading, readText } from './reading.ts';
import { refusedCandidates } from './refused-entries.ts';
import { statusCandidates } from './list-entries.ts';
import { peopleCandidates } from './people-entries.ts';
import { recentCandidates } from './recent-entries.ts';
import { actionEntries } from './subject-entries.ts';
import type { ObjectQuery } from './ask-objects.ts';
import { useObjects } from './use-objects.ts';
import { usePhrases } from './use-phrases.ts';

const noText = '';

/** Age from which the palette reads the members anew, ms. */
const membersStale = 60_000;

/** Data of the palette that does not depend on the query. */
function useKnown(opening: PaletteOpening) {
  const { registry } = useCommands();
  const { recents } = useKept();
  const { kinds: known, queries } = useData();
  const clusters = useQuery(queries.clusters).data;
  const session = useQuery(queries.session).data;
  const userId = session?.id;
  // Members may not read them.
  const members = useQuery({
    ...queries.members,
    enabled: session != null && session.companyId !== 0 && isAdmin(session),
    staleTime: membersStale,
  }).data;
  const { clusterId } = opening;
  const custom = useQuery({
    ...queries.searchKinds(clusterId ?? 0),
    enabled: clusterId !== undefined,
  }).data?.kinds;
  const saved = useQuery(queries.savedFilters).data;
  return useMemo(() => {
    const kinds = listedKinds(custom ?? []);
    return {
      clusters: clusters ?? [],
      kinds,
      recents:
        userId === undefined
          ? []
          : recentCandidates({ registry, kinds: known, recents }, opening, {
              clusters: clusters ?? [],
              userId,
            }),
      commands: commandCandidates(registry, opening),
      verbs: verbsOf(registry, opening),
      others: othersOf(registry, opening),
      resources: [
        ...peopleCandidates(registry, members ?? []),
        ...(clusterId === undefined
          ? []
          : [
              ...filterEntries(saved ?? [], (_, place) => ({
                type: 'place',
                href: hrefOfPlace(place, clusterId),
              })).map((entry) => candidate(entry, [entry.note ?? '', 'filter'])),
              ...resourceCandidates(kinds, clusterId),
            ]),
        ...statusCandidates(kinds, clusters ?? [], opening),
      ],
    };
  }, [registry, known, recents, opening, clusters, custom, saved, userId, members, clusterId]);
}

/** Lists of resources that no command of their own opens. */
function resourceCandidates(kinds: readonly ListedKind[], clusterId: number) {
  return kinds
    .filter(({ id }) => !isDeclared(id))
    .map((kind) =>
      candidate(
        {
          id: `kind ${kind.id}`,
          section: 'Go to',
          title: kind.title,
          note: groupOfCustom(kind.id),
          icon: kind.icon,
          act: { type: 'place', href: kind.path.replace(':clusterId', String(clusterId)) },
        },
        kind.aliases,
        listBoost,
        { words: kind.aliases, tierOf: () => tiers.equal },
      ),
    );
}

/** The actions of what the palette was opened on, and what the server says of them. */
function useOwn(opening: PaletteOpening): {
  readonly own: readonly Entry[];
  readonly judged: Judged | undefined;
  /** What the person may not do. */
  readonly questions: readonly Candidate[];
} {
  const { registry } = useCommands();
  const { queries, kinds } = useData();
  const refs = opening.subject.type === 'objects' ? opening.subject.refs : undefined;
  const states = useActionStates(refs).data;
  const refused = useRefusedActions(refs);
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => String(id) === refs?.[0].cluster);
  const { keysOf, may, rowTargets: targets } = opening;
  return useMemo(() => {
    if (refs === undefined)
      return { own: [], judged: undefined, questions: refusedCandidates(registry, opening, undefined) };
    const kind = kinds.orUnknown(refs[0].cluster, refs[0].kind);
    const section =
      refs.length === 1
        ? `${kind.kind} ${refs[0].name}`
        : `${refs.length} selected ${kind.title.toLowerCase()}`;
    return {
      own: actionEntries({ registry, refs, kind, states, section, cluster, may, targets, keysOf }),
      judged: states === undefined || refused === undefined ? undefined : { refs, states, refused },
      questions: refusedCandidates(registry, opening, {
        kind: { ...kind, actions: actionsOf(kind) },
        refused: refused ?? [],
      }),
    };
  }, [registry, kinds, refs, states, refused, cluster, may, targets, keysOf, opening]);
}

/** Which objects a text asks the server for, if any. */
function objectQueryOf(
  input: PaletteInput,
  opening: PaletteOpening,
  meant: {
    readonly reading: Reading;
    readonly kind: ListedKind | undefined;
    readonly cluster: number | undefined;
    readonly raw: string;
  },
): ObjectQuery | undefined {
  if (input.mode === 'all') return namedQuery(meant.reading, opening);
  const { kind, cluster, raw } = meant;
  if (input.mode !== 'kinds' || kind === undefined || cluster === undefined) return undefined;
  const line = readKindLine(raw);
  // The index knows names, not labels.
  if (line.labels.length > 0) return undefined;
  const named = namespaceOfLine(line);
  return {
    q: (line.filter ?? '').slice(0, 200),
    cluster,
    kinds: kind.id,
    ...(named === undefined || kind.scope === 'Cluster' ? {} : { namespace: named }),
  };
}

/** The first level of the palette: everything, or one of its modes. Without a frame another level shows. */
export function useRoot(
  opening: PaletteOpening,
  frame: Extract<Frame, { readonly type: 'root' }> | undefined,
): Content {
  const { registry } = useCommands();
  const { queries } = useData();
  const everKnown = useKnown(opening);
  const { commands } = everKnown;
  const phrases = usePhrases();
  useEffect(() => {
    if (phrases === 'coming') return undefined;
    // After the palette is painted, before the first key.
    const soon = setTimeout(() => prepareCandidates(commands));
    return () => clearTimeout(soon);
  }, [commands, phrases]);
  const recents = usePresent(everKnown.recents, registry);
  const known = useMemo(() => ({ ...everKnown, recents }), [everKnown, recents]);
  const { own, judged, questions } = useOwn(opening);
  const text = frame?.text ?? noText;
  const isAlone = frame?.isObjectsOnly === true;
  const input = useMemo(() => readPaletteInput(text), [text]);
  const raw = text.trimStart().slice(1);
  const line = readKindLine(raw);
  const isKinds = input.mode === 'kinds';
  const cluster = isKinds ? clusterOfLine(raw, known.clusters, opening.clusterId)?.id : opening.clusterId;
  // Once more than the kind is typed, the kind is settled, and its objects are looked for.
  const kind = isKinds && line.at !== 'kind' ? matchKinds(known.kinds, line.kind)[0] : undefined;
  // Among other words, one may name a namespace.
  const mayNameOne = isKinds || input.mode === 'namespaces' || (input.mode === 'all' && / /.test(input.text));
  const namespaces = useQuery({
    ...queries.namespaces(cluster ?? 0),
    enabled: cluster !== undefined && mayNameOne && opening.may('namespaces.view'),
  });
  const names = useMemo(() => namespaces.data?.map(({ name }) => name) ?? [], [namespaces.data]);
  const reading = useMemo(
    () =>
      isAlone
        ? { ...nothingRead, words: input.text }
        : readText(input, { ...known, clusterId: opening.clusterId, namespaces: names }),
    [input, isAlone, known, opening, names],
  );
  const ask = (query: ObjectQuery | undefined) =>
    frame === undefined || query === undefined ? undefined : { ...query, ...excludedOf(frame) };
  const objects = useObjects(ask(objectQueryOf(input, opening, { reading, kind, cluster, raw })));
  const intended = useObjects(ask(intendedQuery(reading, opening)));
  const isReadingNamespaces = namespaces.data === undefined && namespaces.isFetching;
  const namespacesProblem = namespaces.isError ? sentenceOf(namespaces.error) : undefined;
  const objectsTitle = kind?.title ?? 'Objects';
  const { clusterId } = opening;
  const selected = known.clusters.find(({ id }) => id === clusterId);
  const addOns = useQuery({ ...queries.addOns(clusterId ?? 0), enabled: clusterId !== undefined }).data;
  const content = useMemo(
    () =>
      composeRoot({
        ...known,
        opening,
        registry,
        own,
        questions,
        input,
        raw,
        isAlone,
        objects,
        reading,
        intended,
        objectsTitle,
        namespaces: names,
        isReadingNamespaces,
        namespacesProblem,
        phrases,
      }),
    [
      known,
      opening,
      registry,
      own,
      questions,
      input,
      raw,
      isAlone,
      objects,
      reading,
      intended,
      objectsTitle,
      names,
      isReadingNamespaces,
      namespacesProblem,
      phrases,
    ],
  );
  return useMemo(() => {
    const entries = withJudged(content.entries, judged);
    if (selected === undefined || addOns === undefined) return { ...content, entries };
    const absent = { cluster: selected, kinds: addOns.absent };
    return { ...content, entries: withAbsent(registry, entries, absent) };
  }, [registry, content, judged, selected, addOns]);
}
