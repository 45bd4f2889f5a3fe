import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kindById, kinds } from '../../commands/kinds/index.ts';
import { root, sources } from '../sources.ts';
import { expectedKinds } from './expected.ts';

/** Files beside the kind files; `parts` is a folder. */
const machinery = ['index', 'list', 'custom', 'facts', 'first-facts', 'first-lists'];
const declared = sources('commands/kinds')
  .filter((file) => !file.startsWith('commands/kinds/parts/'))
  .map((file) => basename(file, '.ts'))
  .filter((name) => !machinery.includes(name));

describe('a kind has a file, a line in the list, a sample and expectations', () => {
  test.each(declared)('%s', (id) => {
    const sample = `tests/kinds/samples/${id}.yaml`;
    const missing = [
      ...(kindById(id) === undefined
        ? [`commands/kinds/list.ts: add "export { ${id} } from './${id}.ts';", then run npm run first`]
        : []),
      ...(existsSync(join(root, sample))
        ? []
        : [`${sample}: write a healthy object called sample, then one for each rule, called as the rule`]),
      ...(expectedKinds[id] === undefined
        ? [`tests/kinds/expected.yaml: add the row ${id}, with the permissions of the specification`]
        : []),
    ];
    expect(missing).toEqual([]);
  });

  test('every kind has the name of its file', () => {
    expect(kinds.map(({ id }) => id).filter((id) => !declared.includes(id))).toEqual([]);
  });
});
