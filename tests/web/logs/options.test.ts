import { expect, test } from 'vitest';
import { containersOf, defaultContainer } from '../../../src/web/features/logs/containers.ts';
import { readOptions, writeOptions } from '../../../src/web/features/logs/options.ts';
import { sourceNames } from '../../../src/web/features/logs/source-names.ts';
import type { ShownSource } from '../../../src/web/features/logs/stream.ts';

test('the options of a log are in the address, except the defaults', () => {
  expect(readOptions({}, 'app')).toEqual({
    container: 'app',
    previous: false,
    since: '',
    tail: '2000',
    times: 'local',
    isWrapped: true,
    query: '',
    isRegex: false,
    isOnly: false,
    level: undefined,
    hasFields: true,
    columns: undefined,
  });
  const changed = {
    ...readOptions({}, 'app'),
    since: '1h',
    times: 'utc',
    isWrapped: false,
    level: 'warn',
    hasFields: false,
    columns: [['trace'], ['http', 'status']],
  } as const;
  const search = Object.fromEntries(
    Object.entries(writeOptions(changed)).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  expect(search).toEqual({
    container: 'app',
    tail: '2000',
    since: '1h',
    times: 'utc',
    wrap: 'off',
    level: 'warn',
    fields: 'off',
    columns: '[["trace"],["http","status"]]',
  });
  expect(readOptions(search, 'app')).toEqual(changed);
  // Unknown words are as none.
  expect(readOptions({ since: 'ever', level: 'loud', tail: '7' }, 'app')).toEqual(readOptions({}, 'app'));
});

test('sources are told apart by what differs between them', () => {
  const source = (id: number, pod: string, container = 'app'): ShownSource => ({
    id,
    namespace: 'shop',
    pod,
    container,
  });
  expect(sourceNames([source(0, 'api-7d9f-x1')])).toBeUndefined();
  expect(
    sourceNames([source(0, 'api-7d9f-x1'), source(1, 'api-7d9f-x2')])?.map(({ short }) => short),
  ).toEqual(['x1', 'x2']);
  expect(sourceNames([source(0, 'api-0'), source(1, 'api-0', 'proxy')])?.map(({ short }) => short)).toEqual([
    'app',
    'proxy',
  ]);
  expect(sourceNames([source(0, 'api-0'), source(1, 'api-1', 'proxy')])?.[1]).toEqual({
    short: '1/proxy',
    full: 'shop/api-1, container proxy',
    colour: 2,
  });
});

test('the container meant is the one kubectl would take', () => {
  const pod = {
    metadata: { annotations: { 'kubectl.kubernetes.io/default-container': 'app' } },
    spec: { containers: [{ name: 'proxy' }, { name: 'app' }], initContainers: [{ name: 'init' }] },
  };
  expect(defaultContainer(pod)).toBe('app');
  expect(defaultContainer({ spec: { containers: [{ name: 'proxy' }] } })).toBe('proxy');
  expect(defaultContainer({})).toBe('');
  expect(containersOf(pod).map(({ name }) => name)).toEqual(['proxy', 'app', 'init']);
});
