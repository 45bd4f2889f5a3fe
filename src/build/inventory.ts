/** One package of the image. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** As a lock file has it: `sha512-` and base64. */
  readonly integrity: string;
  /** Files of its licence and notices, in the order of their names. */
  readonly texts: readonly string[];
}

/** A component of CycloneDX. */
export interface BomComponent {
  readonly type: 'file' | 'library' | 'platform';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly object[];
}

/** A bill of materials of CycloneDX. */
export interface Bom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly version: number;
  readonly metadata: { readonly component: object };
  readonly components: readonly BomComponent[];
}

/**
 * The bill of materials of packages of npm and whatever else there is. It has neither a time nor a random number, so that
 * the same image has the same. (`npm sbom --omit=dev` leaves out dependencies that development packages ask for as well.)
 * @param version of Wheelhouse
 */
export function bomOf(
  version: string,
  packages: readonly ShippedPackage[],
  more: readonly BomComponent[],
): Bom {
  const byRef = new Map([...packages.map(componentOf), ...more].map((one) => [one['bom-ref'], one]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': `wheelhouse@${version}`, name: 'wheelhouse', version },
    },
    components: [...byRef.keys()].sort().flatMap((ref) => byRef.get(ref) ?? []),
  };
}

function componentOf({ name, version, license, integrity }: ShippedPackage): BomComponent {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    hashes: [{ alg: 'SHA-512', content }],
    licenses: [/ (?:AND|OR) /.test(license) ? { expression: license } : { license: { id: license } }],
  };
}

/** The notices of third parties as one text, by name. */
export function noticesOf(packages: readonly Omit<ShippedPackage, 'integrity'>[]): string {
  const parts = packages
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, version, license, texts }) =>
      [
        `${name} ${version} (${license})`,
        ...(texts.length === 0
          ? ['Its package has no file of its licence.']
          : texts.map((text) => text.trim())),
      ].join('\n\n'),
    );
  return [
    'Wheelhouse contains software of others. Each part is named with its version and licence, then its own notices.',
    ...parts,
  ]
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n');
}
