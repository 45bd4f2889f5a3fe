import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../src/contract/clusters.ts';
import type { Source } from '../../src/registry/command.ts';
import { createKnownKinds } from '../../src/web/core/kinds/known.ts';
import { cell } from '../../src/web/core/state/state.ts';
import type { ApiClient } from '../../src/web/data/client.ts';
import { createQueries } from '../../src/web/data/queries.ts';
import type { PendingAction } from '../../src/web/features/actions/acting.ts';
import { beginAction } from '../../src/web/features/actions/run-action.ts';
import { TypedRun } from '../../src/web/keyboard/typed-run.ts';

const refs = [{ cluster: '1', kind: 'deployment', namespace: 'shop', name: 'cart' }] as const;

/** Begins an action; the person's settings arrive after the last key. */
async function begin(actionId: string, source: Source, keys: readonly string[]) {
  const kinds = createKnownKinds();
  const typedRun = new TypedRun();
  const settings = Promise.withResolvers<{ changes: 'confirm' }>();
  const api = { preferences: () => settings.promise } as unknown as ApiClient;
  const queries = createQueries(api, kinds);
  const queryClient = new QueryClient();
  const cluster = { id: 1, name: 'prod', isProtected: false, isReadOnly: false } as Partial<Cluster>;
  queryClient.setQueryData(queries.clusters.queryKey, [cluster as Cluster]);
  const acting = cell<PendingAction | undefined>(undefined);
  const parts = {
    api,
    queries,
    queryClient,
    kinds,
    typedRun,
    acting,
    live: { isStale: () => false },
  } as unknown as Parameters<typeof beginAction>[0];
  typedRun.add(keys[0] ?? '', 0);
  const begun = beginAction(parts, { actionId, refs }, source);
  for (const [at, key] of keys.slice(1).entries()) typedRun.add(key, 100 * (at + 1));
  settings.resolve({ changes: 'confirm' });
  await begun;
  return acting.get();
}

describe('a dialog of an action', () => {
  test.each([
    ['opens disarmed by a key that turned out to be part of a text', 'key', ['r', 'e', 'd', 'enter'], true],
    ['opens armed by a key that was pressed alone', 'key', ['r'], undefined],
    ['opens armed by a button, whatever was typed before', 'button', ['r', 'e', 'd'], undefined],
  ] as const)('%s', async (_, source, keys, isByText) => {
    expect(await begin('deployment.restart', source, keys)).toEqual({
      actionId: 'deployment.restart',
      refs,
      ...(isByText === undefined ? {} : { isByText }),
    });
  });
});
