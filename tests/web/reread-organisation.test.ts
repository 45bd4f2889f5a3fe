import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';
import type { ApiClient } from '../../src/web/data/client.ts';
import { createQueries } from '../../src/web/data/queries.ts';
import { rereadOrganisation } from '../../src/web/data/reread-organisation.ts';

it('asks nothing more about a cluster that is gone from the list', async () => {
  let reached = [1, 2];
  const asked: number[] = [];
  const api = {
    clusters: () => Promise.resolve(reached.map((id) => ({ id, state: { status: 'ok' } }))),
    userPermissions: ({ params }: { params: { clusterId: number } }) => {
      asked.push(params.clusterId);
      return Promise.resolve([]);
    },
  } as unknown as ApiClient;
  const queries = createQueries(api, { learnTitles: () => undefined });
  const queryClient = new QueryClient();
  await queryClient.fetchQuery(queries.clusters);
  for (const id of reached)
    onTestFinished(
      new QueryObserver(queryClient, { ...queries.permissions(id), staleTime: 0 }).subscribe(() => undefined),
    );
  onTestFinished(
    new QueryObserver(queryClient, { ...queries.clusters, staleTime: Infinity }).subscribe(() => undefined),
  );
  await expect.poll(() => asked).toEqual([1, 2]);
  reached = [2];
  await rereadOrganisation({ queryClient, queries });
  expect(asked).toEqual([1, 2, 2]);
});
