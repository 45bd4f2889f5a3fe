import { describe, expect, test } from 'vitest';
import { kinds } from '../commands/kinds/index.ts';
import { fileOf, importsOf, packageOf, sources, textOf } from './sources.ts';

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
  // What kinds share knows none of them.
  'commands/kinds/parts': ['src/contract', 'src/kube', 'src/registry'],
  'commands/kinds': ['src/contract', 'src/kube', 'src/registry', 'commands/kinds/parts'],
  commands: ['src/contract', 'src/kube', 'src/registry', 'commands/kinds/parts', 'commands/kinds'],
  'src/web': [
    'src/contract',
    'src/kube',
    'src/registry',
    'commands/kinds/parts',
    'commands/kinds',
    'commands',
  ],
  'src/server': ['src/contract', 'src/kube', 'src/registry', 'commands/kinds/parts', 'commands/kinds'],
  'src/playground': ['src/kube'],
  // Plugins of the page's build.
  'src/build': ['src/contract', 'src/registry', 'commands/kinds'],
};

/** Packages the pure layers may use. Everything else is React, DOM, Node or network. */
const purePackages = new Set(['zod', 'yaml', 'croner']);
const pureLayers = new Set([
  'src/contract',
  'src/kube',
  'src/registry',
  'commands/kinds/parts',
  'commands/kinds',
  'commands',
]);

const files = ['src', 'commands'].flatMap(sources);

describe('imports go one way', () => {
  test.each(Object.keys(mayImport))('%s imports only the layers below it', (layer) => {
    const wrong: string[] = [];
    for (const file of files.filter((name) => layerOf(name) === layer)) {
      for (const one of importsOf(file)) {
        const { target, dynamic } = one;
        const name = packageOf(one);
        if (name !== undefined) {
          if (pureLayers.has(layer) && !purePackages.has(name))
            wrong.push(`${file} imports the package ${target}`);
          continue;
        }
        const other = layerOf(fileOf(file, one));
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

/**
 * The floors of a part of the house, the lowest first: a folder imports its own floor's other folders never, lower floors
 * freely, types included. `.` stands for files directly in the part.
 */
const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'src/web': [
    ['core'],
    ['data', 'kit'],
    ['workspace'],
    ['keyboard', 'routing', 'yaml'],
    ['frame'],
    ['features/actions', 'features/editor', 'features/identity', 'features/metrics'],
    [
      'features/cells',
      'features/edit',
      'features/graph',
      'features/jobs',
      'features/logs',
      'features/namespaces',
      'features/attention',
      'features/notifications',
      'features/organisation',
      'features/palette',
      'features/subscription',
    ],
    ['features/compare', 'features/create', 'features/helm', 'features/terminal'],
    ['features/list'],
    ['features/detail'],
    ['shell'],
    ['app', 'screens'],
    ['.'],
  ],
  'src/server': [
    ['kit'],
    ['store'],
    ['duties', 'queue'],
    ['access', 'audit', 'mail', 'plans'],
    ['clusters', 'organisation', 'passkeys', 'recordings'],
    ['identity', 'objects', 'prometheus', 'webhooks'],
    ['billing', 'jobs', 'notifications', 'streams'],
    ['helm'],
    ['actions'],
    ['live', 'manifests'],
    ['compare', 'detection', 'diagnosis', 'fleet', 'logs', 'profile', 'readers', 'search', 'shells'],
    ['chat'],
    ['http'],
    ['routes'],
    ['boot'],
    ['.'],
  ],
  'src/server/live': [
    ['wire'],
    ['source'],
    ['feed'],
    ['definitions', 'joins', 'releases'],
    ['dashboard', 'graph', 'tallies'],
    ['cluster'],
    ['object'],
    ['page'],
  ],
  'src/registry': [['.'], ['kinds'], ['commands', 'custom-status', 'filter'], ['keys', 'palette']],
  'src/playground': [
    ['facts', 'kit'],
    ['registry'],
    ['store'],
    ['access', 'custom', 'fields', 'openapi'],
    ['admission', 'patch', 'tables'],
    ['objects'],
    ['life'],
    ['metrics'],
    ['api', 'seeds'],
    ['exec'],
    ['.'],
  ],
};

describe('folders stand on floors: imports lead down, so that no circle of folders can be', () => {
  test.each(Object.entries(floors))('%s', (part, levels) => {
    const folderOf = (file: string): string => {
      const [folder = '', inner = '', rest] = file.slice(part.length + 1).split('/');
      if (inner === '') return '.';
      return folder === 'features' && rest !== undefined ? `${folder}/${inner}` : folder;
    };
    const levelOf = (folder: string): number => levels.findIndex((level) => level.includes(folder));
    const within = files.filter((file) => file.startsWith(`${part}/`));
    const wrong = within.flatMap((file) =>
      importsOf(file)
        .filter((one) => packageOf(one) === undefined)
        .map((one) => fileOf(file, one))
        .filter((target) => target.startsWith(`${part}/`) && folderOf(target) !== folderOf(file))
        .filter((target) => levelOf(folderOf(target)) >= levelOf(folderOf(file)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
    const folders = [...new Set(within.map(folderOf))].sort();
    expect(folders.filter((folder) => levelOf(folder) < 0)).toEqual([]);
    expect(levels.flat().filter((folder) => folder !== '.' && !folders.includes(folder))).toEqual([]);
  });
});

test('rows of clusters in the page are written by what comes over the live socket alone', () => {
  const ofPage = files.filter((file) => file.startsWith('src/web/'));
  const writing = ofPage.filter((file) => /\bstore\.apply\(/.test(textOf(file)));
  expect(writing).toEqual(['src/web/data/live/rows.ts']);
  // A store of rows is made empty, by the live data, its views, and a list that waits for its rows.
  const making = ofPage.filter((file) => /\bnew RowStore\(/.test(textOf(file)));
  expect(making.toSorted()).toEqual([
    'src/web/data/live/rows.ts',
    'src/web/data/rows/view.ts',
    'src/web/features/list/use-arranged.ts',
  ]);
});

test('a route imports no table: what reads and writes rows is in the folder of its domain', () => {
  const importing = files
    .filter((file) => file.startsWith('src/server/routes/'))
    .filter((file) =>
      importsOf(file).some(
        (one) => packageOf(one) === 'drizzle-orm' || fileOf(file, one).startsWith('src/server/store/schema/'),
      ),
    );
  expect(importing).toEqual([]);
});

test('the server reads the time by its clock: no other file asks the machine for it', () => {
  const asking = files.filter((file) => file.startsWith('src/server/') && /\bDate\.now\b/.test(textOf(file)));
  expect(asking).toEqual(['src/server/kit/clock.ts']);
});

/**
 * What the playground may take from the console: types of objects and the grammar of the wire. Never a judgement (statuses,
 * ages, schedules, troubles): whatever the playground is the bench for, it must not be built from.
 */
const playgroundMayImport: readonly string[] = [
  'src/kube/core.ts',
  'src/kube/object.ts',
  'src/kube/owners.ts',
  'src/kube/quantity.ts',
  'src/kube/selector.ts',
  'src/kube/yaml/documents.ts',
  'src/kube/yaml/scalar-node.ts',
  'src/kube/yaml/value.ts',
  'src/kube/yaml/write.ts',
];

test('the playground shares types and grammar with the console, and none of its judgement', () => {
  const taken = files
    .filter((file) => file.startsWith('src/playground/'))
    .flatMap((file) => importsOf(file).map((one) => fileOf(file, one)))
    .filter((target) => target.startsWith('src/kube/'));
  expect([...new Set(taken)].sort()).toEqual(playgroundMayImport);
});

/** What a module brings into the page with it: by static imports alone, types left out. */
function reachedFrom(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const one of importsOf(file)) {
    if (one.dynamic || one.isType) continue;
    if (packageOf(one) !== undefined) found.add(one.target);
    else if (/\.tsx?$/.test(one.target)) reachedFrom(fileOf(file, one), found);
  }
  return found;
}

test('what asks for the first rows runs before everything else: it brings neither kinds nor packages', () => {
  const reached = [...reachedFrom('src/web/app/early.ts')].sort();
  expect(reached).toEqual([
    'src/contract/first-lists.ts',
    'src/contract/live-socket.ts',
    'src/web/app/early.ts',
    'src/web/core/state/columns-key.ts',
    'src/web/data/live/first-message.ts',
    'src/web/data/valid-user.ts',
  ]);
});

test('the page carries what lists need of the kinds as data; their code only behind a dynamic import', () => {
  const reached = new Set([
    ...reachedFrom('src/web/main.tsx'),
    ...reachedFrom('src/web/features/list/ListPage.tsx'),
  ]);
  const first = [...reached];
  expect(first).toContain('commands/kinds/first-facts.ts');
  expect(first.filter((file) => file.startsWith('commands/kinds/'))).toEqual([
    'commands/kinds/first-facts.ts',
  ]);
  expect(first).not.toContain('src/registry/kinds/kind.ts');
});

test('the page makes its calls by what is known of them as JSON: no schema of the contract is made before the first list', () => {
  const reached = [
    ...reachedFrom('src/web/main.tsx'),
    ...reachedFrom('src/web/features/list/ListPage.tsx'),
  ].filter((file) => file.startsWith('src/contract/'));
  expect(reached).toContain('src/contract/calls.ts');
  const making = reached.filter((file) =>
    importsOf(file).some((one) => !one.isType && packageOf(one) === 'zod'),
  );
  expect(making).toEqual([]);
});

test('development and production run the same modules: the build changes only icons and places in the editor’s library', () => {
  const having = (pattern: RegExp) => sources('src/build').filter((file) => pattern.test(textOf(file)));
  expect(having(/\b(?:load|resolveId)\b\s*[:(]/)).toEqual(['src/build/icon-sprite.ts']);
  expect(having(/\b(?:transform|renderChunk)\b\s*[:(]/).sort()).toEqual([
    'src/build/icon-sprite.ts',
    'src/build/monaco-policy.ts',
  ]);
  const config = textOf('vite.config.ts');
  expect(config).not.toMatch(/\b(?:load|resolveId|transform|renderChunk|generateBundle)\b\s*[:(]/);
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
  for (const file of own) expect(textOf(file)).toContain('...kubectlSchema');
});

/** Files with names of kinds that are no question about a kind, and what they are instead. */
const namesOfKinds: Readonly<Record<string, string>> = {
  'src/contract/fleet.ts': 'values of an API, of kinds that no declaration sets apart',
  'src/contract/usage.ts': 'values of an API; kinds declare theirs by its type',
  'src/web/kit/icons.tsx': 'names of icons',
  'src/server/chat/rules/question-words.ts': 'words of questions, in two languages',
};

test('a kind says in its file what its pages ask: no other file compares its id with a name or looks it up in a list', () => {
  const ids = kinds.map(({ id }) => `'${id}'`).join('|');
  const compared = new RegExp(
    String.raw`\b(?:\w*(?:[iI]d|[kK]ind)|name)\s*[!=]==\s*(?:${ids})|(?:${ids})\s*[!=]==\s*[\w.]*(?:[iI]d|[kK]ind)\b`,
  );
  const listed = new RegExp(String.raw`(?<![\w\])?.])\[\s*(?:${ids})\s*(?:,\s*(?:${ids})\s*)*,?\s*\]`);
  const keyed = new RegExp(
    String.raw`^ *(?:${ids.replaceAll("'", '')}): .*\n *(?:${ids.replaceAll("'", '')}): `,
    'm',
  );
  const outside = files.filter(
    (file) => !file.startsWith('commands/kinds/') && !file.startsWith('src/playground/'),
  );
  const found = outside.filter((file) =>
    [compared, listed, keyed].some((pattern) => pattern.test(textOf(file))),
  );
  expect(found).toEqual(Object.keys(namesOfKinds));
});

test('nothing depends on the folders beside the checkout', () => {
  const text = [...files, ...sources('tests')].filter((file) => file !== 'tests/architecture.test.ts');
  expect(text.filter((file) => /(\.\.\/)+shared\/(wire|look|anchors)/.test(textOf(file)))).toEqual([]);
});

/** Where each package of the design card does its work: there it is imported, and nowhere else. */
const homes: Readonly<Record<string, readonly string[]>> = {
  '@legendapp/state': ['src/web/core/state/'],
  '@tanstack/react-router': ['src/web/routing/', 'src/web/app/Drawing.tsx'],
  '@tanstack/router-core': ['src/web/routing/'],
  cmdk: ['src/web/features/palette/'],
  'react-mosaic-component': ['src/web/shell/', 'src/web/workspace/'],
  '@tanstack/react-virtual': ['src/web/'],
  '@tanstack/react-query': ['src/web/'],
  'monaco-editor': ['src/web/features/editor/monaco/'],
  '@xterm/xterm': ['src/web/features/terminal/'],
  '@xyflow/react': ['src/web/features/graph/'],
};

describe('a package that carries a part of the page is imported by that part alone', () => {
  test.each(Object.entries(homes))('%s: %s', (name, folders) => {
    const importing = files.filter((file) => importsOf(file).some((one) => packageOf(one) === name));
    const isAtHome = (file: string) => folders.some((folder) => file.startsWith(folder));
    expect(importing.filter(isAtHome)).not.toEqual([]);
    expect(importing.filter((file) => !isAtHome(file))).toEqual([]);
  });

  test('tailwindcss: the page’s style sheet', () => {
    expect(textOf('src/web/styles/index.css')).toMatch(/@import ['"]tailwindcss\b/);
  });
});

/**
 * Elements that understand keys of their own while they have the focus: fields whose Enter, Esc and arrows lead on, and
 * what ARIA gives keys (tabs, separators, sliders, trees, lists to choose from). Everything else is a command.
 */
const ownKeys: readonly string[] = [
  'src/web/features/logs/LogSearch.tsx',
  // Keeps the keys that a library binds from it.
  'src/web/features/palette/PaletteCommand.tsx',
  'src/web/features/palette/PaletteField.tsx',
  'src/web/features/list/FilterField.tsx',
  'src/web/features/detail/FieldTree.tsx',
  'src/web/features/metrics/UsageChart.tsx',
  'src/web/shell/TabBar.tsx',
  // Enter asks, Shift+Enter begins a line.
  'src/web/screens/Chat/AskForm.tsx',
  'src/web/kit/NumberField.tsx',
  'src/web/kit/PickMany.tsx',
  'src/web/kit/PickerMenu.tsx',
  'src/web/kit/Select.tsx',
  'src/web/kit/toast/Toasts.tsx',
  'src/web/shell/Boundaries.tsx',
  // Over the page Esc closes it.
  'src/web/shell/Sidebar.tsx',
];

test('answers from outside are read by code that asks for gzip alone: nothing decodes Brotli, or fetches by itself', () => {
  const server = files.filter((file) => file.startsWith('src/server/'));
  const decodes = /brotliDecompress|createUnzip|\bunzipSync|DecompressionStream|zstdDecompress/i;
  expect(server.filter((file) => decodes.test(textOf(file)))).toEqual([]);
  // Their fetch decodes whatever is sent, whatever was asked for.
  const own = /(?<![.\w#])fetch\(|\bglobalThis\.fetch\(/;
  expect(server.filter((file) => own.test(textOf(file)))).toEqual(fetchByWay);
  const undici = server.filter((file) =>
    importsOf(file).some((one) => one.target === 'undici' && !one.isType),
  );
  expect(undici).toEqual(sendsByUndici);
});

test('a window that the page opens does not reach the page', () => {
  const opening = files.filter(
    (file) => file.startsWith('src/web/') && /\bwindow\.open\(/.test(textOf(file)),
  );
  const reachable = opening.filter((file) => {
    const calls = [...textOf(file).matchAll(/\bwindow\.open\([^\n]*/g)].map(([call]) => call);
    const disowned = textOf(file).match(/\bopened\.opener = null;/g)?.length ?? 0;
    return calls.filter((call) => !call.includes("'noopener")).length > disowned;
  });
  expect(opening.length).toBeGreaterThan(2);
  expect(reachable).toEqual([]);
});

/** Files whose `fetch` is the guarded one, by parameter or variable. */
const fetchByWay = [
  'src/server/billing/chargebee.ts',
  'src/server/identity/client.ts',
  'src/server/identity/guarded-fetch.ts',
];

/** The files that send requests, none by undici's own `fetch`. A new one has to judge `content-encoding` by `isGzip`. */
const sendsByUndici = [
  'src/server/clusters/address.ts',
  'src/server/clusters/connections.ts',
  'src/server/clusters/tls-connect.ts',
  'src/server/identity/guarded-fetch.ts',
  'src/server/prometheus/ask.ts',
  'src/server/webhooks/post.ts',
];

test('every proof by number takes its size from prove.ts, by which `npm run prove` finds it', () => {
  const own = sources('tests').filter(
    (file) =>
      !/(?:^|\/)(?:prove|prove-run|architecture\.test)\.ts$/.test(file) &&
      /process\.env(?:\.|\[')PROVE/.test(textOf(file)),
  );
  expect(own).toEqual([]);
});

test('no dialog has a select or a number spinner of the browser’s own', () => {
  const web = files.filter((file) => file.startsWith('src/web/'));
  const having = (pattern: RegExp) => web.filter((file) => pattern.test(textOf(file))).sort();
  // A log's bar and the graph's own on a narrow screen are no dialogs.
  expect(having(/<NativeSelect\b/)).toEqual([
    'src/web/features/logs/LogControls.tsx',
    'src/web/screens/Graph/Screen.tsx',
    'src/web/screens/Tests/Tokens.tsx',
  ]);
  expect(having(/<select\b/)).toEqual(['src/web/kit/input.tsx']);
  expect(having(/type="number"|type: 'number',?\s*\/>/)).toEqual([]);
});

test('times are written by one file, on 24 hours in every language', () => {
  const writing = files.filter(
    (file) =>
      file.startsWith('src/web/') &&
      /\.toLocaleTimeString\(|\.toLocaleString\((?:\)|\[\]|undefined)/.test(textOf(file)),
  );
  expect(writing).toEqual(['src/web/kit/date-time.ts']);
});

test('no component listens for keys: the dispatcher alone does, and what has keys of its own is named', () => {
  const web = files.filter((file) => file.startsWith('src/web/'));
  const having = (pattern: RegExp) => web.filter((file) => pattern.test(textOf(file))).sort();
  expect(having(/addEventListener\(\s*['"`]key|\.onkey(?:down|up|press)\b/)).toEqual([
    'src/web/keyboard/dispatcher.ts',
    // Where Space is released, which presses a button; keys that are pressed come from the dispatcher.
    'src/web/kit/dialog-guard.ts',
  ]);
  expect(having(/\bonKey(?:Down|Up|Press)(?:Capture)?\b/).filter((file) => !ownKeys.includes(file))).toEqual(
    [],
  );
});

test('the library of observables is imported by one file, whose cells everything else uses', () => {
  const importing = files.filter((file) =>
    importsOf(file).some(({ target }) => target.startsWith('@legendapp/state')),
  );
  expect(importing).toEqual(['src/web/core/state/state.ts']);
});

test('the library of tiles is imported by what draws and drags them, which the first list does without', () => {
  const importing = files.flatMap((file) =>
    importsOf(file)
      .filter(({ target, isType }) => !isType && /^react-(mosaic-component|dnd)/.test(target))
      .map(() => file),
  );
  expect([...new Set(importing)].sort()).toEqual([
    'src/web/shell/MosaicFrame.tsx',
    'src/web/shell/handles.tsx',
  ]);
});
