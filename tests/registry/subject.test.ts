import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { kindFacts } from '../../commands/kinds/facts.ts';
import { objectOfRoute, objectParams } from '../../src/registry/commands/kind-commands.ts';
import { fillPath } from '../../src/registry/path.ts';
import { resolveSubject } from '../../src/registry/commands/subject.ts';
import { routedRegistry } from './routed.ts';

const ref = (name: string) => ({ cluster: '1', kind: 'pod', namespace: 'shop', name });
const all = {
  args: [ref('a')],
  selection: [ref('b'), ref('c')],
  row: ref('d'),
  tile: ref('e'),
  cluster: '1',
};

test('the subject is the explicit reference, else the selection, the row, the object on screen, the cluster', () => {
  expect(resolveSubject(all)).toEqual({ type: 'objects', refs: [ref('a')], from: 'args' });
  expect(resolveSubject({ ...all, args: [] })).toMatchObject({
    refs: [ref('b'), ref('c')],
    from: 'selection',
  });
  expect(resolveSubject({ row: ref('d'), tile: ref('e'), cluster: '1' })).toMatchObject({ from: 'row' });
  expect(resolveSubject({ tile: ref('e'), cluster: '1' })).toMatchObject({ refs: [ref('e')], from: 'tile' });
  expect(resolveSubject({ selection: [], row: undefined, cluster: '1' })).toEqual({
    type: 'cluster',
    cluster: '1',
  });
  expect(resolveSubject({})).toEqual({ type: 'none' });
});

test('the path of an object of every kind identifies that object', () => {
  const registry = routedRegistry(commands);
  for (const kind of kindFacts) {
    for (const path of kind.paths.detail ?? []) {
      const object = {
        cluster: '7',
        kind: kind.id,
        ...(kind.scope === 'Namespaced' ? { namespace: 'shop/1' } : {}),
        name: 'a b',
      };
      const match = registry.match(fillPath(path, objectParams(path, object)));
      expect(objectOfRoute(match)).toEqual(object);
    }
    expect(objectOfRoute(registry.match(kind.paths.list.replace(':clusterId', '7')))).toBeUndefined();
  }
});

test('every action of every kind is a command that is available on that kind', () => {
  const registry = routedRegistry(commands);
  for (const kind of kindFacts) {
    for (const { id, keys } of kind.actions) {
      const command = registry.get(id);
      expect(command.keys).toBe(keys);
      expect(command.when).toMatchObject({ kind: expect.arrayContaining([kind.id]) as unknown });
    }
  }
});
