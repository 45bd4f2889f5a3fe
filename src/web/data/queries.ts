import { type Query, queryOptions } from '@tanstack/react-query';
import type { User } from '../../contract/account.ts';
import type { Cluster } from '../../contract/clusters.ts';
import type { FleetFigures } from '../../contract/fleet.ts';
import type { Job } from '../../contract/jobs.ts';
import type { Preferences } from '../../contract/preferences.ts';
import type { AskedObject, SearchKinds } from '../../contract/search.ts';
import { pluralTitle } from '../../registry/kinds/kind-title.ts';
import { customPrefix } from '../../registry/kinds/resource-key.ts';
import type { KnownKinds } from '../core/kinds/known.ts';
import type { ApiClient } from './client.ts';
import type { KeptKey } from './kept-key.ts';
import { chatQueries } from './chat-queries.ts';
import { notificationQueries } from './notification-queries.ts';
import { diagnosisQueriesOf } from './diagnosis-queries.ts';
import { usageQueriesOf } from './usage-queries.ts';
import { organisationQueries } from './organisation-queries.ts';

/** How often the state of clusters is asked for again while somebody looks (ms). */
const clustersInterval = 15_000;
/** The same while a cluster was never asked: the server is asking it at this moment (ms). */
const unaskedInterval = 1_000;
/** How often figures of all clusters are asked for again while somebody looks (ms). */
const fleetInterval = 10_000;
/** The same while some clusters are being counted for the first time (ms), for as many answers. */
const uncountedInterval = 3_000;
const uncountedAnswers = 20;
/** The same while the server reads the names that a question is about (ms). */
const readingInterval = 700;

/** Queries about one cluster. */
const clusterQueriesOf = (api: ApiClient) => ({
  /** What a cluster used in the last hour. */
  clusterUsage: (clusterId: number) =>
    queryOptions({
      queryKey: ['cluster-usage', clusterId],
      staleTime: 10_000,
      refetchInterval: clustersInterval,
      queryFn: ({ signal }) => api.clusterUsage({ params: { clusterId } }, { signal }),
    }),
  namespaces: (clusterId: number) =>
    queryOptions({
      queryKey: ['namespaces', clusterId],
      staleTime: 30_000,
      queryFn: ({ signal }) => api.namespaces({ params: { clusterId } }, { signal }),
    }),
  /** Kinds of add-ons that a cluster lacks: they have no place in its sidebar. */
  addOns: (clusterId: number) =>
    queryOptions({
      queryKey: ['add-ons', clusterId],
      staleTime: 30_000,
      refetchInterval: 60_000,
      queryFn: ({ signal }) => api.addOns({ params: { clusterId } }, { signal }),
    }),
});

/** Queries of the server's index of names. */
const searchQueriesOf = (api: ApiClient) => ({
  /** Places of the objects that are not there any more. */
  goneObjects: (objects: readonly AskedObject[]) =>
    queryOptions({
      queryKey: ['gone', objects],
      staleTime: 2_000,
      // A convenience: without an answer each is taken to be there.
      retry: false,
      queryFn: ({ signal }) => api.goneObjects({ body: { objects: [...objects] } }, { signal }),
      refetchInterval: ({ state }: Query<Awaited<ReturnType<ApiClient['goneObjects']>>>) =>
        state.data?.isReading === true ? readingInterval : false,
    }),
});

/** Those about signing in, the own sessions, and API tokens. */
const createSignInQueries = (api: ApiClient) => ({
  /** @param provider key of a company's provider that an address names */
  signInOptions: (provider?: string) =>
    queryOptions({
      queryKey: ['sign-in-options', provider],
      queryFn: ({ signal }) =>
        api.signInOptions(provider === undefined ? {} : { query: { provider } }, { signal }),
    }),
  /** The own ways to sign in, and the own sessions. */
  identities: queryOptions({
    queryKey: ['identities'],
    queryFn: ({ signal }) => api.identities({}, { signal }),
  }),
  passkeys: queryOptions({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => api.passkeys({}, { signal }),
  }),
  passkeyRule: queryOptions({
    queryKey: ['passkey-rule'],
    queryFn: ({ signal }) => api.passkeyRule({}, { signal }),
  }),
  /** People who may do dangerous acts on a cluster and have no passkey. */
  passkeyReadiness: (clusterId: number) =>
    queryOptions({
      queryKey: ['passkey-readiness', clusterId],
      queryFn: ({ signal }) => api.passkeyReadiness({ params: { clusterId } }, { signal }),
    }),
  approvalRule: queryOptions({
    queryKey: ['approval-rule'],
    queryFn: ({ signal }) => api.approvalRule({}, { signal }),
  }),
  ownSessions: queryOptions({
    queryKey: ['own-sessions'],
    queryFn: ({ signal }) => api.ownSessions({}, { signal }),
  }),
  /** The own API tokens in the organisation. */
  ownTokens: queryOptions({
    queryKey: ['own-tokens'],
    queryFn: ({ signal }) => api.ownTokens({}, { signal }),
  }),
  /** Those of everybody in the organisation; for Owners. */
  memberTokens: queryOptions({
    queryKey: ['member-tokens'],
    queryFn: ({ signal }) => api.memberTokens({}, { signal }),
  }),
});

/**
 * Keys and fetchers of everything the console asks its API for. A key is never written anywhere else.
 * @param kinds takes in the kinds that an answer names
 * @param kept takes the key of the last known rows; without it none are kept
 */
export function createQueries(
  api: ApiClient,
  kinds: Pick<KnownKinds, 'learnTitles'>,
  kept?: Pick<KeptKey, 'set'>,
) {
  return {
    /** The signed-in person, or null. */
    session: queryOptions({
      queryKey: ['session'],
      staleTime: Number.POSITIVE_INFINITY,
      retry: 2,
      queryFn: async ({ signal }): Promise<User | null> => {
        const { user = null, keptRowsKey } = await api.isAuthenticated({}, { signal });
        kept?.set(keptRowsKey);
        return user;
      },
    }),
    ...createSignInQueries(api),
    config: queryOptions({
      queryKey: ['config'],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: ({ signal }) => api.consoleConfig({}, { signal }),
    }),
    clusters: queryOptions({
      queryKey: ['clusters'],
      queryFn: ({ signal }): Promise<Cluster[]> => api.clusters({}, { signal }),
      staleTime: 5_000,
      refetchInterval: ({ state }: Query<Cluster[]>) =>
        state.data?.some((cluster) => cluster.state.status === 'unknown') === true
          ? unaskedInterval
          : clustersInterval,
    }),
    /** How all clusters do, by figures that open no watch. */
    fleet: queryOptions({
      queryKey: ['fleet'],
      queryFn: async ({ signal }) => (await api.fleet({}, { signal })).clusters,
      staleTime: 2_000,
      refetchInterval: ({ state }: Query<FleetFigures[]>) =>
        state.dataUpdateCount < uncountedAnswers && state.data?.some(({ readAt }) => readAt === null) === true
          ? uncountedInterval
          : fleetInterval,
    }),
    /** The own keys of a person. */
    keymap: (userId: number) =>
      queryOptions({
        queryKey: ['keymap', userId],
        staleTime: 60_000,
        queryFn: async ({ signal }) => (await api.keymap({}, { signal })).keymap,
      }),
    /** How a person likes to work. */
    preferences: (userId: number) =>
      queryOptions({
        queryKey: ['preferences', userId],
        staleTime: 60_000,
        queryFn: ({ signal }): Promise<Preferences> => api.preferences({}, { signal }),
      }),
    /** The filters that the person has saved. */
    savedFilters: queryOptions({
      queryKey: ['filters'],
      staleTime: 60_000,
      queryFn: async ({ signal }) => (await api.filters({}, { signal })).filters,
    }),
    ...searchQueriesOf(api),
    /** The rules of a cluster; for Owners. */
    globalSettings: (clusterId: number) =>
      queryOptions({
        queryKey: ['global-settings', clusterId],
        queryFn: ({ signal }) => api.globalSettings({ params: { clusterId } }, { signal }),
      }),
    /** The person's own settings of a cluster. */
    userSettings: (clusterId: number) =>
      queryOptions({
        queryKey: ['user-settings', clusterId],
        staleTime: 60_000,
        queryFn: ({ signal }) => api.userSettings({ params: { clusterId } }, { signal }),
      }),
    ...chatQueries(api),
    ...notificationQueries(api),
    ...organisationQueries(api),
    permissions: (clusterId: number) =>
      queryOptions({
        queryKey: ['permissions', clusterId],
        staleTime: 60_000,
        queryFn: async ({ signal }) =>
          (await api.userPermissions({ params: { clusterId } }, { signal })).map((one) => one.name),
      }),
    /** The server's jobs on a cluster; invalidated whenever one makes progress. */
    jobs: (clusterId: number) =>
      queryOptions({
        queryKey: ['jobs', clusterId],
        staleTime: 15_000,
        queryFn: async ({ signal }) => (await api.jobs({ params: { clusterId } }, { signal })).jobs,
        refetchInterval: ({ state }: Query<Job[]>) =>
          state.data?.some(({ status }) => status === 'running') === true ? clustersInterval : false,
      }),
    ...clusterQueriesOf(api),
    ...usageQueriesOf(api),
    ...diagnosisQueriesOf(api),
    /** The custom resource definitions of a cluster, for the sidebar. */
    definitions: (clusterId: number) =>
      queryOptions({
        queryKey: ['definitions', clusterId],
        staleTime: 30_000,
        queryFn: async ({ signal }) => {
          const definitions = await api.definitions({ params: { clusterId } }, { signal });
          kinds.learnTitles(
            clusterId,
            definitions.map(({ metadata, spec: { names } }) => ({
              id: `${customPrefix}${metadata.name}`,
              title: pluralTitle(names.kind, names.plural),
            })),
          );
          return definitions;
        },
      }),
    /** The cluster's own kinds, for the palette. */
    searchKinds: (clusterId: number) =>
      queryOptions({
        queryKey: ['search-kinds', clusterId],
        staleTime: 30_000,
        queryFn: async ({ signal }): Promise<SearchKinds> => {
          const found = await api.searchKinds({ params: { clusterId } }, { signal });
          kinds.learnTitles(clusterId, found.kinds);
          return found;
        },
        refetchInterval: ({ state }: Query<SearchKinds>) =>
          state.data?.isReading === true ? unaskedInterval : false,
      }),
  };
}

export type Queries = ReturnType<typeof createQueries>;
