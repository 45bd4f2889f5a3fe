import { describe, expect, it } from 'vitest';
import { compileJsonPath } from '../../src/kube/json-path.ts';

const object = {
  metadata: { annotations: { 'example.org/owner': 'shop' }, labels: { 'a.b': 'dotted' } },
  spec: {
    ports: [
      { name: 'http', port: 80 },
      { name: 'https', port: 443 },
    ],
    empty: null,
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', reason: 'Done' },
      { type: 'Synced', status: 'False' },
    ],
    replicas: 0,
  },
};
const read = (path: string) => compileJsonPath(path)(object);

describe('JSONPath of printer columns', () => {
  it.each([
    ['.spec.ports[0].port', [80]],
    ['.spec.ports[-1].name', ['https']],
    ['.spec.ports[*].port', [80, 443]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type=='Synced')].status", ['False']],
    ['.status.conditions[?(@.status!="True")].type', ['Synced']],
    [String.raw`.metadata.annotations.example\.org/owner`, ['shop']],
    [".metadata.labels['a.b']", ['dotted']],
    ['{.status.replicas}', [0]],
    ['$.status.replicas', [0]],
    ['status.replicas', [0]],
    ['.spec.empty', []],
    ['.spec.none.deeper', []],
    ['.spec.ports.port', []],
    ['.constructor.name', []],
  ])('reads %s', (path, expected) => expect(read(path)).toEqual(expected));

  it.each(['..recursive', '.a[1:2]', '.a[?(@.b>1)]', '.a[', ''])('finds nothing for %s', (path) =>
    expect(read(path)).toEqual([]),
  );

  it('rejects an overlong path', () => {
    expect(read('.spec'.repeat(51))).toEqual([]);
    expect(read(`.metadata.annotations['${'a'.repeat(1_000)}']`)).toEqual([]);
  });

  it('continues with a bounded number of values, however many a step finds', () => {
    const many = { list: Array.from({ length: 100_000 }, (_, index) => ({ index, inner: { index } })) };
    expect(compileJsonPath('.list[*].inner.index')(many)).toHaveLength(1_000);
    const none = compileJsonPath(`.list[*]${'.gone'.repeat(45)}`);
    expect(none(many)).toEqual([]);
  });
});
