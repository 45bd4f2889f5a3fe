import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../src/contract/clusters.ts';
import type { Source } from '../../src/registry/commands/invocation.ts';
import { createKnownKinds } from '../../src/web/core/kinds/known.ts';
import { cell } from '../../src/web/core/state/state.ts';
import type { ApiClient } from '../../src/web/data/client.ts';
import { createQueries } from '../../src/web/data/queries.ts';
import type { PendingAction } from '../../src/web/features/actions/acting.ts';
import type { ChangeGuard } from '../../src/contract/preferences.ts';
import type { HeldChange } from '../../src/web/features/actions/held-changes.ts';
import { beginAction } from '../../src/web/features/actions/run-action.ts';
import { TypedRun } from '../../src/web/keyboard/typed-run.ts';

const refs = [{ cluster: '1', kind: 'deployment', namespace: 'shop', name: 'cart' }] as const;

/** Begins an action by the first of some keys. The server says after the last one whether it can be done. */
async function begin(
  actionId: string,
  source: Source,
  keys: readonly string[],
  changes: ChangeGuard = 'confirm',
  missed: readonly string[] = [],
) {
  const kinds = createKnownKinds();
  const typedRun = new TypedRun();
  const settings = Promise.withResolvers<{ changes: ChangeGuard }>();
  const verdict = Promise.withResolvers<unknown>();
  const asked = Promise.withResolvers<void>();
  const api = {
    preferences: () => settings.promise,
    availableActions: () => {
      asked.resolve();
      return verdict.promise;
    },
  } as unknown as ApiClient;
  const queries = createQueries(api, kinds);
  const queryClient = new QueryClient();
  const cluster = { id: 1, name: 'prod', isProtected: false, isReadOnly: false } as Partial<Cluster>;
  queryClient.setQueryData(queries.clusters.queryKey, [cluster as Cluster]);
  const acting = cell<PendingAction | undefined>(undefined);
  const heldChanges = cell<readonly HeldChange[]>([]);
  const menu = {};
  for (const key of missed) typedRun.miss(key, menu);
  typedRun.add(keys[0] ?? '', 0);
  if (source === 'menu') typedRun.choose(menu);
  const parts = {
    api,
    queries,
    queryClient,
    kinds,
    pressed: typedRun.follow(),
    acting,
    heldChanges,
    live: { isStale: () => false },
  } as unknown as Parameters<typeof beginAction>[0];
  const begun = beginAction(parts, { actionId, refs }, source);
  if (changes === 'hold') {
    settings.resolve({ changes });
    await asked.promise;
  }
  for (const [at, key] of keys.slice(1).entries()) typedRun.add(key, 100 * (at + 1));
  settings.resolve({ changes });
  verdict.resolve({ actions: [{ id: actionId, enabled: true }], refused: [] });
  await begun;
  const held = heldChanges.get();
  for (const { stop } of held) stop();
  return { pending: acting.get(), held: held.length };
}

describe('a dialog of an action', () => {
  test.each([
    ['opens disarmed by a key that turned out to be part of a text', 'key', ['r', 'e', 'd', 'enter'], true],
    ['opens armed by a key that was pressed alone', 'key', ['r'], undefined],
    ['opens armed by a button, whatever was typed before', 'button', ['r', 'e', 'd'], undefined],
  ] as const)('%s', async (_, source, keys, isByText) => {
    expect((await begin('deployment.restart', source, keys)).pending).toEqual({
      actionId: 'deployment.restart',
      refs,
      ...(isByText === undefined ? {} : { isByText }),
    });
  });
});

describe('a change that is to be held', () => {
  test('is held by a key that was pressed alone', async () => {
    expect(await begin('deployment.restart', 'key', ['r'], 'hold')).toEqual({ pending: undefined, held: 1 });
  });

  test('is asked first where the rest of a text was typed while the server was asked about it', async () => {
    const { pending, held } = await begin('deployment.restart', 'key', ['r', 'e', 's', 't'], 'hold');
    expect(held).toBe(0);
    expect(pending).toMatchObject({ isByText: true });
  });

  test('is asked first where a menu entry was found by a typed word, at any pace', async () => {
    const word = ['r', 'e', 's', 't'];
    expect(await begin('deployment.restart', 'menu', ['enter'], 'hold', ['r'])).toMatchObject({ held: 1 });
    const { pending, held } = await begin('deployment.restart', 'menu', ['enter'], 'confirm', word);
    expect(held).toBe(0);
    expect(pending).toMatchObject({ isByText: true });
  });
});
