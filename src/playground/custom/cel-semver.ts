import { type CelExtension, LibraryError, succeeds } from './cel-extension.ts';

const semverPattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** A semantic version without its build metadata (the part after "+"). */
class Semver {
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];
  constructor(text: string) {
    const [, major, minor, patch, prerelease] = semverPattern.exec(text) ?? [];
    if (major === undefined || minor === undefined || patch === undefined) {
      throw new LibraryError('No Major.Minor.Patch elements found');
    }
    this.numbers = [BigInt(major), BigInt(minor), BigInt(patch)];
    this.prerelease = prerelease?.split('.') ?? [];
  }
}

/** The strict form of a version with a "v" prefix, missing parts or leading zeros. */
function normalized(text: string): string {
  const [core = '', ...rest] = text.replace(/^v/, '').split(/(?=[-+])/);
  const parts = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return [parts.join('.'), ...rest].join('');
}

const compare = (a: bigint | string, b: bigint | string) => (a < b ? -1 : a > b ? 1 : 0);

function compareVersions(a: Semver, b: Semver): bigint {
  for (const [index, number] of a.numbers.entries()) {
    const found = compare(number, b.numbers[index] ?? 0n);
    if (found !== 0) return BigInt(found);
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return BigInt(Math.sign(b.prerelease.length - a.prerelease.length));
  }
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1n;
    const [left, right] = [/^\d+$/.test(part), /^\d+$/.test(other)];
    const found =
      left && right
        ? compare(BigInt(part), BigInt(other))
        : left === right
          ? compare(part, other)
          : left
            ? -1
            : 1;
    if (found !== 0) return BigInt(found);
  }
  return a.prerelease.length < b.prerelease.length ? -1n : 0n;
}

/** Kubernetes' functions of semantic versions. */
export const versions: CelExtension = {
  types: { 'kubernetes.Semver': Semver },
  comparable: ['kubernetes.Semver'],
  functions: {
    'isSemver(string): bool': (text: string) => succeeds(() => new Semver(text)),
    'isSemver(string, bool): bool': (text: string, loose: boolean) =>
      succeeds(() => new Semver(loose ? normalized(text) : text)),
    'semver(string): kubernetes.Semver': (text: string) => new Semver(text),
    'semver(string, bool): kubernetes.Semver': (text: string, loose: boolean) =>
      new Semver(loose ? normalized(text) : text),
    ...Object.fromEntries(
      ['major', 'minor', 'patch'].map((name, index) => [
        `kubernetes.Semver.${name}(): int`,
        ({ numbers }: Semver) => numbers[index] ?? 0n,
      ]),
    ),
    'kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool': (a: Semver, b: Semver) =>
      compareVersions(a, b) > 0n,
    'kubernetes.Semver.isLessThan(kubernetes.Semver): bool': (a: Semver, b: Semver) =>
      compareVersions(a, b) < 0n,
    'kubernetes.Semver.compareTo(kubernetes.Semver): int': compareVersions,
  },
};
