import { describe, expect, test } from 'vitest';
import {
  filterOfLine,
  type KindLine,
  kindLineIn,
  readKindLine,
  readPaletteInput,
} from '../../src/registry/palette/query.ts';

describe('the palette’s input', () => {
  test.each([
    ['', 'all', ''],
    ['checkout', 'all', 'checkout'],
    ['>split', 'commands', 'split'],
    ['> split right ', 'commands', 'split right'],
    [':dp', 'kinds', 'dp'],
    ['  :dp', 'kinds', 'dp'],
    ['@shop', 'namespaces', 'shop'],
    ['#prod', 'clusters', 'prod'],
    ['?', 'help', ''],
    ['a > b', 'all', 'a > b'],
  ] as const)('“%s” means %s', (input, mode, text) => {
    expect(readPaletteInput(input)).toEqual({ mode, text });
  });
});

describe('a line of the kind mode', () => {
  const line = (parts: Partial<KindLine>): KindLine => ({
    kind: '',
    namespace: undefined,
    filter: undefined,
    labels: [],
    cluster: undefined,
    at: 'kind',
    ...parts,
  });

  test.each([
    ['dp', { kind: 'dp' }],
    ['dp ', { kind: 'dp', at: 'namespace' }],
    ['dp shop', { kind: 'dp', namespace: 'shop', at: 'namespace' }],
    ['dp shop /api', { kind: 'dp', namespace: 'shop', filter: 'api', at: 'filter' }],
    ['dp shop /api @prod', { kind: 'dp', namespace: 'shop', filter: 'api', cluster: 'prod', at: 'cluster' }],
    ['dp shop @prod /api', { kind: 'dp', namespace: 'shop', filter: 'api', cluster: 'prod', at: 'filter' }],
    ['dp @prod', { kind: 'dp', cluster: 'prod', at: 'cluster' }],
    ['dp @', { kind: 'dp', cluster: '', at: 'cluster' }],
    ['dp /api web', { kind: 'dp', filter: 'api web', at: 'filter' }],
    ['dp /', { kind: 'dp', at: 'filter' }],
    ['', {}],
    ['po app=web', { kind: 'po', labels: ['app=web'], at: 'filter' }],
    [
      'po shop app=web,tier!=db',
      { kind: 'po', namespace: 'shop', labels: ['app=web,tier!=db'], at: 'filter' },
    ],
    ['po -l app -n shop', { kind: 'po', labels: ['app'], namespace: 'shop', at: 'namespace' }],
    ['po -n ', { kind: 'po', at: 'namespace' }],
    ['po --namespace=shop /api', { kind: 'po', namespace: 'shop', filter: 'api', at: 'filter' }],
    ['po /api -n shop', { kind: 'po', namespace: 'shop', filter: 'api', at: 'namespace' }],
    ['po -A api', { kind: 'po', namespace: 'all', filter: 'api', at: 'filter' }],
    ['po /a=b', { kind: 'po', filter: 'a=b', at: 'filter' }],
  ] as const)('“%s”', (input, parts) => {
    expect(readKindLine(input)).toEqual(line(parts));
  });

  test.each([
    ['po', undefined],
    ['po /api web', 'api web'],
    ['po app=web', 'label:app=web'],
    ['po app==web,tier!=db,!old,canary /api', 'label:app=web !label:tier=db !label:old label:canary api'],
  ])('“%s” filters the list by “%s”', (input, filter) => {
    expect(filterOfLine(readKindLine(input))).toBe(filter);
  });
});

test.each([
  ['kubectl get po -n shop', 'po -n shop'],
  ['po -A', 'po -A'],
  ['deploy -l app=web', 'deploy -l app=web'],
  ['list pods in namespace shop', 'pods shop'],
  ['svc in shop', 'svc shop'],
  ['pods in trouble', undefined],
  ['restart cart', undefined],
] as const)('a text that is a line of kubectl: %s', (text, line) => {
  expect(kindLineIn(text, ['shop'])).toBe(line);
});
