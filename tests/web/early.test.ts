import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { firstFacts } from '../../commands/kinds/first-facts.ts';
import { firstLists } from '../../commands/kinds/first-lists.ts';
import { api } from '../../src/contract/api.ts';
import { clientMessageSchema } from '../../src/contract/live.ts';
import { fillPath } from '../../src/registry/path.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { firstId, firstMessage, sessionPath } from '../../src/web/app/first-message.ts';
import { createKnownKinds } from '../../src/web/kinds/known.ts';
import { subscribeMessage } from '../../src/web/data/live/targets.ts';
import { listTargetAt } from '../../src/web/resource/list-target.ts';

const registry = createRegistry(commands);

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

describe('what is asked before the page runs', () => {
  const paths = firstFacts.map(({ paths: { list } }) => fillPath(list, { clusterId: '7' }));

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

  test('asks who is signed in where the page would', () => {
    expect(sessionPath).toBe(api.isAuthenticated.path);
  });
});
