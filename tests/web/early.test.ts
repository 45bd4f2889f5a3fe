import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { kindFacts } from '../../commands/kinds/facts.ts';
import { firstLists } from '../../commands/kinds/first-lists.ts';
import { firstListsTag } from '../../src/build/first-lists.ts';
import { api } from '../../src/contract/api.ts';
import { firstListsId } from '../../src/contract/first-lists.ts';
import { clientMessageSchema } from '../../src/contract/live.ts';
import { fillPath } from '../../src/registry/path.ts';
import { clustersPath, firstId, firstMessage, sessionPath } from '../../src/web/data/live/first-message.ts';
import { createKnownKinds } from '../../src/web/core/kinds/known.ts';
import { subscribeMessage } from '../../src/web/data/live/targets.ts';
import { listTargetAt } from '../../src/web/features/list/list-target.ts';
import { routedRegistry } from '../registry/routed.ts';

const registry = routedRegistry(commands);

/** What a page asks for once it runs, under the id of what was asked ahead. */
function pageAsks(href: string) {
  const target = listTargetAt(href, registry.match(href), createKnownKinds(), {});
  return target === undefined ? undefined : subscribeMessage(target, firstId);
}

/** What is asked before the page runs. */
function earlyAsks(href: string) {
  const { pathname, search } = new URL(href, 'https://console.example');
  return firstMessage({ pathname, search }, firstLists);
}

describe('requests before the page runs', () => {
  const paths = kindFacts.map(({ paths: { list } }) => fillPath(list, { clusterId: '7' }));

  test('is for every list, to the letter, what its page asks for', () => {
    for (const path of paths)
      for (const search of ['', '?ns=shop', '?ns=true&q=web&sort=-age', '?q=a&ns=', '?view=compare']) {
        const asked = earlyAsks(path + search);
        expect(asked && clientMessageSchema.parse(asked), path + search).toEqual(asked);
        expect(JSON.stringify(asked), path + search).toBe(JSON.stringify(pageAsks(path + search)));
      }
  });

  test('is nothing for any other address', () => {
    for (const href of [
      '/',
      '/login',
      '/clusters',
      '/clusters/1',
      '/clusters/0/pods',
      '/clusters/x/pods',
      '/clusters/1/constructor',
      '/clusters/1/nowhere',
      '/clusters/1/namespaces/shop/pods/api-1',
      '/clusters/1/pods/more',
    ])
      expect(earlyAsks(href), href).toBeUndefined();
  });

  test('is known from the HTML of the page, as data that no text in it can end', () => {
    const lists = { pods: { kind: '</script><script>', isNamespaced: true } };
    const { attrs, children } = firstListsTag(lists);
    expect(attrs).toEqual({ type: 'application/json', id: firstListsId });
    if (typeof children !== 'string') throw new Error('The lists are no text.');
    expect(children).not.toContain('<');
    expect(JSON.parse(children)).toEqual(lists);
  });

  test('asks who is signed in, and for their clusters, where the page would', () => {
    expect(sessionPath).toBe(api.isAuthenticated.path);
    expect(clustersPath).toBe(api.clusters.path);
  });
});
