import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Folder of the checkout. */
export const root = resolve(import.meta.dirname, '..');

/** The text of a file, by its path in the checkout. */
export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Every source file below a folder, by its path in the checkout. */
export function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name));
}

export interface Import {
  /** As it is written: a package, or a path relative to the file. */
  readonly target: string;
  readonly dynamic: boolean;
  /** Gone before anything runs. */
  readonly isType: boolean;
  /** The names between the braces, as the other file exports them; undefined for one that takes everything. */
  readonly names: readonly string[] | undefined;
}

/** What a file imports or exports again. */
export function importsOf(file: string): Import[] {
  const text = textOf(file);
  const found: Import[] = [];
  for (const match of text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b([^'"`;]*?)\bfrom\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g,
  )) {
    const isType = /^\s*(?:import|export) type\b/.test(match[0]);
    const [, list] = /\{([^}]*)\}/.exec(match[1] ?? '') ?? [];
    const names = list
      ?.split(',')
      .map(
        (name) =>
          name
            .replace(/^\s*type\s/, '')
            .trim()
            .split(/\s+as\s+/)[0] ?? '',
      )
      .filter(Boolean);
    found.push({ target: match[2] ?? match[3] ?? '', dynamic: false, isType, names });
  }
  for (const match of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) {
    found.push({ target: match[1] ?? '', dynamic: true, isType: false, names: undefined });
  }
  return found;
}

/** The name of the package that an import takes something from; undefined for one of a file. */
export function packageOf({ target }: Pick<Import, 'target'>): string | undefined {
  if (target.startsWith('.')) return undefined;
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The file in the checkout that a relative import means. */
export function fileOf(from: string, { target }: Pick<Import, 'target'>): string {
  return relative(root, resolve(root, dirname(from), target));
}
