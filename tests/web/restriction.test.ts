import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { mayAct } from '../../src/web/data/may-act.ts';
import { createQueries } from '../../src/web/data/queries.ts';
import { namespacesText, placeOfList, restrictionText } from '../../src/web/data/restriction.ts';

test('what a restricted grant reaches is said in words, and the whole cluster is not', () => {
  expect(restrictionText(undefined)).toBeUndefined();
  expect(restrictionText(['shop'])).toBe('namespace shop only');
  expect(restrictionText(['data', 'shop'])).toBe('namespaces data, shop only');
  expect(namespacesText(null)).toBe('whole cluster');
});

test('nothing of the cluster itself is offered to be changed to somebody who reaches some namespaces', () => {
  const may = (namespaces: readonly string[] | undefined, scope: 'Cluster' | 'Namespaced') => {
    const queryClient = new QueryClient();
    const queries = createQueries({} as never, { learnTitles: () => undefined });
    queryClient.setQueryData(queries.session.queryKey, { orgRole: 2 } as never);
    queryClient.setQueryData(queries.permissions(1).queryKey, ['resources.manage']);
    queryClient.setQueryData(queries.clusters.queryKey, [{ id: 1, namespaces }] as never);
    const permissions = { view: 'namespaces.view', manage: 'resources.manage' } as const;
    return mayAct({ queryClient, queries }, 1, { permissions, scope })({});
  };
  expect([may(undefined, 'Cluster'), may(['shop'], 'Namespaced'), may(['shop'], 'Cluster')]).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  ['Namespaced', {}, undefined, 'prod'],
  ['Namespaced', {}, 'shop', 'shop'],
  ['Namespaced', { namespaces: ['shop'] }, undefined, 'the namespaces you see'],
  ['Namespaced', { excludedNamespaces: ['kube-system'] }, undefined, 'the namespaces you see'],
  ['Namespaced', { namespaces: ['shop'] }, 'shop', 'shop'],
  ['Cluster', { namespaces: ['shop'] }, undefined, 'prod'],
] as const)('a %s list of a person with %o looks, with the namespace %s, in %s', (scope, part, ns, place) => {
  expect(placeOfList({ scope }, { name: 'prod', ...part }, ns)).toBe(place);
});
