import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { patchText } from '../../src/kube/patch-text.ts';
import { proof, rounds } from '../prove.ts';

fc.configureGlobal(proof());

const text = `# what it is for
kind: Pod # a kind
spec:
  # how many
  replicas: 1 # one is enough
  image: "a:1"
  script: |
    echo one
    echo two
  ports:
    # the first
    - 80 # http
    # the second
    - 443
`;

describe('editing a text to hold another value', () => {
  test('keeps comments, order and quotes', () => {
    const value = parse(text) as { spec: { replicas: number; image: string; ports: number[] } };
    value.spec.replicas = 3;
    value.spec.image = 'b:2';
    value.spec.ports = [80, 8080, 443];
    const patched = patchText(text, { ...value, extra: { a: 1 } });
    expect(patched).toBe(
      text
        .replace('replicas: 1', 'replicas: 3')
        .replace('"a:1"', '"b:2"')
        .replace('    # the second\n', '    - 8080\n    # the second\n') + 'extra:\n  a: 1\n',
    );
  });

  test('removes what is gone, and leaves a text unchanged that already has the value', () => {
    const { kind, spec } = parse(text) as { kind: string; spec: { replicas: number; image: string } };
    expect(patchText(text, { kind, spec })).toBe(text);
    const patched = patchText(text, { kind, spec: { image: spec.image } });
    expect(patched).toContain('# what it is for');
    expect(parse(patched ?? '')).toEqual({ kind, spec: { image: 'a:1' } });
  });

  test('is not attempted if an alias would turn one change into two', () => {
    expect(patchText('a: &x {b: 1}\nc: *x\n', { a: { b: 2 }, c: { b: 1 } })).toBeUndefined();
    expect(patchText('a: [', {})).toBeUndefined();
  });

  test('gives a text with that value, for random texts and values', () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.dictionary(fc.string(), json), (before, after) => {
        const patched = patchText(stringify(before), after);
        if (patched !== undefined) expect(parse(patched)).toEqual(parse(stringify(after)));
      }),
      { numRuns: rounds(100, 10_000) },
    );
  });
});
