import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kindById, kinds } from '../../commands/kinds/index.ts';
import { root, sources, textOf } from '../sources.ts';
import { expectedKinds } from './expected.ts';

/** Files beside the kind files; `parts` is a folder. */
const machinery = ['index', 'list', 'custom', 'facts', 'first-facts', 'first-lists', 'later-facts'];
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

  test('the decision on permissions names every kind in its table', () => {
    const file = 'docs/decisions/0012-permissions.md';
    const cells = [...textOf(file).matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
      cell.split(/[,;] /),
    );
    const names = cells.map((cell) => cell.trim().replace('Helm release', 'Release'));
    expect(
      kinds.map(({ kind }) => kind).filter((kind) => !names.includes(kind)),
      `${file}: add the kind to the row of its permissions`,
    ).toEqual([]);
  });

  test('every kind has the name of its file', () => {
    expect(kinds.map(({ id }) => id).filter((id) => !declared.includes(id))).toEqual([]);
  });
});
