import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { type Command, loadsFirst } from '../registry/commands/command.ts';

const folder = fileURLToPath(new URL('../../commands', import.meta.url));
const file = join(folder, 'first.ts');

/** An export of a file of commands, all of which load with the page. */
interface FirstExport {
  /** Relative to `commands`: `routes/cluster.ts`. */
  readonly path: string;
  readonly name: string;
  readonly isList: boolean;
  readonly ids: readonly string[];
}

/** Loads a file of commands. Not a static import: the configuration of the build would bundle every screen. */
const importCommands = (path: string): Promise<Readonly<Record<string, unknown>>> =>
  import(pathToFileURL(join(folder, path)).href);

const isCommand = (value: unknown): value is Command =>
  typeof value === 'object' && value !== null && 'id' in value && 'type' in value;

async function firstExportsOf(path: string): Promise<readonly FirstExport[]> {
  return Object.entries(await importCommands(path)).flatMap(([name, value]): FirstExport[] => {
    const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
    const first = listed.filter(isCommand).filter(loadsFirst);
    const isWhole = first.length > 0 && first.length === listed.length;
    return isWhole ? [{ path, name, isList: Array.isArray(value), ids: first.map(({ id }) => id) }] : [];
  });
}

/**
 * What `commands/first.ts` has to say: the exports of `commands/routes` and `commands/actions` whose commands load with
 * the page, in the order of `commands/index.ts`.
 * @throws Error for such a command that shares its export with commands that load later
 */
export async function firstCommandsText(): Promise<string> {
  const { commands } = (await importCommands('index.ts')) as { readonly commands: readonly Command[] };
  const order = commands.map(({ id }) => id);
  const paths: string[] = [];
  for (const part of ['actions', 'routes'])
    for (const name of await readdir(join(folder, part))) paths.push(`${part}/${name}`);
  const exports = (await Promise.all(paths.sort().map(firstExportsOf))).flat();
  const exported = new Set(exports.flatMap(({ ids }) => ids));
  const mixed = commands.filter((one) => loadsFirst(one) && !exported.has(one.id)).map(({ id }) => id);
  if (mixed.length > 0)
    throw new Error(
      `These commands load with the page, so they need an export without commands that load later: ${mixed.join(', ')}.`,
    );
  const positionOf = ({ ids: [id = ''] }: FirstExport) => order.indexOf(id);
  const listed = exports.toSorted((one, other) => positionOf(one) - positionOf(other));
  return [
    '// npm run first writes this file.',
    "import type { Command } from '../src/registry/commands/command.ts';",
    ...exports.map(({ name, path }) => `import { ${name} } from './${path}';`),
    '',
    '/**',
    ' * What a page begins with: every screen, and the actions whose declaration says `isFirst`. All commands, `index.ts`,',
    ' * come once the first list is there or somebody asks for one of them; those here are then the same.',
    ' */',
    'export const firstCommands: readonly Command[] = [',
    ...listed.map(({ name, isList }) => `  ${isList ? '...' : ''}${name},`),
    '];',
    '',
  ].join('\n');
}

/** Whether `commands/first.ts` says what the declarations say. */
export const areFirstCommandsCurrent = async (): Promise<boolean> =>
  (await readFile(file, 'utf8')) === (await firstCommandsText());

/** Writes `commands/first.ts`. */
export const writeFirstCommands = async (): Promise<void> => writeFile(file, await firstCommandsText());

/** Stops a build, and the development server, whose page would begin with other commands than are declared. */
export function firstCommandsMustBeCurrent(): Plugin {
  return {
    name: 'first-commands-must-be-current',
    async buildStart() {
      if (!(await areFirstCommandsCurrent()))
        this.error(
          'commands/first.ts does not fit the declarations of the commands: npm run first writes it.',
        );
    },
  };
}
