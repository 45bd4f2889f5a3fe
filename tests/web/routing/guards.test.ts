import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, isRedirect } from '@tanstack/react-router';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { User } from '../../../src/contract/account.ts';
import { routesOf } from '../../../src/registry/commands/registry.ts';
import type { ApiClient } from '../../../src/web/data/client.ts';
import { createQueries } from '../../../src/web/data/queries.ts';
import { sessionNow } from '../../../src/web/routing/guards.ts';
import { createConsoleRouter } from '../../../src/web/routing/router.ts';
import { owner } from '../owner.ts';

/** A page whose server answers who is signed in by `answers`, in turn; an error is thrown. */
function page(...answers: readonly (User | null | Error)[]) {
  let asked = 0;
  const isAuthenticated = async () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    await Promise.resolve();
    if (answer instanceof Error) throw answer;
    return answer === null ? {} : { user: answer };
  };
  const queryClient = new QueryClient();
  const { session } = createQueries({ isAuthenticated } as unknown as ApiClient, {
    learnTitles: () => undefined,
  });
  return {
    queryClient,
    session,
    ask: () => sessionNow(queryClient, { ...session, retry: false }),
    end: () => queryClient.setQueryData(session.queryKey, null),
    asked: () => asked,
  };
}

describe('who is signed in is asked', () => {
  test('once of the first address of a page, also while the answer is on its way', async () => {
    const { ask, asked, queryClient, session } = page(null);
    const ahead = queryClient.prefetchQuery(session);
    expect(await ask()).toBeNull();
    await ahead;
    expect(asked()).toBe(1);
  });

  test('once of every later one while nobody is: another tab may have signed in', async () => {
    const { ask, asked } = page(null, null, owner);
    expect([await ask(), await ask(), await ask()]).toEqual([null, null, owner]);
    expect(asked()).toBe(3);
  });

  test('of none while somebody is, and once more when their session ends', async () => {
    const { ask, asked, end } = page(owner, null);
    expect([await ask(), await ask()]).toEqual([owner, owner]);
    expect(asked()).toBe(1);
    end();
    expect(await ask()).toBeNull();
    expect(asked()).toBe(2);
  });

  test('and a call that fails is an error only where nothing is known', async () => {
    await expect(page(new Error('no answer')).ask()).rejects.toThrow('no answer');
    const { ask } = page(null, new Error('no answer'));
    await ask();
    expect(await ask()).toBeNull();
  });
});

describe('the guards of the routes', () => {
  const router = createConsoleRouter(routesOf(commands), createMemoryHistory());
  const noRoute = () => expect.unreachable('there is no such route');

  /** Where somebody is led who opens a path, and whether the place is remembered. */
  const led = (id: string, pathname: string, user: User | null) => {
    let isRemembered = false;
    const guards = {
      session: async () => user,
      rememberPlace: () => {
        isRemembered = true;
      },
    };
    const beforeLoad = (router.routesById[id] ?? noRoute()).options.beforeLoad as (given: unknown) => void;
    try {
      beforeLoad({ context: { guards, user }, location: { pathname } });
    } catch (thrown) {
      if (!isRedirect(thrown)) throw thrown;
      return { to: thrown.options.href, isRemembered };
    }
    return undefined;
  };
  const member: User = { ...owner, orgRole: 2 };

  test('lead whoever is not signed in to sign-in, and remember the place, also an unknown one', () => {
    const toLogin = { to: '/login', isRemembered: true };
    expect(led('/tiles/clusters', '/clusters', null)).toEqual(toLogin);
    expect(led('/tiles/$', '/no/such', null)).toEqual(toLogin);
    expect(led('/tiles/clusters', '/clusters', owner)).toBeUndefined();
    expect(led('/tiles/$', '/no/such', owner)).toBeUndefined();
  });

  test('leave members on an Owner’s page, which tells them whose it is', () => {
    const id = '/tiles/clusters/$clusterId/settings/global';
    expect(led(id, '/clusters/1/settings/global', member)).toBeUndefined();
    expect(led(id, '/clusters/1/settings/global', owner)).toBeUndefined();
  });

  test('show public pages to everybody, and the set-up of a company to whoever has to set one up', () => {
    expect(led('/tiles/tests/toast-test', '/tests/toast-test', null)).toBeUndefined();
    const homeless = { ...owner, companyId: 0, shouldSetupCompany: true };
    expect(led('/setup-company', '/setup-company/', homeless)).toBeUndefined();
    expect(led('/tiles/clusters', '/clusters', homeless)?.to).toBe('/setup-company');
  });

  test('ask who is signed in once for each navigation, and not at all for sign-in', async () => {
    const beforeLoad = (router.routesById['__root__'] ?? noRoute()).options.beforeLoad as (
      given: unknown,
    ) => Promise<unknown>;
    const asking = (command: unknown, session: () => Promise<User | null>) =>
      beforeLoad({
        context: { guards: { session } },
        matches: [{ staticData: {} }, { staticData: { command } }],
      });
    const commandOf = (id: string) => routesOf(commands).find((one) => one.id === id) ?? noRoute();
    expect(await asking(commandOf('clusters.list'), async () => owner)).toEqual({ user: owner });
    expect(await asking(undefined, async () => null)).toEqual({ user: null });
    const fails = () => Promise.reject(new Error('no answer'));
    await expect(asking(commandOf('clusters.list'), fails)).rejects.toThrow('no answer');
    expect(await asking(commandOf('tests.toast'), fails)).toEqual({ user: undefined });
    expect(await asking(commandOf('account.login'), noRoute)).toEqual({ user: undefined });
  });
});
