import { describe, expect, test } from 'vitest';
import { createLogBuffer } from '../../../src/web/features/logs/buffer.ts';
import {
  columnLabel,
  columnsStore,
  isFoundIn,
  readPaths,
  turnPath,
  workloadOf,
  workloadsOf,
  writePaths,
} from '../../../src/web/features/logs/columns.ts';
import { createFieldIndex } from '../../../src/web/features/logs/field-index.ts';
import { fieldsOf, jsonOf, valueAt, valueText } from '../../../src/web/features/logs/json.ts';
import { levelOf } from '../../../src/web/features/logs/level.ts';
import { textMatcher } from '../../../src/web/features/logs/matcher.ts';

const json = (text: string) => jsonOf(text) ?? {};

describe('the fields of lines of JSON', () => {
  const indexed = (...texts: string[]) => {
    const buffer = createLogBuffer(1_000);
    buffer.push(texts.map((text) => ['', text, 0] as const));
    const index = createFieldIndex();
    index.look(buffer);
    return { index, buffer };
  };

  test('are learnt from the lines, the commonest first; message, time and level are none of them', () => {
    const { index, buffer } = indexed(
      'plain words',
      '{"time":"t","level":"info","msg":"a","user":"ann"}',
      '{"ts":1,"severity":"warn","message":"b","user":"bob","http":{"status":503,"path":"/cart"}}',
    );
    expect(index.fields().map(({ label, count }) => [label, count])).toEqual([
      ['user', 2],
      ['http.path', 1],
      ['http.status', 1],
    ]);
    expect(index.hasLevels).toBe(true);
    expect(index.hasJson).toBe(true);
    // As wide as what was seen, within bounds; each line counts once.
    index.look(buffer);
    expect(index.widthOf(['user'])).toBe(4);
    expect(index.fields()[0]?.count).toBe(2);
    buffer.push([['', `{"user":"${'x'.repeat(200)}"}`, 0]]);
    index.look(buffer);
    expect(index.widthOf(['user'])).toBe(28);
  });

  test('are found by what a line itself has, whatever the name is', () => {
    const line = json('{"__proto__":"mine","a.b":1,"a":{"b":2},"constructor":{"name":"c"}}');
    expect(valueAt(line, ['__proto__'])).toBe('mine');
    expect(valueAt(line, ['a.b'])).toBe(1);
    expect(valueAt(line, ['a', 'b'])).toBe(2);
    expect(valueAt(line, ['constructor', 'name'])).toBe('c');
    expect(valueAt(json('{}'), ['__proto__'])).toBeUndefined();
    expect(valueAt(json('{}'), ['constructor', 'name'])).toBeUndefined();
    expect(valueAt(json('{"a":"text"}'), ['a', 'length'])).toBeUndefined();
    expect(levelOf('{"level":"constructor"}')).toBeUndefined();
    const { index } = indexed('{"__proto__":"mine","toString":"x"}');
    expect(index.fields().map(({ label }) => label)).toEqual(['__proto__', 'toString']);
  });

  test('are bounded: however many names lines make up, and however long those are', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, at]));
    const { index } = indexed(
      JSON.stringify(many)
        .slice(0, 60_000)
        .replace(/,[^,]*$/, '}'),
    );
    expect(index.fields().length).toBe(200);
    expect(indexed(`{"${'n'.repeat(5_000)}":1}`).index.fields()).toEqual([]);
  });

  test('show nothing that escapes hide: no controls, colours or turned text', () => {
    expect(valueText('a\u202eb\u0007\u001b[31mc\u001b[0m\nd')).toBe('abc d');
    expect(columnLabel(['x\u202ey', 'z'])).toBe('xy.z');
    expect(fieldsOf(json('{"msg":"done\\u202e!","n\\u0000ame":"a\\nb","level":"info"}'))).toEqual({
      message: 'done!',
      fields: [['name', 'a b']],
    });
  });
});

describe('the columns of a log', () => {
  test('are a text in the address; what does not read as columns is left out', () => {
    const paths = [['user'], ['a.b', 'c,d']];
    expect(readPaths(writePaths(paths))).toEqual(paths);
    expect(writePaths([])).toBe('');
    for (const text of ['', 'user', '{}', '[1]', '[[]]', '[[1]]', '["user"]', null, undefined])
      expect(readPaths(text)).toEqual([]);
    expect(readPaths('[["a"],["a"]]')).toEqual([['a']]);
    expect(readPaths(JSON.stringify([['x'.repeat(500)], ['a', 'b', 'c', 'd', 'e']]))).toEqual([]);
    expect(readPaths(JSON.stringify(Array.from({ length: 40 }, (_, at) => [`f${at}`])))).toHaveLength(12);
  });

  test('are turned on and off one by one', () => {
    expect(turnPath([['a']], ['b'])).toEqual([['a'], ['b']]);
    expect(turnPath([['a'], ['b']], ['a'])).toEqual([['b']]);
  });

  test('are remembered for the workload, whichever of its pods is looked at, and for one person', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    columnsStore.write(storage, 1, '7/shop/Deployment/api', [['user']]);
    expect(columnsStore.read(storage, 1, '7/shop/Deployment/api')).toEqual([['user']]);
    expect(columnsStore.read(storage, 1, '8/shop/Deployment/api')).toEqual([]);
    expect(columnsStore.read(storage, 2, '7/shop/Deployment/api')).toEqual([]);
    for (let at = 0; at < 300; at += 1) columnsStore.write(storage, 1, `w${at}`, [['a']]);
    expect(columnsStore.read(storage, 1, '7/shop/Deployment/api')).toEqual([]);
    expect(columnsStore.read(storage, 1, 'w299')).toEqual([['a']]);
    columnsStore.write(storage, 1, 'w299', []);
    expect(columnsStore.read(storage, 1, 'w299')).toEqual([]);
    kept.set('wheelhouse.log-columns.1', '[[1],{},"x",["w1","nothing"]]');
    expect(columnsStore.read(storage, 1, 'w1')).toEqual([]);
  });

  interface Owned {
    readonly name: string;
    readonly labels?: Record<string, string>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
  }
  test.each<readonly [Owned, string]>([
    [{ name: 'alone' }, 'Pod/alone'],
    [
      {
        name: 'api-7d9f8c-x1',
        labels: { 'pod-template-hash': '7d9f8c' },
        ownerReferences: [{ kind: 'ReplicaSet', name: 'api-7d9f8c' }],
      },
      'Deployment/api',
    ],
    [{ name: 'own-x1', ownerReferences: [{ kind: 'ReplicaSet', name: 'own' }] }, 'ReplicaSet/own'],
    [{ name: 'r-1', ownerReferences: [{ kind: 'Job', name: 'report-29384750' }] }, 'CronJob/report'],
    [{ name: 'm-1', ownerReferences: [{ kind: 'Job', name: 'migrate-2' }] }, 'Job/migrate-2'],
    [{ name: 'db-0', ownerReferences: [{ kind: 'StatefulSet', name: 'db' }] }, 'StatefulSet/db'],
  ])('a pod belongs to its workload: %o', ({ ownerReferences = [], ...metadata }, workload) => {
    const owners = ownerReferences.map((owner) => ({
      apiVersion: 'apps/v1',
      uid: 'u',
      controller: true,
      ...owner,
    }));
    expect(workloadOf({ metadata: { ...metadata, ownerReferences: owners } })).toBe(workload);
  });

  test('several chosen pods are remembered by their workloads, whichever of their pods it are', () => {
    const of = (...names: string[]) => workloadsOf(names.map((name) => ({ namespace: 'shop', name })));
    expect(of('cart-7d9f8c6b54-x2x4k', 'cart-7d9f8c6b54-lx79q')).toBe('Pods/shop/cart');
    expect(of('cart-56bd9c7f4-mmg8h')).toBe(of('cart-7d9f8c6b54-lx79q'));
    expect(of('db-1', 'agent-zz4kp')).toBe('Pods/shop/agent,shop/db');
    expect(of('db-0')).not.toBe(workloadsOf([{ namespace: 'other', name: 'db-0' }]));
    expect(of('plain', 'with-words')).toBe('Pods/shop/plain,shop/with-words');
  });
});

describe('a search in what is shown of a line of JSON', () => {
  const line = json('{"time":"noon","msg":"done","user":"ann","http":{"status":503,"path":"/cart"}}');
  test.each([
    ['done', [], true],
    ['ANN', [], true],
    ['"path"', [], true],
    ['503', [['http', 'status']], true],
    // The time and the names stand elsewhere.
    ['noon', [], false],
    ['user', [], false],
    ['absent', [['http', 'absent']], false],
  ] as const)('%s with columns %o: %s', (query, paths, isFound) => {
    const columns = paths.map((path) => ({ path }));
    expect(isFoundIn(line, columns, textMatcher(query))).toBe(isFound);
  });

  test('finds a value that only a column shows', () => {
    const inMessage = json('{"msg":"done","level":"warn"}');
    expect(isFoundIn(inMessage, [], textMatcher('warn'))).toBe(false);
    expect(isFoundIn(inMessage, [{ path: ['level'] }], textMatcher('warn'))).toBe(true);
  });
});
