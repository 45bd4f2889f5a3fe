import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LockEntry } from './audit-rules.ts';

/** The record of a registry about one version of a package. */
interface Published {
  readonly license?: string;
  readonly 'dist.integrity'?: string;
}

const npm = (parameters: readonly string[], cwd: string): string =>
  execFileSync('npm', parameters, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });

/** The sha512 integrity of a package as a lock file has it, computed from what the registry sends. */
function computedIntegrity(spec: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-integrity-'));
  try {
    npm(['pack', spec, '--silent', '--ignore-scripts'], folder);
    const [file = ''] = readdirSync(folder);
    return `sha512-${createHash('sha512')
      .update(readFileSync(join(folder, file)))
      .digest('base64')}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Writes the integrity and licence of each package that lacks them into a lock file: as the registry states them, or
 * computed from the package itself. Returns what was filled in.
 * @param file path of package-lock.json
 */
export function fillIntegrity(file: string): readonly string[] {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> };
  const filled: string[] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || entry.link === true || entry.integrity !== undefined) continue;
    const spec = `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${entry.version}`;
    const published = JSON.parse(
      npm(['view', spec, 'dist.integrity', 'license', '--json'], tmpdir()),
    ) as Published;
    const stated = published['dist.integrity'];
    const integrity = stated?.startsWith('sha512-') === true ? stated : computedIntegrity(spec);
    const { version = '', ...rest } = entry;
    const license = entry.license ?? published.license;
    lock.packages[path] = { version, integrity, ...rest, ...(license === undefined ? {} : { license }) };
    filled.push(spec);
  }
  writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
  return filled;
}
