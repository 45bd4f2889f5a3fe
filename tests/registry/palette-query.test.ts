import { describe, expect, test } from 'vitest';
import { readKindLine, readPaletteInput } from '../../src/registry/palette-query.ts';

describe('what stands in the palette', () => {
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
  test.each([
    ['dp', { kind: 'dp', namespace: undefined, filter: undefined, cluster: undefined, at: 'kind' }],
    ['dp ', { kind: 'dp', namespace: undefined, filter: undefined, cluster: undefined, at: 'namespace' }],
    ['dp shop', { kind: 'dp', namespace: 'shop', filter: undefined, cluster: undefined, at: 'namespace' }],
    ['dp shop /api', { kind: 'dp', namespace: 'shop', filter: 'api', cluster: undefined, at: 'filter' }],
    ['dp shop /api @prod', { kind: 'dp', namespace: 'shop', filter: 'api', cluster: 'prod', at: 'cluster' }],
    ['dp shop @prod /api', { kind: 'dp', namespace: 'shop', filter: 'api', cluster: 'prod', at: 'filter' }],
    ['dp @prod', { kind: 'dp', namespace: undefined, filter: undefined, cluster: 'prod', at: 'cluster' }],
    ['dp @', { kind: 'dp', namespace: undefined, filter: undefined, cluster: '', at: 'cluster' }],
    [
      'dp /api web',
      { kind: 'dp', namespace: undefined, filter: 'api web', cluster: undefined, at: 'filter' },
    ],
    ['dp /', { kind: 'dp', namespace: undefined, filter: undefined, cluster: undefined, at: 'filter' }],
    ['', { kind: '', namespace: undefined, filter: undefined, cluster: undefined, at: 'kind' }],
  ] as const)('“%s”', (input, line) => {
    expect(readKindLine(input)).toEqual(line);
  });
});
