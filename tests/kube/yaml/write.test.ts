import { constantFrom, dictionary, type Arbitrary, oneof, sample, string, stringMatching } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseManifest, readManifest } from '../../../src/kube/manifest.ts';
import { patchText } from '../../../src/kube/patch-text.ts';
import { writeYaml } from '../../../src/kube/yaml/write.ts';
import { rounds, seed } from '../../prove.ts';
import { cases } from './cases.ts';

const runs = rounds(1_500, 50_000);

const scalars = cases.map(({ yaml }) => yaml.replace(/^a: ?/, '').trimEnd());
/** Texts that look like other types, texts with unusual characters, and random ones. */
const texts: Arbitrary<string> = oneof(
  constantFrom(...scalars),
  stringMatching(/^[-+.~_0-9eExXoObBaAnNyYsStTfF:=<#\s]{0,8}$/),
  string({
    unit: constantFrom(
      ...Array.from(
        'a0:-#?!&*|>%@`,[]{}\'"\\ \n\t\r\u0085\u2028\u2029\u00a0\ufeff\u0007\u007f\u009f\uffff😀',
      ),
    ),
  }),
  string({ unit: 'grapheme' }),
);

const read = (text: string): unknown => {
  const parsed = readManifest(text);
  if (parsed.type !== 'valid') throw new Error(JSON.stringify(parsed));
  return parsed.documents[0]?.value;
};

describe(`writing ${runs} random values (seed ${seed})`, () => {
  test('gives texts that kubectl’s rules, YAML 1.2 and YAML 1.1 read alike', () => {
    for (const text of sample(texts, { numRuns: runs, seed })) {
      const value = { a: text, b: [text, { c: text }], [text]: { d: text } };
      const written = writeYaml(value);
      const shown = JSON.stringify(text);
      expect(read(written), shown).toEqual(value);
      expect(parse(written, { schema: 'core' }), shown).toEqual(value);
      expect(parse(written, { version: '1.1' }), shown).toEqual(value);
      // No character that a YAML 1.1 parser rejects or treats as a line end.
      expect(written, shown).not.toMatch(/[^\P{Cc}\t\n]|[\u2028\u2029\ufeff\ufffe\uffff]/u);
    }
  });

  test('leaves the text unchanged where an edit changes something else', () => {
    for (const before of sample(dictionary(texts, texts), { numRuns: Math.ceil(runs / 10), seed })) {
      const text = writeYaml({ ...before, 'the field': 1 });
      const patched = patchText(text, { ...before, 'the field': 2 });
      expect(patched, text).toBeDefined();
      expect(read(patched ?? '')).toEqual({ ...before, 'the field': 2 });
    }
  });
});

test('an edit keeps equivalent notations: octal numbers, boolean words, merge keys', () => {
  const text = `# modes
x: &x {k: 0o17}
mode: 0400 # read by its owner
hostNetwork: yes
items:
  <<: *x
  m: 1_000
replicas: 1
`;
  const parsed = parseManifest(text);
  if (parsed.type !== 'valid') throw new Error('not valid');
  const value = parsed.documents[0]?.value as Record<string, unknown>;
  expect(value).toMatchObject({ mode: 256, hostNetwork: true, items: { k: 15, m: 1000 } });
  expect(patchText(text, { ...value, replicas: 2 })).toBe(
    text.replace('replicas: 1', 'replicas: 2').replace('{k: 0o17}', '{ k: 0o17 }'),
  );
});
