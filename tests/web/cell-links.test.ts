import { describe, expect, test } from 'vitest';
import { customPermissions } from '../../commands/kinds/custom.ts';
import { event } from '../../commands/kinds/event.ts';
import { hpa } from '../../commands/kinds/hpa.ts';
import { replicaset } from '../../commands/kinds/replicaset.ts';
import type { Kind } from '../../src/registry/kinds/kind.ts';
import { cellHref } from '../../src/web/data/cell-links.ts';

/** Where a column of an object leads, for somebody with a permission. */
function hrefOf(kind: Kind, id: string, object: object, permission = 'namespaces.view'): string | undefined {
  const column = kind.columns.find((one) => one.id === id);
  if (column?.links === undefined) throw new Error(`${id} has no links.`);
  const place = { cluster: '3', may: (asked: unknown) => asked === permission };
  return cellHref(column.links, place)(column.value(object), 'default');
}

describe('a cell that names an object of a kind without a file', () => {
  const about = (involvedObject: object) => ({
    metadata: { namespace: 'default', name: 'e' },
    involvedObject,
  });
  const cluster = { apiVersion: 'b.example.org/v1', kind: 'Cluster', name: 'two' };

  test('leads to its page', () => {
    expect(hrefOf(event, 'object', about({ ...cluster, namespace: 'default' }))).toBe(
      '/clusters/3/namespaces/default/objects/b.example.org/Cluster/two',
    );
    const scaleTargetRef = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'web' };
    expect(hrefOf(hpa, 'reference', { spec: { scaleTargetRef } })).toBe(
      '/clusters/3/namespaces/default/objects/argoproj.io/Rollout/web',
    );
    const owner = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      name: 'web',
      uid: 'u',
      controller: true,
    };
    expect(hrefOf(replicaset, 'owner', { metadata: { ownerReferences: [owner] } })).toBe(
      '/clusters/3/namespaces/default/objects/argoproj.io/Rollout/web',
    );
  });

  test('leads to an object of the cluster although its event is in a namespace', () => {
    expect(hrefOf(event, 'object', about(cluster))).toBe('/clusters/3/objects/b.example.org/Cluster/two');
  });

  test('leads nowhere without the permission, or for a name that would change the path', () => {
    expect(customPermissions.view).toBe('namespaces.view');
    expect(hrefOf(event, 'object', about(cluster), 'pods.view')).toBeUndefined();
    expect(hrefOf(event, 'object', about({ ...cluster, apiVersion: '../x.y/v1' }))).toBeUndefined();
  });
});
