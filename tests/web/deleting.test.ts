import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { deletingKey, isDeletedHere } from '../../src/web/data/deleting.ts';

test('who deletes a cluster is known to have done so from the call on, not when it failed', async () => {
  const client = new QueryClient();
  const { promise, resolve } = Promise.withResolvers<void>();
  const call = new MutationObserver(client, { mutationKey: deletingKey(7), mutationFn: () => promise });
  expect(isDeletedHere(client, 7)).toBe(false);
  const done = call.mutate();
  // The server's word that the cluster is gone may come before its answer.
  expect(isDeletedHere(client, 7)).toBe(true);
  expect(isDeletedHere(client, 70)).toBe(false);
  resolve();
  await done;
  expect(isDeletedHere(client, 7)).toBe(true);

  const refused = new MutationObserver(client, {
    mutationKey: deletingKey(8),
    mutationFn: () => Promise.reject(new Error('no')),
  });
  await expect(refused.mutate()).rejects.toThrow('no');
  expect(isDeletedHere(client, 8)).toBe(false);
  client.clear();
});
