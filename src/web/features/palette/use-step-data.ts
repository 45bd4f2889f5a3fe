import { useQuery } from '@tanstack/react-query';
import type { KubeObject } from '../../../kube/object.ts';
import type { CommandArg } from '../../../registry/commands/command.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { Facts } from '../../../registry/kinds/kind-action.ts';
import { kindsWithoutFile } from '../../../registry/commands/kind-commands.ts';
import type { PaletteStep } from '../../../registry/palette/steps.ts';
import { useLive } from '../../data/live/use-live.ts';
import { useData } from '../../data/port.ts';
import type { ObjectQuery } from './ask-objects.ts';
import { excludedOf, type Frame } from './frames.ts';
import type { PaletteOpening } from './opening.ts';
import type { Pending } from './pending.ts';
import { useObjects } from './use-objects.ts';

/** Reads from the server what a step offers; each part is read only for the steps that need it. */
export function useStepData(
  opening: PaletteOpening,
  pending: Pending | undefined,
  step: PaletteStep | undefined,
  frame: Pick<Frame, 'text' | 'showsExcluded'>,
) {
  const { queries } = useData();
  const clusterId = pending === undefined ? undefined : clusterIdOf(pending, opening);
  const hasCluster = clusterId !== undefined;
  const arg = step?.type === 'arg' ? step.arg : undefined;
  const refs = pending?.subject.type === 'objects' ? pending.subject.refs : undefined;
  const self = refs?.[0];
  const onlyObject = refs?.length === 1 ? self : undefined;
  return {
    clusters: useQuery(queries.clusters).data ?? [],
    namespaces: useQuery({
      ...queries.namespaces(clusterId ?? 0),
      enabled: arg?.type === 'namespace' && hasCluster,
    }),
    filters: useQuery({ ...queries.savedFilters, enabled: arg?.type === 'saved-filter' }),
    members: useQuery({ ...queries.members, enabled: arg?.type === 'person' }),
    invitations: useQuery({ ...queries.invitations, enabled: arg?.type === 'invitation' }),
    troubles: useLive(
      arg?.type === 'trouble' && hasCluster ? { type: 'dashboard', clusterId } : undefined,
      arg?.type === 'trouble',
    ),
    clusterId,
    teams: useQuery({ ...queries.teams, enabled: arg?.type === 'team' }),
    companies: useQuery({ ...queries.ownCompanies, enabled: arg?.type === 'company' }),
    customKinds: useQuery({
      ...queries.searchKinds(clusterId ?? 0),
      enabled: step?.type === 'resource' && hasCluster,
    }),
    /** The first object that is acted on. */
    self,
    facts: useFacts(arg !== undefined && needsFacts(arg) ? onlyObject : undefined),
    revisions: useRevisions(arg?.type === 'revision' ? self : undefined),
    objects: useObjects(
      step === undefined || pending === undefined ? undefined : objectQueryOf(step, frame, opening),
    ),
  };
}

/** The choices of a step, as far as they are loaded. */
export type StepData = ReturnType<typeof useStepData>;

/** The cluster that a run is about: its argument, its objects' cluster, else the selected one. */
function clusterIdOf({ args, subject }: Pending, opening: PaletteOpening): number | undefined {
  const chosen = args['clusterId'];
  if (typeof chosen === 'number' || typeof chosen === 'string') return Number(chosen);
  return subject.type === 'objects' ? Number(subject.refs[0].cluster) : opening.clusterId;
}

function objectQueryOf(
  step: PaletteStep,
  frame: Pick<Frame, 'text' | 'showsExcluded'>,
  opening: PaletteOpening,
): ObjectQuery | undefined {
  if (step.type !== 'subject' && step.type !== 'object') return undefined;
  const kinds = step.type === 'object' ? step.kind : kindsOfSubject(step.kinds);
  return {
    q: frame.text.slice(0, 200),
    ...excludedOf(frame),
    ...(kinds === undefined || kinds === '' ? {} : { kinds }),
    ...(opening.clusterId === undefined ? {} : { near: opening.clusterId }),
  };
}

/** Undefined where a kind without a file of its own will do: the index has no name for all of those. */
const kindsOfSubject = (kinds: readonly string[]): string | undefined =>
  kinds.includes(kindsWithoutFile) ? undefined : kinds.join(',');

/** Whether an argument starts with a fact of the object, or is chosen from its members. */
const needsFacts = (arg: CommandArg): boolean =>
  arg.type === 'member' || ((arg.type === 'number' || arg.type === 'text') && arg.from !== undefined);

/** The address of an object for the calls of the API. */
function addressOf({ cluster, kind, name, namespace }: ObjectRef) {
  return {
    params: { clusterId: Number(cluster), kind, name },
    query: namespace === undefined ? {} : { namespace },
  };
}

/** Stands in for an object while the query is disabled. */
const noObject: ObjectRef = { cluster: '0', kind: '', name: '' };

/** The facts of the object that is acted on; empty while it is read, and where it cannot be. */
function useFacts(self: ObjectRef | undefined): { readonly facts: Facts; readonly isReading: boolean } {
  const { api, kinds } = useData();
  const query = useQuery({
    queryKey: ['object', self, 'facts'],
    enabled: self !== undefined,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<Facts> => {
      const { cluster, kind } = self ?? noObject;
      // The code of the kinds, which nothing else of the palette needs.
      const [object, { fullKind }] = await Promise.all([
        api.object(addressOf(self ?? noObject), { signal }) as Promise<unknown>,
        import('../../core/kinds/full.ts'),
      ]);
      return fullKind(kind, kinds.of(cluster, kind)).facts?.(object as KubeObject) ?? {};
    },
  });
  return { facts: query.data ?? {}, isReading: query.isLoading };
}

function useRevisions(self: ObjectRef | undefined) {
  const { api } = useData();
  return useQuery({
    queryKey: ['revisions', self],
    enabled: self !== undefined,
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) => api.revisions(addressOf(self ?? noObject), { signal }),
  });
}
