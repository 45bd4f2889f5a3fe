import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Permission } from '../../src/contract/permissions.ts';
import { permissionComing } from '../../src/web/app/moment.ts';
import { createQueries } from '../../src/web/data/queries.ts';

/** A page on a cluster whose permissions are answered when the test says so. */
function page({ isOnCluster = true, isSignedIn = true } = {}) {
  const answers: { resolve: (held: { name: Permission }[]) => void; reject: (reason: Error) => void }[] = [];
  const api = {
    userPermissions: () =>
      new Promise<{ name: Permission }[]>((resolve, reject) => {
        answers.push({ resolve, reject });
      }),
  };
  const queryClient = new QueryClient();
  const queries = createQueries(api as never, { learnTitles: () => undefined });
  queryClient.setQueryData(queries.session.queryKey, isSignedIn ? ({ id: 1 } as never) : null);
  const workspace = { state: { get: () => ({ clusterId: isOnCluster ? 1 : undefined }) } };
  return {
    answers,
    coming: () => permissionComing({ tiles: { workspace }, data: { queryClient, queries } } as never),
  };
}

test('keys wait while it is being read what is allowed, and no longer once that is known', async () => {
  const { answers, coming } = page();
  const first = coming();
  expect(first).toBeInstanceOf(Promise);
  expect(coming()).toBeInstanceOf(Promise);
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.resolve([{ name: 'pods.view' }]);
  await first;
  expect(coming()).toBeUndefined();
});

test('permissions that cannot be read are not waited for again', async () => {
  const { answers, coming } = page();
  const first = coming();
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.reject(new Error('away'));
  await first;
  expect(coming()).toBeUndefined();
});

test('nothing is read where nobody is signed in, or no cluster shows', () => {
  for (const { answers, coming } of [page({ isSignedIn: false }), page({ isOnCluster: false })]) {
    expect(coming()).toBeUndefined();
    expect(answers).toEqual([]);
  }
});
