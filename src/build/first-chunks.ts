import type { ModulePreloadOptions, Plugin, Rolldown } from 'vite';
import {
  aheadModules,
  earlyModule,
  homeModule,
  laterModules,
  listModule,
  sharedModules,
} from './first-modules.ts';

/** Lists of all that a package has: who imports one part of it needs no other. */
const packageList =
  /[/\\](?:radix-ui[/\\]dist|react-query[/\\]build[/\\]modern|query-core[/\\]build[/\\]modern)[/\\]index\.m?js$/;

/** Everything a module imports before it runs, itself included; dynamic imports are left out. */
function importedBy(id: string, context: Rolldown.ChunkingContext, found = new Set<string>()): Set<string> {
  if (found.has(id) || packageList.test(id)) return found;
  found.add(id);
  for (const other of context.getModuleInfo(id)?.importedIds ?? []) importedBy(other, context, found);
  return found;
}

/** A group of the modules that `find` gives, but for those that groups of a higher priority take. */
function groupOf(
  name: string,
  priority: number,
  find: (context: Rolldown.ChunkingContext) => ReadonlySet<string>,
): Rolldown.CodeSplittingGroup {
  let modules: ReadonlySet<string> | undefined;
  return {
    debugName: name,
    name: (id, context) => {
      modules ??= find(context);
      return modules.has(id) ? name : null;
    },
    priority,
    includeDependenciesRecursively: false,
  };
}

/** All that some modules import, themselves included. */
const closureOf =
  (from: readonly string[]) =>
  (context: Rolldown.ChunkingContext): ReadonlySet<string> =>
    from.reduce((found, one) => importedBy(one, context, found), new Set<string>());

/** The part of what some modules import that others import as well, with all that this part imports. */
const sharedOf =
  (from: readonly string[]) =>
  (context: Rolldown.ChunkingContext): ReadonlySet<string> => {
    const all = closureOf(from)(context);
    const isShared = (id: string) =>
      !from.includes(id) && context.getModuleInfo(id)?.importers.some((one) => !all.has(one)) === true;
    return closureOf([...all].filter(isShared))(context);
  };

/** Modules that only some modules import, these included. */
const ownOf =
  (from: readonly string[]) =>
  (context: Rolldown.ChunkingContext): ReadonlySet<string> => {
    const shared = sharedOf(from)(context);
    return new Set([...closureOf(from)(context)].filter((id) => !shared.has(id)));
  };

/** Matches the modules in folders. */
const inFolders = (...folders: readonly string[]): RegExp =>
  new RegExp(`(?:${folders.map((folder) => folder.replaceAll('/', '[/\\\\]')).join('|')})[/\\\\]`);

/** Libraries and folders that are too large to come along with what a screen needs of the common folders. */
const largeParts = {
  kinds: /commands[/\\]kinds[/\\](?!first-|later-)/,
  zod: inFolders('node_modules/zod'),
  yaml: inFolders('node_modules/yaml'),
  ui: inFolders('node_modules/@radix-ui', 'node_modules/radix-ui'),
  virtual: inFolders('node_modules/@tanstack/react-virtual'),
} as const;

const commonFolders = inFolders(
  'src/contract',
  'src/kube',
  'src/registry',
  'web/core',
  'web/data',
  'web/frame',
  'web/kit',
  'virtual:icon',
);

/** Small modules that several screens share: one chunk for those that need the same large parts. */
const commonChunks: Rolldown.CodeSplittingGroup = {
  debugName: 'common',
  name: (id, context) => {
    if (!commonFolders.test(id)) return null;
    const needed = [...importedBy(id, context)].flatMap((one) => [
      one,
      ...(context.getModuleInfo(one)?.importedIds ?? []),
    ]);
    const large = Object.entries(largeParts).flatMap(([name, part]) =>
      needed.some((one) => part.test(one)) ? [name] : [],
    );
    return ['common', ...large].join('-');
  },
  minShareCount: 3,
  priority: 1,
  includeDependenciesRecursively: false,
};

/**
 * The chunks of what every person loads: `early`, which asks for the first rows and runs before the others have arrived; `page`,
 * what every screen needs; `list`, what lists need besides; `later`, what follows the first list; `palette`, which is loaded
 * ahead; `shared`, what these two share with screens; `home`, what Home shares with others. Left to the bundler, these modules end up in some sixty small chunks by who
 * shares them: 40 KB more, since a small file compresses badly and its headers are as long as it is.
 */
export const firstChunks: Rolldown.CodeSplittingGroup[] = [
  groupOf('early', 10, closureOf([earlyModule])),
  { name: 'page', tags: ['$initial'], priority: 9 },
  groupOf('list', 8, closureOf([listModule])),
  groupOf('dialog', 7, closureOf(sharedModules.dialog)),
  groupOf('shared', 6, sharedOf([...laterModules, ...aheadModules])),
  groupOf('later', 5, closureOf(laterModules)),
  groupOf('palette', 4, closureOf(aheadModules)),
  groupOf('menu', 3, closureOf(sharedModules.menu)),
  groupOf('home', 2, sharedOf([homeModule])),
  groupOf('kinds', 2, ownOf(sharedModules.kinds)),
  { name: 'zod', test: largeParts.zod, priority: 2, includeDependenciesRecursively: false },
  commonChunks,
];

const firstFile = /assets[/\\](?:early|index|list)-[\w-]{8}\.(?:js|css)$/;

/** The files that a chunk needs beside those that every page has by the time it asks for others; for the document all of them. */
export const neededBeside: NonNullable<ModulePreloadOptions['resolveDependencies']> = (
  _file,
  needed,
  { hostType },
) => (hostType === 'html' ? needed : needed.filter((file) => !firstFile.test(file)));

/** Makes the HTML run the early chunk as soon as it arrives, and ask for the list's chunk together with the page's. */
export function loadFirstChunks(): Plugin {
  return {
    name: 'load-first-chunks',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunkOf = (id: string) =>
          Object.values(bundle).find((file) => file.type === 'chunk' && file.moduleIds.includes(id));
        const [early, list] = [chunkOf(earlyModule), chunkOf(listModule)];
        if (early === undefined || list === undefined)
          throw new Error('The list screen or the early module is in no chunk any more.');
        const crossorigin = true;
        return [
          {
            tag: 'script',
            attrs: { type: 'module', async: true, crossorigin, src: `/${early.fileName}` },
            injectTo: 'head-prepend',
          },
          {
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin, href: `/${list.fileName}` },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}
