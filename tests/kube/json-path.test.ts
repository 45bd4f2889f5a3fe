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
const read = (path: string) => compileJsonPath(path)?.read(object);

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

  it.each([
    ['.list[-1:]', ['d']],
    ['.list[-2:].length', []],
    ['.list[0:2]', ['a', 'b']],
    ['.list[1:]', ['b', 'c', 'd']],
    ['.list[:2]', ['a', 'b']],
    ['.list[:-1]', ['a', 'b', 'c']],
    ['.list[::2]', ['a', 'c']],
    ['.list[1:4:2]', ['b', 'd']],
    ['.list[-1]', ['d']],
    ['.list[-2]', ['c']],
    ['.list[0,3]', ['a', 'd']],
    ['.list[1:1]', []],
    ['.list[:]', ['a', 'b', 'c', 'd']],
    // kubectl prints nothing for what is out of bounds.
    ['.list[2:9]', []],
    ['.list[7]', []],
    ['.list[-9]', []],
    ['.items[?(@.size>5)].name', ['big']],
    ['.items[?(@.size>=9)].name', ['big']],
    ['.items[?(@.size<5)].name', ['small']],
    ['.items[?(@.size<=1)].name', ['small']],
    ['.items[?(@.size==9)].name', ['big']],
    ['.items[?( @.size != 9 )].name', ['small']],
    ['.items[?(@.note)].name', ['big']],
    ['.items[?(@.isOn==true)].name', ['small']],
    ['.items[?(@.name==@.twin)].size', [1]],
    ['.items[?(@.name=="a \\"b\\"")].size', []],
    [".items[?(@.note=='x) y')].size", [9]],
    ['.list[?(@=="b")]', ['b']],
    // A text and a number do not compare.
    ['.items[?(@.size=="9")].name', []],
    [".status['phase','reason']", ['P', 'R']],
    ['.status["phase"]', ['P']],
    ['.status.*', ['P', 'R']],
    // A quoted key with dots is a path, if there is no such key.
    ["['status.phase','status.reason']", ['P', 'R']],
    [".template['spec.containers'][1].image", ['reg/b:2']],
    [".items[?(@['name']=='big')].size", [9]],
    [String.raw`['notes.example\.org/owner']`, ['shop']],
    ["['notes.example.org/owner']", []],
    [".notes['example.org/owner']", ['shop']],
    ['..image', ['reg/a:1', 'reg/b:2']],
    ['.template..image', ['reg/a:1', 'reg/b:2']],
    ['.template..containers[0].image', ['reg/a:1']],
    ['.template..containers[?(@.image=="reg/b:2")].name', ['b']],
    // A descent finds objects as well, which no filter takes.
    ['.template..[?(@.image=="reg/b:2")].name', []],
    ['{.list[0]}', ['a']],
    ['$.list[0]', ['a']],
    ['@.list[0]', ['a']],
  ] as const)('reads %s as kubectl does', (path, expected) =>
    expect(
      compileJsonPath(path)?.read({
        list: ['a', 'b', 'c', 'd'],
        items: [
          { name: 'small', twin: 'small', size: 1, isOn: true },
          { name: 'big', twin: 'other', size: 9, isOn: false, note: 'x) y' },
        ],
        status: { phase: 'P', reason: 'R' },
        notes: { 'example.org/owner': 'shop' },
        template: {
          spec: {
            containers: [
              { name: 'a', image: 'reg/a:1' },
              { name: 'b', image: 'reg/b:2' },
            ],
          },
        },
      }),
    ).toEqual(expected),
  );

  it('compares whole numbers of any size', () => {
    const items = [
      { id: 9_007_199_254_740_993n, name: 'big' },
      { id: 5, name: 'small' },
    ];
    expect(compileJsonPath('.items[?(@.id>5)].name')?.read({ items })).toEqual(['big']);
    expect(compileJsonPath('.items[?(@.id==5)].name')?.read({ items })).toEqual(['small']);
    const ids = { ids: [9_007_199_254_740_993n, 9_007_199_254_740_992] };
    expect(compileJsonPath('.ids[?(@==9007199254740993)]')?.read(ids)).toEqual([9_007_199_254_740_993n]);
  });

  it.each([
    '.a[',
    '',
    '.',
    '.a[x]',
    '.a[]',
    '.a[::0]',
    '.a....b',
    '.a[?(@.b=~"x")]',
    '.a[?(@.b=="x" && @.c=="y")]',
    '.a[?(@.b==)]',
    'range .items[*]}{.a}{end',
    '.list[?(@.name in ["a"])]',
    '.list first',
  ])('does not understand %j', (path) => expect(compileJsonPath(path)).toBeUndefined());

  it('rejects an overlong path', () => {
    expect(compileJsonPath('.spec'.repeat(51))).toBeUndefined();
    expect(compileJsonPath(`.metadata.annotations['${'a'.repeat(1_000)}']`)).toBeUndefined();
  });

  it('continues with a bounded number of values, however many a step finds', () => {
    const many = { list: Array.from({ length: 100_000 }, (_, index) => ({ index, inner: { index } })) };
    expect(compileJsonPath('.list[*].inner.index')?.read(many)).toHaveLength(1_000);
    const none = compileJsonPath(`.list[*]${'.gone'.repeat(45)}`);
    expect(none?.read(many)).toEqual([]);
    expect(compileJsonPath('..index')?.read(many)).toHaveLength(1_000);
  });
});
