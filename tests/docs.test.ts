import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type QuotedTest, quotedTexts, testedRows } from './quoted-tests.ts';
import { root, sources, textOf } from './sources.ts';

const documents = [
  'README.md',
  '.github/SECURITY.md',
  'src/playground/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort(),
];

/** The text of a document without what stands in it as code. */
const proseOf = (file: string): string => textOf(file).replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, '');

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): ReadonlySet<string> {
  const text = textOf(file).replaceAll(/^```[^]*?^```/gm, '');
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

/** What is wrong with a link of a document; undefined for one that leads somewhere, or out of the repository. */
function faultOf(file: string, link: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
  if (target.startsWith('..')) return `${link} leads out of the repository`;
  if (!existsSync(join(root, target))) return `${link} leads to no file`;
  if (anchor === undefined) return undefined;
  if (!target.endsWith('.md')) return `${link} names a heading of a file that has none`;
  return anchorsOf(target).has(anchor) ? undefined : `${link} names no heading of ${target}`;
}

describe('the links of the documents lead to files and headings that exist', () => {
  test.each(documents)('%s', (file) => {
    const links = [...proseOf(file).matchAll(/\]\(\s*<?([^)\s>]+)/g)].map(([, link = '']) => link);
    expect(links.map((link) => faultOf(file, link)).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test.each(documents)('%s: the number of a decision is the number of the file behind it', (file) => {
    const wrong = [...proseOf(file).matchAll(/\[(\d{4})\]\(([^)]+)\)/g)].filter(
      ([, number = '', link = '']) => !basename(link).startsWith(`${number}-`),
    );
    expect(wrong.map(([link]) => link)).toEqual([]);
  });
});

/** Documents that tell how things are now: those of decisions tell how they were when it was decided. */
const current = documents.filter((file) => !file.startsWith(join('docs', 'decisions')));

describe('the files and folders that the documents name exist', () => {
  test.each(current)('%s', (file) => {
    const named = [...textOf(file).matchAll(/`((?:src|commands|tests|docs)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

test('the tests of a table are its titles, each with the file named before it', () => {
  const table = [
    '| Trap | Test, in `tests/server/` |',
    '| ---- | ----------------------- |',
    '| "One" `a.test.ts` | `live/a.test.ts`: "is one", "is two" |',
    '| Another | the same: "is three"; `tests/web/b.test.ts` |',
    '',
    '| Kind | To view |',
    '| ---- | ------- |',
    '| Pod | "is none" |',
  ].join('\n');
  expect(testedRows(table)).toEqual([
    {
      claim: '"One" `a.test.ts`',
      tests: [
        { file: 'tests/server/live/a.test.ts', title: undefined },
        { file: 'tests/server/live/a.test.ts', title: 'is one' },
        { file: 'tests/server/live/a.test.ts', title: 'is two' },
      ],
    },
    {
      claim: 'Another',
      tests: [
        { file: 'tests/server/live/a.test.ts', title: 'is three' },
        { file: 'tests/web/b.test.ts', title: undefined },
      ],
    },
  ]);
});

describe('a test that a table of a document names exists in the file that it names', () => {
  /** The fault of a reference to a test, as a sentence; undefined for a test that exists. */
  function faultOfTest({ file, title }: QuotedTest): string | undefined {
    if (!existsSync(join(root, file))) return `There is no ${file || 'file before'} “${title ?? ''}”`;
    if (title === undefined) return undefined;
    const texts = quotedTexts(textOf(file));
    const hasAll = title.split(/ ?… ?/).every((part) => texts.includes(part));
    return hasAll ? undefined : `${file} has no test “${title}”`;
  }

  test.each(documents.filter((file) => testedRows(textOf(file)).length > 0))('%s', (file) => {
    const named = testedRows(textOf(file)).flatMap(({ tests }) => tests);
    expect(named.flatMap((one) => faultOfTest(one) ?? [])).toEqual([]);
  });

  test.each(documents.filter((file) => file.startsWith(join('docs', 'laws'))))(
    '%s: each law names a test by its title',
    (file) => {
      const rows = testedRows(textOf(file));
      expect(rows.length).toBeGreaterThan(9);
      expect(rows.filter(({ tests }) => !tests.some(({ title }) => title !== undefined))).toEqual([]);
    },
  );
});

describe('every file that a document names without a folder exists', () => {
  const fileName = (file: string) => file.slice(file.lastIndexOf('/') + 1);
  const names = new Set(['src', 'commands', 'tests'].flatMap(sources).map(fileName));

  test.each([
    ['docs/architecture.md', 15],
    ['docs/laws/live.md', 10],
  ])('%s', (file, least) => {
    const named = [...textOf(file).matchAll(/`(?:[a-z-]+\/)?([A-Za-z-]+\.tsx?)`/g)];
    expect(named.length).toBeGreaterThan(least);
    expect(named.map(([, name = '']) => name).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('the tree of docs/architecture.md is the tree of the repository', () => {
  const lines = [...textOf('docs/architecture.md').matchAll(/^\| `([^`]+)\/` +\|/gm)].map(
    ([, folder = '']) => folder,
  );
  const foldersIn = (folder: string): readonly string[] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${folder}/${name}`);
  /** Folders of `src` that are described by those in them. */
  const divided = ['src/server', 'src/web', 'src/web/features', 'src/playground'];

  test('every folder of src, src/*, commands and tests has its line', () => {
    const parts = foldersIn('src');
    const wanted = [
      ...parts.filter((part) => !divided.includes(part)),
      ...divided.flatMap(foldersIn),
      ...parts.filter((part) => !divided.includes(part)).flatMap(foldersIn),
      ...foldersIn('commands'),
      ...foldersIn('tests'),
    ];
    const described = [...lines, ...divided];
    expect(wanted.filter((folder) => !described.includes(folder))).toEqual([]);
  });

  test('no line names a folder that is gone, and none has two', () => {
    const isFolder = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory();
    expect(lines.filter((folder) => isFolder(folder) !== true)).toEqual([]);
    expect(lines).toEqual([...new Set(lines)]);
  });
});

test('the decision about the build gives a reason for each of its plugins', () => {
  const plugins = sources('src/build')
    .filter((file) => /: Plugin\b/.test(textOf(file)))
    .map((file) => file.slice('src/build/'.length));
  const reasons = textOf('docs/decisions/0006-plain-build.md').matchAll(/^\| `([a-z-]+\.ts)` +\|/gm);
  expect([...reasons].map(([, name = '']) => name).sort()).toEqual(plugins.sort());
});
