/** A package in package-lock.json, as far as it is read here. */
export interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The packages of a lock file by their folder, e.g. `node_modules/pg`. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Names of the packages that a module takes code from; an import of types alone takes none. @param text its source */
export function packagesImportedBy(text: string): readonly string[] {
  const code = text.replaceAll(/^import type [^;]*;/gm, '').replaceAll(/typeof import\('[^']*'\)/g, '');
  const specifiers = code.matchAll(
    /(?:\bfrom|\bimport|\bimport\(|\(import\.meta\.url\)\()\s*'([^'.][^']*)'/g,
  );
  return [...specifiers]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
}

/** Folders of the packages that those of the given names need, with themselves. Names that the lock file lacks are left out. */
export function packagesNeededBy(names: readonly string[], packages: LockedPackages): ReadonlySet<string> {
  const needed = new Set<string>();
  const open = names.map((name) => ({ name, from: '' }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const folder = folderOf(next.name, next.from, packages);
    if (folder === undefined || needed.has(folder)) continue;
    needed.add(folder);
    const { dependencies, optionalDependencies, peerDependencies } = packages[folder] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      open.push({ name, from: folder });
  }
  return needed;
}

/** The folder in which Node finds a package for a module of the folder `from`: the nearest `node_modules` above it. */
function folderOf(name: string, from: string, packages: LockedPackages): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(place.lastIndexOf('/node_modules/'), 0))) {
    const folder = `${place === '' ? '' : `${place}/`}node_modules/${name}`;
    if (packages[folder] !== undefined) return folder;
    if (place === '') return undefined;
  }
}
