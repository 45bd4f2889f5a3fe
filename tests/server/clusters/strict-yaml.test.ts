import { describe, expect, test } from 'vitest';
import { parseStrictYaml } from '../../../src/server/clusters/strict-yaml.ts';

const read = (text: string) => parseStrictYaml(text, 10_000, 'The kubeconfig');

describe('a text of one document', () => {
  test.each([
    'kind: Config\n',
    'kind: Config\n...\n',
    'kind: Config\n...',
    'kind: Config\n---\n',
    'kind: Config\n---',
    'kind: Config\n---\n# nothing\n\n',
    'kind: Config\n...\n---\n...\n',
    '---\nkind: Config\n...\n',
    '---\n---\nkind: Config\n',
    '# a comment\n---\nkind: Config\n',
    '{"kind": "Config"}\n---\n',
    'kind: Config\n---\nnull\n',
    'kind: Config\r\n---\r\nnull\r\n',
    'kind: Config\n--- ~\n',
    'kind: Config\n---\n{} # nothing\n...\n---\n',
  ])('may begin and end with the marks of empty ones: %j', (text) =>
    expect(read(text)).toEqual({ kind: 'Config' }),
  );

  test.each([
    'kind: Config\n---\nkind: Config\n',
    'kind: Config\n...\nkind: Config\n',
    'kind: Config\n---\n"a"\n',
    'kind: Config\n---\n[]\n',
    'kind: Config\n---\nnull\n---\na: 1\n',
    'kind: Config\n---\n{a: 1}\n',
    'kind: Config\n---\n|\n a\n',
    'kind: Config\n---\n---\na\n',
  ])('has no other one: %j', (text) => expect(() => read(text)).toThrow(/more than one document/));
});
