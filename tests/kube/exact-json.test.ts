import { describe, expect, test } from 'vitest';
import { editable } from '../../src/kube/editable.ts';
import { parseExactJson } from '../../src/kube/exact-json.ts';
import { diffJson, isSame } from '../../src/kube/json-diff.ts';
import { compileJsonPath } from '../../src/kube/json-path.ts';
import { parseManifest } from '../../src/kube/manifest.ts';
import { writeYaml } from '../../src/kube/yaml/write.ts';

const text =
  '{"id":9007199254740993,"max":9223372036854775807,"acct":1234567890123456789,"least":-9223372036854775808,"list":[9007199254740993,1]}';

describe('whole numbers beyond those of a double', () => {
  test('are parsed and written as they are', () => {
    const value = parseExactJson(text);
    expect(value).toMatchObject({
      id: 9007199254740993n,
      max: 9223372036854775807n,
      list: [9007199254740993n, 1],
    });
    expect(JSON.stringify(value)).toBe(text);
    expect(JSON.stringify(structuredClone(value))).toBe(text);
    expect(JSON.stringify(editable(value as Readonly<Record<string, unknown>>))).toBe(text);
  });

  test.each(['1', '-1', '9007199254740991', '1.5', '1e30', '12345678901234567.5', '"9007199254740993"'])(
    'leave other values as they were: %s',
    (one) => {
      expect(parseExactJson(`{"a":${one}}`)).toEqual({ a: JSON.parse(one) as unknown });
      expect(parseExactJson(one)).toEqual(JSON.parse(one));
    },
  );

  test('are the same in YAML, both ways', () => {
    const yaml = writeYaml({ spec: parseExactJson(text) });
    expect(yaml).toContain('id: 9007199254740993\n');
    expect(yaml).toContain('max: 9223372036854775807\n');
    const read = parseManifest(yaml);
    if (read.type !== 'valid') throw new Error(read.type);
    expect(JSON.stringify(read.documents[0]?.value)).toBe(`{"spec":${text}}`);
    expect(
      parseManifest('spec: {id: 9007199254740993, big: 18446744073709551615, hex: 0x20000000000001}'),
    ).toMatchObject({
      documents: [
        { value: { spec: { id: 9007199254740993n, big: 18446744073709551615n, hex: 9007199254740993n } } },
      ],
    });
  });

  test('differ by their last digit, and change alone', () => {
    expect(isSame(9007199254740993n, 9007199254740993n)).toBe(true);
    expect(isSame(9007199254740993n, 9007199254740992n)).toBe(false);
    const before = parseExactJson('{"a":9007199254740993,"b":1}');
    const after = parseExactJson('{"a":9007199254740994,"b":1}');
    expect(diffJson(before, after)).toEqual([{ op: 'replace', path: ['a'], value: 9007199254740994n }]);
  });

  test('are found by JSONPath', () => {
    expect(compileJsonPath('.max')?.read(parseExactJson(text))).toEqual([9223372036854775807n]);
  });
});
