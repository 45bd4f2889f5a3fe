import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as fc from 'fast-check';
import { highlightYaml, visibleLines } from '../../src/web/yaml/highlight.ts';
import { objectYaml } from '../../src/web/yaml/object-yaml.ts';
import { toYaml } from '../../src/web/yaml/to-yaml.ts';
import { proof, rounds } from '../prove.ts';

fc.configureGlobal(proof());

const tokens = (line: string) => highlightYaml(line)[0]?.tokens;

describe('highlighted YAML', () => {
  test.each([
    [
      'name: api',
      [
        ['k', 'name'],
        ['p', ':'],
        ['', ' '],
        ['s', 'api'],
      ],
    ],
    [
      '  replicas: 3',
      [
        ['', '  '],
        ['k', 'replicas'],
        ['p', ':'],
        ['', ' '],
        ['n', '3'],
      ],
    ],
    [
      'paused: true',
      [
        ['k', 'paused'],
        ['p', ':'],
        ['', ' '],
        ['n', 'true'],
      ],
    ],
    [
      '- name: web',
      [
        ['p', '- '],
        ['k', 'name'],
        ['p', ':'],
        ['', ' '],
        ['s', 'web'],
      ],
    ],
    [
      '- --port=80',
      [
        ['p', '-'],
        ['', ' '],
        ['s', '--port=80'],
      ],
    ],
    [
      'image: a/b:v1',
      [
        ['k', 'image'],
        ['p', ':'],
        ['', ' '],
        ['s', 'a/b:v1'],
      ],
    ],
    [
      '"a: b": "c # d"',
      [
        ['k', '"a: b"'],
        ['p', ':'],
        ['', ' '],
        ['s', '"c # d"'],
      ],
    ],
    [
      'app.kubernetes.io/name: x',
      [
        ['k', 'app.kubernetes.io/name'],
        ['p', ':'],
        ['', ' '],
        ['s', 'x'],
      ],
    ],
    [
      'empty: {}',
      [
        ['k', 'empty'],
        ['p', ':'],
        ['', ' '],
        ['p', '{}'],
      ],
    ],
    ['# said', [['c', '# said']]],
  ] as const)('%s', (line, expected) => expect(tokens(line)).toEqual(expected));

  test('the text of a block is text, whatever it looks like', () => {
    const lines = highlightYaml('data:\n  a: |\n    key: value\n\n    # no comment\n  b: 1\n');
    expect(lines.slice(2, 5).map(({ tokens: [first] }) => first?.[0])).toEqual(['s', 's', 's']);
    expect(lines[5]?.tokens[1]).toEqual(['k', 'b']);
  });

  test('every part of a flow map has its own colour, and a text over several lines is one text', () => {
    expect(tokens('a: {b: 1, c: [x]} # d')?.filter(([type]) => type !== '')).toEqual([
      ['k', 'a'],
      ['p', ':'],
      ['p', '{'],
      ['k', 'b'],
      ['p', ':'],
      ['n', '1'],
      ['p', ','],
      ['k', 'c'],
      ['p', ':'],
      ['p', '['],
      ['s', 'x'],
      ['p', ']}'],
      ['c', '# d'],
    ]);
    const lines = highlightYaml('a: "x\n  b: 1"\nc: 2\n');
    expect(lines.map((line) => line.tokens.at(-1))).toEqual([
      ['s', '"x'],
      ['s', '  b: 1"'],
      ['n', '2'],
    ]);
  });

  test('a block’s text folds with the empty lines after it; one without text keeps its line', () => {
    const lines = highlightYaml('data:\n  a: |\n    x\n\n  b: 1\n');
    expect(lines.map(({ end }) => end)).toEqual([4, 3, undefined, undefined, undefined]);
    expect(tokens('a: |-')).toEqual([
      ['k', 'a'],
      ['p', ':'],
      ['', ' '],
      ['p', '|-'],
    ]);
  });

  test('a key folds what is below it, a list under its key too', () => {
    const lines = highlightYaml('a:\n- x: 1\n  y: 2\n- z\nb:\n  c:\n    d: 1\ne: 1\n');
    expect(lines.map(({ end }) => end)).toEqual([3, 2, undefined, undefined, 6, 6, undefined, undefined]);
    expect(visibleLines(lines, new Set([0, 5]))).toEqual([0, 4, 5, 7]);
    expect(visibleLines(lines, new Set([4, 5]))).toEqual([0, 1, 2, 3, 4, 7]);
  });

  test('no character is lost or added', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const joined = highlightYaml(text).map((line) => line.tokens.map(([, one]) => one).join(''));
        expect(joined.join('\n')).toBe(text.replace(/\n$/, ''));
      }),
    );
  });
});

describe('an object as YAML', () => {
  test('names come first, the status last', () => {
    const text = toYaml({
      status: { a: 1 },
      spec: {},
      kind: 'Pod',
      metadata: { uid: 'u', name: 'n' },
      apiVersion: 'v1',
    });
    expect(text.match(/^\w+|^ {2}\w+/gm)).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      '  name',
      '  uid',
      'spec',
      'status',
      '  a',
    ]);
  });

  test('it reads back as the same object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        // As it comes over the wire: JSON knows no -0.
        const object: unknown = JSON.parse(JSON.stringify(value));
        expect(parse(toYaml(object))).toEqual(object);
      }),
      { numRuns: rounds(50, 2_000) },
    );
  });
});

test('YAML that the console composes has no syntax marks; an object of a cluster is shown as it is', () => {
  const metadata = {
    name: 'shop',
    namespace: 'shop',
    uid: 'release shop/shop',
    resourceVersion: 'b4 deployed',
  };
  const object = { kind: 'Release', metadata, revision: 2 };
  const plain = 'kind: Release\nmetadata:\n  name: shop\n  namespace: shop\nrevision: 2\n';
  expect(objectYaml({ source: 'helm' }, object)).toBe(plain);
  expect(objectYaml({}, object)).toBe(toYaml(object));
});
