import { useQuery } from '@tanstack/react-query';
import { formatAge } from '../../../kube/age.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { CommandArg, ObjectRef } from '../../../registry/command.ts';
import { sentenceOf } from '../../../registry/execute.ts';
import { textBefore } from '../../../registry/change-text.ts';
import type { ArgDefinitions, Facts } from '../../../registry/kind-action.ts';
import type { PaletteStep } from '../../../registry/palette-steps.ts';
import { readTypedValue } from '../../../registry/palette-values.ts';
import { kindsWithoutFile } from '../../../registry/kind-commands.ts';
import { coreGroup } from '../../../registry/resource-key.ts';
import { useNow } from '../../data/now.ts';
import { useData } from '../../data/port.ts';
import { DiffText } from '../actions/DiffText.tsx';
import { fullKind } from '../../core/kinds/full.ts';
import { toYaml } from '../../yaml/to-yaml.ts';
import type { Content } from './content.ts';
import { filterEntries } from './filter-entries.ts';
import { bounded, type Entry } from './entries.ts';
import { isDeclared, type ListedKind, listedKinds } from '../../core/kinds/listed.ts';
import { matchKinds } from './mode-entries.ts';
import { objectEntry, rankHits, refOfHit } from './object-entries.ts';
import type { PaletteOpening } from './opening.ts';
import type { Pending } from './pending.ts';
import { candidate, rankEntries } from './rank-entries.ts';
import { StepPreview } from './StepPreview.tsx';
import type { ObjectQuery } from './ask-objects.ts';
import { useObjects } from './use-objects.ts';

const none: Content = { entries: [], placeholder: '' };

const answer = (value: unknown, label: string) => ({ type: 'answer', value, label }) as const;

/** The cluster a run is about: the one it was told, its objects', else the selected one. */
function clusterIdOf({ args, subject }: Pending, opening: PaletteOpening): number | undefined {
  const told = args['clusterId'];
  if (typeof told === 'number' || typeof told === 'string') return Number(told);
  return subject.type === 'objects' ? Number(subject.refs[0].cluster) : opening.clusterId;
}

function objectQueryOf(step: PaletteStep, text: string, opening: PaletteOpening): ObjectQuery | undefined {
  if (step.type !== 'subject' && step.type !== 'object') return undefined;
  const kinds =
    step.type === 'subject'
      ? step.kinds.includes(kindsWithoutFile)
        ? undefined
        : step.kinds.join(',')
      : step.kind;
  return {
    q: text.slice(0, 200),
    ...(kinds === undefined || kinds === '' ? {} : { kinds }),
    ...(opening.clusterId === undefined ? {} : { near: opening.clusterId }),
  };
}

/** The level of the palette that asks for one argument: its choices, or the reading of what is typed. */
export function useStep(
  opening: PaletteOpening,
  pending: Pending | undefined,
  step: PaletteStep | undefined,
  text: string,
): Content {
  const { queries } = useData();
  const now = useNow();
  const clusters = useQuery(queries.clusters).data ?? [];
  const clusterId = pending === undefined ? undefined : clusterIdOf(pending, opening);
  const arg = step?.type === 'arg' ? step.arg : undefined;
  const namespaces = useQuery({
    ...queries.namespaces(clusterId ?? 0),
    enabled: arg?.type === 'namespace' && clusterId !== undefined,
  });
  const filters = useQuery({ ...queries.savedFilters, enabled: arg?.type === 'saved-filter' });
  const custom = useQuery({
    ...queries.searchKinds(clusterId ?? 0),
    enabled: step?.type === 'resource' && clusterId !== undefined,
  });
  const refs = pending?.subject.type === 'objects' ? pending.subject.refs : undefined;
  const self = refs?.[0];
  const only = refs?.length === 1 ? self : undefined;
  const { facts, isReading } = useFacts(arg !== undefined && asksOfObject(arg) ? only : undefined);
  const revisions = useRevisions(arg?.type === 'revision' ? self : undefined);
  const objects = useObjects(
    step === undefined || pending === undefined ? undefined : objectQueryOf(step, text, opening),
  );
  if (pending === undefined || step === undefined) return none;

  const chosen = (entries: readonly Entry[], placeholder: string, more: Partial<Content> = {}): Content => ({
    entries: bounded(
      rankEntries(
        entries.map((entry) => candidate(entry, [entry.note ?? ''])),
        text,
      ).map(({ entry }) => entry),
    ),
    placeholder,
    ...more,
  });

  if (step.type === 'subject' || step.type === 'object') {
    return {
      entries: bounded(
        rankHits(objects.hits, text).map(({ hit }) =>
          objectEntry(hit, clusters, 'Objects', answer(refOfHit(hit), hit.name)),
        ),
      ),
      placeholder: 'Choose an object by its name',
      isPending: objects.isPending,
      notes: objects.notes,
    };
  }
  if (step.type === 'resource') {
    const kinds = listedKinds(custom.data?.kinds ?? []).filter(({ id }) => !isDeclared(id));
    return {
      entries: bounded(
        matchKinds(kinds, text).map((kind) => ({
          id: `resource ${kind.id}`,
          section: 'Resources',
          title: kind.title,
          icon: kind.icon,
          act: answer(resourceParams(kind), kind.title),
        })),
      ),
      placeholder: 'Choose a resource',
      isPending: custom.isFetching,
    };
  }

  const { name } = step;
  const definition = step.arg;
  switch (definition.type) {
    case 'cluster':
      return chosen(
        clusters.map((cluster) => ({
          id: `cluster ${cluster.id}`,
          section: 'Clusters',
          title: cluster.name,
          note: cluster.description,
          icon: 'clusters',
          cluster,
          act: answer(pending.command.type === 'route' ? String(cluster.id) : cluster.id, cluster.name),
        })),
        'Choose a cluster',
      );
    case 'namespace': {
      const names = namespaces.data?.map((one) => one.name) ?? [];
      // A path needs a name; a filter can do without.
      const all = pending.command.type === 'route' ? names : ['', ...names];
      return chosen(
        all.map((one) => ({
          id: `namespace ${one}`,
          section: 'Namespaces',
          title: one === '' ? 'All namespaces' : one,
          icon: 'namespace',
          act: answer(one, one === '' ? 'All namespaces' : one),
        })),
        'Choose a namespace',
        {
          isPending: namespaces.isFetching,
          notes: namespaces.isError ? [sentenceOf(namespaces.error)] : [],
        },
      );
    }
    case 'saved-filter':
      return chosen(
        filterEntries(filters.data ?? [], (name) => answer(name, name)),
        'Choose a filter',
        {
          isPending: filters.isFetching,
          notes: filters.isError ? [sentenceOf(filters.error)] : [],
          empty: 'No filter is saved yet: filter a list and save it from there.',
        },
      );
    case 'choice':
      return chosen(
        definition.options.map((option) => ({
          id: `choice ${option.value}`,
          section: definition.label,
          title: option.label,
          note: option.help,
          icon: option.value === definition.default ? 'check' : 'chevron-right',
          act: answer(option.value, option.label),
        })),
        `Choose ${definition.label.toLowerCase()}`,
        { preview: previewOf(pending, name) },
      );
    case 'revision': {
      const list = revisions.data?.revisions ?? [];
      return chosen(
        list.map((one) => ({
          id: `revision ${one.revision}`,
          section: self === undefined ? 'Revisions' : `Revisions of ${self.name}, newest first`,
          title: String(one.revision),
          note: [one.images.join(' · '), one.cause ?? '', ageOf(one.createdAt, now)]
            .filter((part) => part !== '')
            .join(' · '),
          icon: 'history',
          reason: one.isCurrent ? 'This is the current revision' : undefined,
          act: answer(one.revision, `revision ${one.revision}`),
        })),
        'Choose a revision',
        {
          isPending: revisions.isPending,
          notes: revisions.isError ? [sentenceOf(revisions.error)] : [],
          empty: 'There is no earlier revision: the cluster keeps none.',
          preview: (entry) => {
            const value = entry?.act.type === 'answer' ? entry.act.value : undefined;
            const found = list.find(({ revision }) => revision === value);
            return found === undefined ? null : (
              <DiffText
                title={`What revision ${found.revision} changes in the pod template`}
                before={toYaml(revisions.data?.current)}
                after={toYaml(found.template)}
                same="Its pod template is the current one."
              />
            );
          },
        },
      );
    }
    case 'member':
      // One of its members is meant: Enter waits for them.
      if (isReading)
        return { entries: [], placeholder: `Choose ${definition.label.toLowerCase()}`, isPending: true };
      if (!Array.isArray(facts[definition.of])) break;
      return chosen(
        (facts[definition.of] as readonly string[]).map((member) => ({
          id: `member ${member}`,
          section: definition.label,
          title: member,
          icon: 'chevron-right',
          act: answer(member, member),
        })),
        `Choose ${definition.label.toLowerCase()}`,
        { preview: previewOf(pending, name) },
      );
    case 'number':
    case 'text':
    case 'map':
      break;
    default:
      return definition satisfies never;
  }
  return typedContent(definition, text, {
    now: presentOf(definition, pending, facts),
    preview: previewOf(pending, name),
  });
}

/** What an argument is now, as far as it is known. */
function presentOf(definition: CommandArg, { command, args }: Pending, facts: Facts): string {
  if (definition.type === 'number') {
    const value = definition.from === undefined ? undefined : facts[definition.from];
    return typeof value === 'number' ? String(value) : '';
  }
  if (definition.type !== 'text') return '';
  const definitions = (command.type === 'action' ? command.args : undefined) ?? {};
  return textBefore(definition, definitions as ArgDefinitions, { facts, chosen: (one) => args[one] });
}

/** An argument that is typed. @param now what it is at present, where that is known */
function typedContent(
  definition: Extract<CommandArg, { readonly type: 'number' | 'text' | 'member' | 'map' }>,
  text: string,
  { now, preview }: { readonly now: string; readonly preview: Content['preview'] },
): Content {
  const hint = `${now === '' ? '' : `Now ${now}. `}${hintOf(definition)}`;
  const read = readTypedValue(definition, text);
  if ('issue' in read) return { entries: [], placeholder: hint, empty: text === '' ? hint : read.issue };
  return {
    entries: [
      {
        id: 'typed',
        section: definition.label,
        title: now === '' || now === read.label ? read.label : `${now} → ${read.label}`,
        icon: 'check',
        act: answer(read.value, read.label),
      },
    ],
    placeholder: hint,
    preview,
  };
}

function hintOf(definition: Parameters<typeof typedContent>[0]): string {
  switch (definition.type) {
    case 'number':
      return `${definition.min} to ${definition.max}`;
    case 'map':
      return 'key=value sets, key- removes';
    case 'member':
      return definition.label;
    case 'text':
      return definition.help ?? definition.label;
    default:
      return definition satisfies never;
  }
}

function ageOf(createdAt: string | null, now: number): string {
  const made = Date.parse(createdAt ?? '');
  return Number.isNaN(made) ? '' : `${formatAge((now - made) / 1000)} ago`;
}

/** A resource as the routes of any resource take it. */
const resourceParams = ({ group, plural }: ListedKind): Readonly<Record<string, string>> => ({
  group: group === '' ? coreGroup : group,
  plural,
});

/** Shows what the highlighted answer would change, where it is the last one an action on objects needs. */
function previewOf(pending: Pending, name: string): Content['preview'] {
  const { command, subject, args } = pending;
  if (command.type !== 'action' || command.actsOn === undefined || subject.type !== 'objects')
    return undefined;
  if (Object.keys(command.args ?? {}).some((one) => one !== name && !(one in args))) return undefined;
  return (entry) =>
    entry?.act.type === 'answer' ? (
      <StepPreview
        acting={{ actionId: command.id, refs: subject.refs }}
        args={{ ...args, [name]: entry.act.value }}
      />
    ) : null;
}

/** Whether an argument begins with a fact of the object, or is one of it. */
const asksOfObject = (arg: CommandArg): boolean =>
  arg.type === 'member' || ((arg.type === 'number' || arg.type === 'text') && arg.from !== undefined);

/** The facts of the object that is acted on; none while it is read, and where it cannot be. */
function useFacts(self: ObjectRef | undefined): { readonly facts: Facts; readonly isReading: boolean } {
  const { api, kinds } = useData();
  const found = useQuery({
    queryKey: ['object', self],
    enabled: self !== undefined,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: ({ signal }) => {
      const { cluster = '0', kind = '', name = '', namespace } = self ?? {};
      const query = namespace === undefined ? {} : { namespace };
      return api.object({ params: { clusterId: Number(cluster), kind, name }, query }, { signal });
    },
  });
  const read = found.data as KubeObject | undefined;
  const facts =
    self === undefined || read === undefined
      ? {}
      : (fullKind(self.kind, kinds.of(self.cluster, self.kind)).facts?.(read) ?? {});
  return { facts, isReading: found.isLoading };
}

function useRevisions(self: ObjectRef | undefined) {
  const { api } = useData();
  return useQuery({
    queryKey: ['revisions', self],
    enabled: self !== undefined,
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) => {
      const { cluster = '0', kind = '', name = '', namespace } = self ?? {};
      const query = namespace === undefined ? {} : { namespace };
      return api.revisions({ params: { clusterId: Number(cluster), kind, name }, query }, { signal });
    },
  });
}
