import { describe, expect, test } from 'vitest';
import { focusedTab } from '../../src/web/workspace/layout.ts';
import { lacksNamespace } from '../../src/web/workspace/chosen-namespace.ts';
import { TiledWorkspace } from '../../src/web/workspace/workspace.ts';
import { browser, registry } from './browser.ts';

/** A workspace at an address, with what its sidebar then leads to on the same cluster or another one. */
function at(address: string, stored: string | null = null) {
  const page = browser(address, stored);
  const workspace = new TiledWorkspace({ registry, browser: page.place });
  const choose = (namespace: string | undefined) => {
    const { id, href } = focusedTab(workspace.state.get().layout);
    const path = href.split('?')[0] ?? '';
    workspace.setHref(id, namespace === undefined ? path : `${path}?ns=${namespace}`, 'push');
  };
  return { page, workspace, choose, next: (path: string) => workspace.inChosenNamespace(path) };
}

describe('a namespace that was chosen', () => {
  test('goes along to the next list and the graph of that cluster, and to nothing else', () => {
    const { choose, next } = at('/clusters/1/pods');
    expect(next('/clusters/1/deployments')).toBe('/clusters/1/deployments');
    choose('shop');
    expect(next('/clusters/1/deployments')).toBe('/clusters/1/deployments?ns=shop');
    expect(next('/clusters/1/crds/topics.kafka.io')).toBe('/clusters/1/crds/topics.kafka.io?ns=shop');
    expect(next('/clusters/1/visualization/resources')).toBe('/clusters/1/visualization/resources?ns=shop');
    expect(next('/clusters/1/pods?q=a')).toBe('/clusters/1/pods?q=a&ns=shop');
    expect(next('/clusters/1/pods?ns=mail')).toBe('/clusters/1/pods?ns=mail');
    for (const other of [
      '/clusters/2/pods',
      '/clusters/1',
      '/clusters/1/nodes',
      '/clusters/1/namespaces/shop/pods/a',
      '/',
    ])
      expect(next(other)).toBe(other);
  });

  test('stays through places without namespaces, is kept for a reload, and goes with All namespaces', () => {
    const { page, workspace, choose, next } = at('/clusters/1/pods?ns=shop');
    workspace.open('/clusters/1/nodes');
    workspace.open('/clusters/1');
    expect(next('/clusters/1/jobs')).toBe('/clusters/1/jobs?ns=shop');
    const again = at('/clusters/1', page.stored());
    expect(again.next('/clusters/1/jobs')).toBe('/clusters/1/jobs?ns=shop');
    workspace.open('/clusters/1/pods?ns=shop');
    choose(undefined);
    expect(next('/clusters/1/jobs')).toBe('/clusters/1/jobs');
  });

  test('is the one of the list that shows, as a tab that is shown again has its own', () => {
    const { workspace, next } = at('/clusters/1/pods?ns=shop');
    const first = focusedTab(workspace.state.get().layout).id;
    workspace.open('/clusters/1/jobs?ns=mail');
    expect(next('/clusters/1/services')).toBe('/clusters/1/services?ns=mail');
    workspace.activate(first);
    expect(next('/clusters/1/services')).toBe('/clusters/1/services?ns=shop');
  });

  test('is chosen without a list, too', () => {
    const { workspace, next } = at('/clusters/1');
    workspace.chooseNamespace(1, 'shop');
    expect(next('/clusters/1/jobs')).toBe('/clusters/1/jobs?ns=shop');
    expect([1, 2].map((cluster) => workspace.namespaceOf(cluster))).toEqual(['shop', undefined]);
    workspace.chooseNamespace(1, undefined);
    expect(next('/clusters/1/jobs')).toBe('/clusters/1/jobs');
  });

  test('is each cluster’s own, and cleared by the change of cluster and by signing out', () => {
    const { workspace, next } = at('/clusters/1/pods?ns=shop');
    workspace.open('/clusters/2/pods?ns=mail');
    expect(next('/clusters/1/jobs')).toBe('/clusters/1/jobs?ns=shop');
    expect(next('/clusters/2/jobs')).toBe('/clusters/2/jobs?ns=mail');
    workspace.switchCluster(1);
    expect(workspace.href()).toBe('/clusters/1/pods');
    expect(next('/clusters/1/jobs')).toBe('/clusters/1/jobs');
    expect(next('/clusters/2/jobs')).toBe('/clusters/2/jobs');
    workspace.chooseNamespace(1, 'shop');
    workspace.forget();
    expect(next('/clusters/1/jobs')).toBe('/clusters/1/jobs');
  });

  test('is not one that the cluster does not have, nor one that is gone', () => {
    let names: readonly { name: string }[] | undefined;
    const isMissing = lacksNamespace((clusterId) => (clusterId === 1 ? names : undefined));
    const kinds = { of: () => undefined };
    const workspace = new TiledWorkspace({
      registry,
      browser: browser('/clusters/1/pods?ns=shop').place,
      known: { kinds, isMissing },
    });
    const next = () => workspace.inChosenNamespace('/clusters/1/jobs');
    expect(next()).toBe('/clusters/1/jobs?ns=shop');
    names = [{ name: 'shop' }];
    workspace.open('/clusters/1/pods?ns=shpo');
    expect(next(), 'the choice failed').toBe('/clusters/1/jobs?ns=shop');
    names = [{ name: 'mail' }];
    expect(next(), 'it was deleted').toBe('/clusters/1/jobs');
  });
});
