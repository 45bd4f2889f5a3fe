import { describe, expect, test } from 'vitest';
import { documentsLimit, parseManifest, utf8Length } from '../../src/kube/manifest.ts';
import { maxManifestDepth } from '../../src/kube/yaml/value.ts';

const valuesOf = (text: string) => {
  const parsed = parseManifest(text);
  if (parsed.type !== 'valid') throw new Error(`Not valid: ${JSON.stringify(parsed)}`);
  return parsed.documents.map(({ value }) => value);
};
const messageOf = (text: string) => {
  const parsed = parseManifest(text);
  return parsed.type === 'invalid' ? parsed.message : parsed.type;
};

describe('parsing a text', () => {
  test.each(['', ' ', '\n\n', '\t\r\n ', '\uFEFF'])('blank text %j is empty, not an error', (text) => {
    expect(parseManifest(text)).toEqual({ type: 'empty' });
  });

  test.each(['# nothing yet', '# a\n\n  # b\n', '---\n', '---\n# none\n---\n...\n'])(
    'a text without a value %j is empty, not valid',
    (text) => {
      expect(parseManifest(text)).toEqual({ type: 'empty' });
    },
  );

  test.each([
    ['a map', 'kind: Pod', [{ kind: 'Pod' }]],
    ['a word', 'hello', ['hello']],
    ['a list', '- a\n- 1', [['a', 1]]],
    ['JSON', '{"kind": "Pod", "n": [1, 2]}', [{ kind: 'Pod', n: [1, 2] }]],
    ['with a byte order mark', '\uFEFFkind: Pod', [{ kind: 'Pod' }]],
    ['with Windows line ends', 'kind: Pod\r\nm: 1\r\n', [{ kind: 'Pod', m: 1 }]],
    ['a document that says null', 'null', [null]],
    ['several documents', 'a: 1\n---\nb: 2\n', [{ a: 1 }, { b: 2 }]],
    ['empty documents between', '---\n---\na: 1\n---\n# none\n---\nb: 2\n...\n', [{ a: 1 }, { b: 2 }]],
    ['yes and no are true and false, as kubectl has them,', 'country: no', [{ country: false }]],
    ['octal numbers, as kubectl has them,', 'mode: 0400', [{ mode: 256 }]],
    ['merge keys', 'a: &a {b: 1}\nc:\n  <<: *a\n  d: 2', [{ a: { b: 1 }, c: { b: 1, d: 2 } }]],
    ['bytes that are text', '%YAML 1.1\n---\na: !!binary aGVsbG8=', [{ a: 'hello' }]],
    ['a large number that is written with an exponent', 'a: 1e30', [{ a: 1e30 }]],
    ['aliases', 'a: &x 1\nb: *x', [{ a: 1, b: 1 }]],
  ])('%s is valid', (_what, text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });

  test.each([
    ['a tab as indentation', 'a:\n\tb: 1', /Tabs are not allowed as indentation/],
    ['a key twice', 'a: 1\na: 2', /Map keys must be unique at line 2, column 1/],
    ['an open quote', 'a: "b', /Missing closing "quote/],
    ['an open list', 'a: [1, 2', /Flow sequence in block collection must be/],
    ['wrong indentation', 'a:\n    b: 1\n  c: 2', /All mapping items must start at the same column/],
    ['an alias to nothing', 'a: *nobody', /Unresolved alias.* at line 1, column 4:\n\na: \*nobody\n {3}\^/],
    ['an error in the second document', 'a: 1\n---\nb: [', /at line 3/],
    ['an alias bomb', bomb(), /Aliases multiply this text too often at line/],
    ['a NUL character', 'a: \0', /NUL characters: it is not UTF-8/],
    ['wrongly decoded text', 'a: caf\u{FFFD}', /could not be decoded/],
    ['half of a character', 'a: \uD800', /half of a character.*not UTF-8/],
    ['half of a character, escaped', String.raw`a: "\uD83D"`, /half of a character/],
    ['half of a character in a key', String.raw`"\uD83D": 1`, /half of a character/],
    ['infinity', 'a: .inf', /JSON has no number/],
    ['a number that would lose digits', 'a: 123456789012345678901234567890', /more digits than can be kept/],
    [
      'a number that would lose digits, as a key',
      '123456789012345678901234567890: a',
      /more digits than can be kept/,
    ],
    ['bytes that are no text', 'a: !!binary /w==', /bytes of this !!binary are not text/],
    ['a control character', 'a: "\x1b[0m"', /Control characters are not allowed at line 1, column 5/],
    ['a key that is null', 'a: 1\n~: 2', /A key is null, which no key of JSON can be at line 2, column 1/],
    ['an alias of an odd name', 'a: &b10:30', /other characters in its name/],
    ['a merge key of a text', 'a:\n  <<: b', /A merge key .* at line 2, column 7/],
    ['too many documents', '---\na: 1\n'.repeat(documentsLimit + 1), /more than 500 documents/],
  ])('%s is invalid, with a readable message', (_what, text, message) => {
    expect(messageOf(text)).toMatch(message);
  });

  test.each([
    ['lists', '['.repeat(5_000)],
    ['closed lists', '['.repeat(1_000) + ']'.repeat(1_000)],
    ['items', '- '.repeat(1_000) + 'a'],
    ['maps', Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
  ])('deeply nested %s are rejected with a message, without a crash', (_what, text) => {
    expect(messageOf(text)).not.toMatch(/call stack/);
    expect(parseManifest(text).type).toBe('invalid');
  });

  test('maps nested deeper than the library’s stack are rejected as nested too deeply', () => {
    const text = Array.from({ length: 3_000 }, (_, at) => `${' '.repeat(at)}a:\n`).join('');
    expect(messageOf(text)).toBe('This text is nested too deeply: the maximum is 200 levels.');
  });

  test.each(['\u0085', '\u2028', '\u2029'])('a text with the line end %j gets a hint about it', (end) => {
    expect(parseManifest(`kind: Pod${end}metadata: {name: x}`)).toMatchObject({
      type: 'invalid',
      hint: expect.stringMatching(/line ends that YAML does not know/),
    });
    expect(parseManifest(`kind: "a${end}b"`)).toMatchObject({ type: 'valid' });
    expect(parseManifest('a: [')).not.toHaveProperty('hint');
  });

  test('nesting up to the limit is accepted', () => {
    const depth = maxManifestDepth - 1;
    expect(parseManifest('['.repeat(depth) + ']'.repeat(depth)).type).toBe('valid');
  });

  describe('a large text', () => {
    const map = (keys: number) =>
      Array.from({ length: keys }, (_, at) => `key-${at}: value ${at}\n`).join('');

    test('of one map is parsed in linear time', () => {
      const time = (text: string) => {
        const start = process.cpuUsage();
        expect(parseManifest(text).type).toBe('valid');
        return process.cpuUsage(start).user / 1_000;
      };
      time(map(5_000));
      const [short, long] = [time(map(5_000)), time(map(40_000))];
      // Quadratic time would take 64 times as long for eight times the keys.
      expect(long).toBeLessThan(Math.max(30 * short, 1_000));
    });

    test('reports duplicate keys at their place, in the library’s words', () => {
      const text = `${map(10_000)}key-7: again\n`;
      expect(parseManifest(text)).toMatchObject({
        type: 'invalid',
        message: 'Map keys must be unique at line 10001, column 1:\n\nkey-7: again\n^',
        line: 10_001,
        column: 1,
      });
      expect(messageOf(`${map(10_000)}in: {a: [{b: 1, b: 2}]}\n`)).toMatch(
        /^Map keys must be unique at line 10001, column 17:/,
      );
    });

    test('reports the first error first', () => {
      expect(messageOf(`a: [\n${map(10_000)}`)).not.toMatch(/unique/);
      expect(messageOf(`a: 1\na: 2\n${map(10_000)}b: [`)).toMatch(
        /^Map keys must be unique at line 2, column 1:/,
      );
    });

    test('has unique keys: keys are equal if they are the same string in JSON', () => {
      const same = (keys: string) => messageOf(`${map(10_000)}${keys}`);
      expect(same('1: a\n"1": b\n')).toMatch(/unique/);
      expect(same('1: a\n0x1: b\n')).toMatch(/unique/);
      expect(same('yes: a\n"true": b\n')).toMatch(/unique/);
      expect(same('yes: a\n"yes": b\n')).toBe('valid');
      expect(same('<<: {a: 1}\n<<: {b: 1}\n')).toBe('valid');
    });
  });

  test('a text over 10 MB is rejected with its size before it is parsed', () => {
    expect(messageOf('#'.repeat(11 * 1024 * 1024))).toBe(
      'This text has 11.0 MB, more than the maximum of 10 MB. Split it, or use kubectl.',
    );
  });

  test('a key named __proto__ stays an ordinary key', () => {
    const [value] = valuesOf('__proto__: {polluted: true}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('errors and notes of a text', () => {
  test('an error has a place, and its bare message quotes nothing', () => {
    const parsed = parseManifest('kind: Secret\ndata:\n  password: hunter2\n bad: [');
    expect(parsed).toMatchObject({ type: 'invalid', line: 4 });
    if (parsed.type !== 'invalid') return;
    expect(parsed.message).toContain('bad: [');
    expect(parsed.bare).toMatch(/^[^\n]* at line 4, column \d+$/);
    expect(parsed.bare).not.toContain('hunter2');
  });

  test.each([
    ['octal numbers', 'a: 1\nmode: 0440\nb: 089', ['Line 2: 0440 is octal and is sent as 288.']],
    [
      'other numbers that YAML 1.2 does not have',
      'a: 1_000\nb: 0b11',
      ['Line 1: 1_000 is sent as the number 1000.', 'Line 2: 0b11 is sent as the number 3.'],
    ],
    [
      'words of truth',
      'a: [yes, "no"]\nb: Off',
      ['Line 1: yes is sent as true. Put it in quotes', 'Line 2: Off is sent as false.'],
    ],
    [
      'keys',
      'on: 1\n0400: 2\n1.5: 3\n"off": 4',
      ['Line 1: the key on is sent as "true".', 'Line 2: the key 0400 is sent as "256".'],
    ],
    [
      'merge keys that replace what is written before',
      'a: &a {b: 1}\nc:\n  <<: *a\nd: {b: 2, <<: *a}',
      ['Line 4: << replaces the same keys that are written before it'],
    ],
    [
      'decimal numbers that look like modes',
      'defaultMode: 400\nitems: [{mode: 420}, {mode: 256}]\nmode: 0400\nreplicas: 400',
      ['Line 1: 400 is mode 0620. For mode 0400 write 0400.', 'Line 3: 0400 is octal and is sent as 256.'],
    ],
    ['tags that mean nothing', 'a: !!js/function "x"\nb: !Ref c', ['Line 1: this tag', 'Line 2: this tag']],
    ['nothing else', 'a: 0\nb: 0o440\nc: "0440"\nd: 10\ne: 2026-01-01\nf: no!\n"<<": 1\ng: 10:30', []],
  ])('%s are valid, with a note about the value that is sent', (_what, text, notes) => {
    const parsed = parseManifest(text);
    if (parsed.type !== 'valid') throw new Error('not valid');
    const said = parsed.documents[0]?.notes ?? [];
    expect(said).toHaveLength(notes.length);
    for (const [index, note] of notes.entries()) expect(said[index]).toContain(note);
  });

  test('a note never quotes a Secret, not even in a List', () => {
    const secret = 'stringData:\n    pin: 0471\n    yes: on\n    mode: 400\n    b: 1_000\n';
    for (const text of [`kind: Secret\n${secret}`, `kind: List\nitems:\n- kind: secret\n  ${secret}`]) {
      const parsed = parseManifest(text);
      if (parsed.type !== 'valid') throw new Error('not valid');
      expect(parsed.documents[0]?.notes).toHaveLength(4);
      expect(JSON.stringify(parsed.documents[0]?.notes)).not.toMatch(/471|1_000|1000|is sent as true/);
    }
  });

  test('each document has its line and its source text', () => {
    const text = 'a: 1 # one\n---\n# second\nb: 2\n---\nc: |\n  x\n';
    const parsed = parseManifest(text);
    if (parsed.type !== 'valid') throw new Error('not valid');
    expect(parsed.documents.map(({ line }) => line)).toEqual([1, 4, 6]);
    for (const { source, value } of parsed.documents) expect(valuesOf(source)).toEqual([value]);
  });

  test('a document with directives keeps them in its source text', () => {
    const parsed = parseManifest('%TAG ! tag:yaml.org,2002:\n---\na: !str 1\n');
    if (parsed.type !== 'valid') throw new Error('not valid');
    for (const { source, value } of parsed.documents) expect(valuesOf(source)).toEqual([value]);
  });

  test.each(['', 'abc', 'äöü', '€', '😀', 'a😀b€'])('the size of %j is its size in UTF-8', (text) => {
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
  });
});

function bomb(): string {
  const names = 'abcdefghij'.split('');
  return names
    .map((name, at) => {
      const items = at === 0 ? 'x' : `*${names[at - 1]}`;
      return `${name}: &${name} [${Array(9).fill(items).join(', ')}]\n`;
    })
    .join('');
}
