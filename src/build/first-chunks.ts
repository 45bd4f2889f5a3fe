import type { Plugin, Rolldown } from 'vite';
import { earlyModule, listModule } from './first-modules.ts';

/** Everything a module imports before it runs, itself included; dynamic imports are left out. */
function importedBy(id: string, context: Rolldown.ChunkingContext, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const other of context.getModuleInfo(id)?.importedIds ?? []) importedBy(other, context, found);
  return found;
}

/** A group of all that one module imports. */
function groupOf(name: string, module: string, priority: number): Rolldown.CodeSplittingGroup {
  let modules: ReadonlySet<string> | undefined;
  return {
    debugName: name,
    name: (id, context) => {
      modules ??= importedBy(module, context);
      return modules.has(id) ? name : null;
    },
    priority,
    includeDependenciesRecursively: false,
  };
}

/**
 * The chunks a first list needs: `early`, which asks for the first rows and runs before the others have arrived; `page`, what
 * every screen needs; `list`, what lists need besides. Left to the bundler, these modules end up in some twenty small chunks by who
 * shares them: 5 KB more compressed, and one request each.
 */
export const firstChunks: Rolldown.CodeSplittingGroup[] = [
  groupOf('early', earlyModule, 3),
  { name: 'page', tags: ['$initial'], priority: 2 },
  groupOf('list', listModule, 1),
];

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
