import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kinds } from '../commands/kinds/index.ts';

const root = resolve(import.meta.dirname, '..');

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name));
}

interface Import {
  readonly target: string;
  readonly dynamic: boolean;
  /** Gone before anything runs. */
  readonly isType: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found: Import[] = [];
  for (const match of text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g,
  )) {
    const isType = /^\s*(?:import|export) type\b/.test(match[0]);
    found.push({ target: match[1] ?? match[2] ?? '', dynamic: false, isType });
  }
  for (const match of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) {
    found.push({ target: match[1] ?? '', dynamic: true, isType: false });
  }
  return found;
}

/** The layer of a path, by its longest folder in the table below. */
function layerOf(path: string): string | undefined {
  return Object.keys(mayImport)
    .filter((layer) => path === layer || path.startsWith(`${layer}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** Which layers each layer may import, besides itself: `contract ← kube ← registry ← commands/kinds ← …`. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/contract': [],
  'src/kube': ['src/contract'],
  'src/registry': ['src/contract', 'src/kube'],
  'commands/kinds': ['src/contract', 'src/kube', 'src/registry'],
  commands: ['src/contract', 'src/kube', 'src/registry', 'commands/kinds'],
  'src/web': ['src/contract', 'src/kube', 'src/registry', 'commands/kinds', 'commands'],
  'src/server': ['src/contract', 'src/kube', 'src/registry', 'commands/kinds'],
  'src/playground': ['src/kube'],
};

/** Packages the pure layers may use. Everything else is React, DOM, Node or network. */
const purePackages = new Set(['zod', 'yaml', 'croner']);
const pureLayers = new Set(['src/contract', 'src/kube', 'src/registry', 'commands/kinds', 'commands']);

const files = ['src', 'commands'].flatMap(sources);

describe('imports go one way', () => {
  test.each(Object.keys(mayImport))('%s imports only the layers below it', (layer) => {
    const wrong: string[] = [];
    for (const file of files.filter((name) => layerOf(name) === layer)) {
      for (const { target, dynamic } of importsOf(file)) {
        if (!target.startsWith('.')) {
          const name = target.startsWith('@')
            ? target.split('/').slice(0, 2).join('/')
            : (target.split('/')[0] ?? '');
          if (pureLayers.has(layer) && !purePackages.has(name))
            wrong.push(`${file} imports the package ${target}`);
          continue;
        }
        const other = layerOf(relative(root, resolve(root, dirname(file), target)));
        if (other === undefined || other === layer) continue;
        // Screens are reached from the commands by dynamic import only.
        if (layer === 'commands' && other === 'src/web' && dynamic) continue;
        if (!(mayImport[layer] ?? []).includes(other)) wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('every source file belongs to a layer', () => {
    expect(files.filter((file) => layerOf(file) === undefined)).toEqual([]);
  });
});

test('the page carries what lists need of the kinds; their actions and code only behind a dynamic import', () => {
  const reached = new Map<string, string>();
  const isData = (file: string) => /^commands\/kinds\/first-(facts|lists)\.ts$/.test(file);
  const walk = (file: string, from: string): void => {
    if (reached.has(file)) return;
    reached.set(file, from);
    // The build puts data in the place of these modules.
    if (isData(file)) return;
    for (const { target, dynamic, isType } of importsOf(file)) {
      if (!target.startsWith('.') || !/\.tsx?$/.test(target)) continue;
      // The list is the first screen: it counts like the entry.
      if (dynamic && !target.endsWith('/resource/ListPage.tsx')) continue;
      if (!isType) walk(relative(root, resolve(root, dirname(file), target)), file);
    }
  };
  walk('src/web/main.tsx', '');
  expect(reached.has('src/web/resource/ListPage.tsx')).toBe(true);
  const code = [...reached].filter(([file]) => file.startsWith('commands/kinds/') && !isData(file));
  expect(code).toEqual([]);
});

/** Who reads and writes YAML by the library itself. Everybody else does it by kubectl's rules, through `src/kube`. */
const yamlFolders = ['src/kube/yaml/'];
const yamlFiles: readonly string[] = [
  'src/kube/field-place.ts',
  'src/kube/manifest-notes.ts',
  'src/kube/manifest.ts',
  'src/kube/patch-text.ts',
  // Go's own sentences for what is wrong, and kubeconfigs without anchors, tags and directives.
  'src/playground/api/yaml.ts',
  'src/server/clusters/strict-yaml.ts',
  // Counts tokens and reads no values.
  'src/server/manifests/tokens.ts',
];

test('what reaches a cluster is read and written by one YAML: only its own files import the library', () => {
  const importing = files.filter((file) => importsOf(file).some(({ target }) => /^yaml(\/|$)/.test(target)));
  expect(importing.filter((file) => !yamlFolders.some((folder) => file.startsWith(folder))).sort()).toEqual(
    yamlFiles,
  );
  const own = ['src/playground/api/yaml.ts', 'src/server/clusters/strict-yaml.ts'];
  for (const file of own) expect(readFileSync(join(root, file), 'utf8')).toContain('...kubectlSchema');
});

test('every kind file is listed in the index, once', () => {
  const declared = sources('commands/kinds')
    .map((file) => relative('commands/kinds', file).replace(/\.ts$/, ''))
    .filter((name) => !['index', 'list', 'custom', 'facts', 'action-facts'].includes(name))
    .filter((name) => !name.startsWith('first-'));
  expect(kinds.map((kind) => kind.id).sort()).toEqual(declared.sort());
});

test('nothing depends on the folders beside the checkout', () => {
  const text = [...files, ...sources('tests')].filter((file) => file !== 'tests/architecture.test.ts');
  expect(
    text.filter((file) =>
      /(\.\.\/)+shared\/(wire|look|anchors)/.test(readFileSync(join(root, file), 'utf8')),
    ),
  ).toEqual([]);
});

/**
 * Elements that understand keys of their own while they have the focus: fields whose Enter, Esc and arrows lead on, and
 * what ARIA gives keys (tabs, separators, trees, lists to choose from). Everything else is a command.
 */
const ownKeys: readonly string[] = [
  'src/web/logs/LogSearch.tsx',
  'src/web/palette/PaletteField.tsx',
  'src/web/resource/ListTools.tsx',
  'src/web/resource/detail/FieldTree.tsx',
  'src/web/shell/TabBar.tsx',
  'src/web/ui/NumberField.tsx',
  'src/web/ui/PickerMenu.tsx',
  'src/web/ui/Select.tsx',
  'src/web/ui/toast/Toasts.tsx',
  'src/web/workspace/Boundaries.tsx',
];

test('no dialog has a select or a number spinner of the browser’s own', () => {
  const web = files.filter((file) => file.startsWith('src/web/'));
  const having = (pattern: RegExp) =>
    web.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8'))).sort();
  // A log's bar and the graph's own on a narrow screen are no dialogs.
  expect(having(/<select\b/)).toEqual(['src/web/logs/LogControls.tsx', 'src/web/screens/Graph/Screen.tsx']);
  expect(having(/type="number"|type: 'number',?\s*\/>/)).toEqual([]);
});

test('no component listens for keys: the dispatcher alone does, and what has keys of its own is named', () => {
  const web = files.filter((file) => file.startsWith('src/web/'));
  const having = (pattern: RegExp) =>
    web.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8'))).sort();
  expect(having(/addEventListener\(\s*['"`]key|\.onkey(?:down|up|press)\b/)).toEqual([
    'src/web/keyboard/dispatcher.ts',
  ]);
  expect(having(/\bonKey(?:Down|Up|Press)(?:Capture)?\b/).filter((file) => !ownKeys.includes(file))).toEqual(
    [],
  );
});
