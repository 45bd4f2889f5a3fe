import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Permission } from '../../../src/contract/permissions.ts';
import { sharedCause, sharedImageCause } from '../../../src/kube/shared-cause.ts';
import type { May } from '../../../src/server/access/held.ts';
import { objectHelpOf } from '../../../src/server/live/dashboard/object-help.ts';

/** Rights in the namespace shop alone. */
const mayOf =
  (...held: readonly (Permission | 'owner')[]): May =>
  (need, place) =>
    typeof place === 'object' &&
    place.namespace === 'shop' &&
    [need].flat().every((one) => typeof one === 'string' && held.includes(one));
const all: May = () => true;

const helpAgainst = (message: string, may: May) => objectHelpOf(sharedCause(message)?.remedy, 'shop', may);

describe('a cause in another object is helped there', () => {
  test.each([
    ['secret "db" not found', 'Secret', 'secret'],
    ['configmap "db" not found', 'ConfigMap', 'configmap'],
    [
      'error looking up service account shop/db: serviceaccount "db" not found',
      'ServiceAccount',
      'serviceaccount',
    ],
  ])('%s: it is created', (message, kind, id) => {
    const help = helpAgainst(message, all);
    expect(help?.creates?.map(({ ref }) => ref)).toEqual([{ kind: id, namespace: 'shop', name: 'db' }]);
    expect(parse(help?.creates?.[0]?.manifest ?? '')).toMatchObject({
      kind,
      metadata: { name: 'db', namespace: 'shop' },
    });
  });

  test('an exceeded quota is edited, or opened by who may not edit it', () => {
    const message =
      'pods "web" is forbidden: exceeded quota: team, requested: pods=1, used: pods=4, limited: pods=4';
    const ref = { kind: 'resourcequota', namespace: 'shop', name: 'team' };
    expect(helpAgainst(message, all)).toEqual({ edits: [ref] });
    expect(helpAgainst(message, mayOf('namespaces.view'))).toEqual({ opens: [ref] });
    expect(helpAgainst(message, mayOf())).toBeUndefined();
  });

  test('a registry that denies leads to the pull secret that the pod names', () => {
    const remedyOf = (message: string, secret?: string) =>
      sharedImageCause(message, 'registry.example/denied/web:403', secret).remedy;
    const secret = { verb: 'edit', kind: 'Secret', name: 'pull' };
    expect(remedyOf('unexpected status: 401 Unauthorized', 'pull')).toEqual(secret);
    expect(remedyOf('unexpected status: 401 Unauthorized')).toBeUndefined();
    // The name of the image says nothing.
    expect(remedyOf('registry.example/denied/web:403: not found', 'pull')).toBeUndefined();
  });

  test('nothing is offered to who may not create it, and nothing that the cluster makes itself', () => {
    expect(helpAgainst('secret "db" not found', mayOf('secrets.view'))).toBeUndefined();
    expect(helpAgainst('configmap "kube-root-ca.crt" not found', all)).toBeUndefined();
    expect(helpAgainst('serviceaccount "default" not found', all)).toBeUndefined();
    expect(helpAgainst('persistentvolumeclaim "data" not found', all)).toBeUndefined();
  });
});
