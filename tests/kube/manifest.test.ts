import { describe, expect, test } from 'vitest';
import { deepestManifest, documentsLimit, parseManifest, utf8Length } from '../../src/kube/manifest.ts';

const valuesOf = (text: string) => {
  const parsed = parseManifest(text);
  if (parsed.type !== 'valid') throw new Error(`Not valid: ${JSON.stringify(parsed)}`);
  return parsed.documents.map(({ value }) => value);
};
const messageOf = (text: string) => {
  const parsed = parseManifest(text);
  return parsed.type === 'invalid' ? parsed.message : parsed.type;
};

describe('what a text is', () => {
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
    ['with Windows line ends', 'kind: Pod\r\nn: 1\r\n', [{ kind: 'Pod', n: 1 }]],
    ['a document that says null', 'null', [null]],
    ['several documents', 'a: 1\n---\nb: 2\n', [{ a: 1 }, { b: 2 }]],
    ['empty documents between', '---\n---\na: 1\n---\n# none\n---\nb: 2\n...\n', [{ a: 1 }, { b: 2 }]],
    ['yes and no are texts, as YAML 1.2 has them', 'country: no', [{ country: 'no' }]],
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
    ['an alias to nothing', 'a: *nobody', /Unresolved alias.*nobody/],
    ['an error in the second document', 'a: 1\n---\nb: [', /at line 3/],
    ['an alias bomb', bomb(), /Excessive alias count/],
    ['a NUL character', 'a: \0', /NUL characters: it is no UTF-8/],
    ['wrongly decoded text', 'a: caf\u{FFFD}', /could not be decoded/],
    ['half of a character', 'a: \uD800', /half of a character.*no UTF-8/],
    ['half of a character, escaped', String.raw`a: "\uD83D"`, /half of a character/],
    ['half of a character in a key', String.raw`"\uD83D": 1`, /half of a character/],
    ['infinity', 'a: .inf', /JSON has no number/],
    ['a number that would lose digits', 'a: 12345678901234567890', /more digits than can be kept/],
    ['a tag of YAML 1.1', '%YAML 1.1\n---\na: !!binary aGVsbG8=', /A YAML tag/],
    ['too many documents', '---\na: 1\n'.repeat(documentsLimit + 1), /more than 500 documents/],
  ])('%s is invalid, in words', (_what, text, message) => {
    expect(messageOf(text)).toMatch(message);
  });

  test.each([
    ['lists', '['.repeat(5_000)],
    ['closed lists', '['.repeat(1_000) + ']'.repeat(1_000)],
    ['items', '- '.repeat(1_000) + 'a'],
    ['maps', Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
  ])('deeply nested %s are refused in words, without a crash', (_what, text) => {
    expect(messageOf(text)).not.toMatch(/call stack/);
    expect(parseManifest(text).type).toBe('invalid');
  });

  test('maps that are nested deeper than the library’s stack are refused as nested too deeply', () => {
    const text = Array.from({ length: 3_000 }, (_, at) => `${' '.repeat(at)}a:\n`).join('');
    expect(messageOf(text)).toBe('This text is nested too deeply: more than 200 levels are not read.');
  });

  test.each(['\u0085', '\u2028', '\u2029'])('a text with the line end %j has a hint to it', (end) => {
    expect(parseManifest(`kind: Pod${end}metadata: {name: x}`)).toMatchObject({
      type: 'invalid',
      hint: expect.stringMatching(/line ends that YAML does not know/),
    });
    expect(parseManifest(`kind: "a${end}b"`)).toMatchObject({ type: 'valid' });
    expect(parseManifest('a: [')).not.toHaveProperty('hint');
  });

  test('levels up to the limit are read', () => {
    const depth = deepestManifest - 1;
    expect(parseManifest('['.repeat(depth) + ']'.repeat(depth)).type).toBe('valid');
  });

  describe('a large text', () => {
    const map = (keys: number) =>
      Array.from({ length: keys }, (_, at) => `key-${at}: value ${at}\n`).join('');

    test('of one map takes as long as its length, not as the square of it', () => {
      const time = (text: string) => {
        const start = process.cpuUsage();
        expect(parseManifest(text).type).toBe('valid');
        return process.cpuUsage(start).user / 1_000;
      };
      time(map(5_000));
      const [short, long] = [time(map(5_000)), time(map(40_000))];
      // Eight times the keys took 64 times as long.
      expect(long).toBeLessThan(Math.max(30 * short, 1_000));
    });

    test('has its double keys told by their place, in the library’s words', () => {
      const text = `${map(10_000)}key-7: again\n`;
      expect(parseManifest(text)).toMatchObject({
        type: 'invalid',
        message: 'Map keys must be unique at line 10001, column 1',
        line: 10_001,
        column: 1,
      });
      expect(messageOf(`${map(10_000)}in: {a: [{b: 1, b: 2}]}\n`)).toBe(
        'Map keys must be unique at line 10001, column 17',
      );
    });

    test('has what is wrong first told first', () => {
      expect(messageOf(`a: [\n${map(10_000)}`)).not.toMatch(/unique/);
      expect(messageOf(`a: 1\na: 2\n${map(10_000)}b: [`)).toBe('Map keys must be unique at line 2, column 1');
    });

    test('is as valid as the library has it: equal are keys of one value, not of one text', () => {
      const same = (keys: string) => messageOf(`${map(10_000)}${keys}`);
      expect(same('1: a\n"1": b\n')).toBe('valid');
      expect(same('1: a\n0x1: b\n')).toMatch(/unique/);
      expect(same('~: a\nnull: b\n')).toMatch(/unique/);
      expect(same('? [a]\n: 1\n? [a]\n: 2\n')).toBe('valid');
    });
  });

  test('a text over 10 MB is refused before it is parsed, with its size', () => {
    expect(messageOf('#'.repeat(11 * 1024 * 1024))).toBe(
      'This text has 11.0 MB, more than the 10 MB that are read here. Split it, or use kubectl.',
    );
  });

  test('a key named __proto__ stays a key', () => {
    const [value] = valuesOf('__proto__: {polluted: true}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('what is told of a text', () => {
  test('an error says its place, and its bare words quote nothing', () => {
    const parsed = parseManifest('kind: Secret\ndata:\n  password: hunter2\n bad: [');
    expect(parsed).toMatchObject({ type: 'invalid', line: 4 });
    if (parsed.type !== 'invalid') return;
    expect(parsed.message).toContain('bad: [');
    expect(parsed.bare).toMatch(/^[^\n]* at line 4, column \d+$/);
    expect(parsed.bare).not.toContain('hunter2');
  });

  test.each([
    ['octal numbers', 'a: 1\nmode: 0440', ['Line 2: a number that begins with 0 is decimal here']],
    [
      'words of truth',
      'a: [yes, "no"]\nb: Off',
      ['Line 1: yes, no, on and off', 'Line 2: yes, no, on and off'],
    ],
    ['merge keys', 'a: &a {b: 1}\nc:\n  <<: *a', ['Line 3: << merges nothing here']],
    ['tags that mean nothing', 'a: !!js/function "x"\nb: !Ref c', ['Line 1: this tag', 'Line 2: this tag']],
    ['nothing else', 'a: 0\nb: 0o440\nc: "0440"\nd: 10\ne: 2026-01-01\nf: no!\n"<<": 1\n0777: key', []],
  ])('%s are valid, and it is said where kubectl reads them otherwise', (_what, text, notes) => {
    const parsed = parseManifest(text);
    if (parsed.type !== 'valid') throw new Error('not valid');
    const said = parsed.documents[0]?.notes ?? [];
    expect(said).toHaveLength(notes.length);
    for (const [index, note] of notes.entries()) expect(said[index]).toContain(note);
  });

  test('a note never quotes the text', () => {
    const parsed = parseManifest('kind: Secret\nstringData:\n  pin: 0471\n');
    if (parsed.type !== 'valid') throw new Error('not valid');
    expect(parsed.documents[0]?.notes).toHaveLength(1);
    expect(JSON.stringify(parsed.documents[0]?.notes)).not.toContain('471');
  });

  test('each document has its line and the text that it was read from', () => {
    const text = 'a: 1 # one\n---\n# second\nb: 2\n---\nc: |\n  x\n';
    const parsed = parseManifest(text);
    if (parsed.type !== 'valid') throw new Error('not valid');
    expect(parsed.documents.map(({ line }) => line)).toEqual([1, 4, 6]);
    for (const { source, value } of parsed.documents) expect(valuesOf(source)).toEqual([value]);
  });

  test('a document with directives keeps them in its own text', () => {
    const parsed = parseManifest('%TAG ! tag:yaml.org,2002:\n---\na: !str 1\n');
    if (parsed.type !== 'valid') throw new Error('not valid');
    for (const { source, value } of parsed.documents) expect(valuesOf(source)).toEqual([value]);
  });

  test.each(['', 'abc', 'äöü', '€', '😀', 'a😀b€'])('the size of %j is that of its UTF-8', (text) => {
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
