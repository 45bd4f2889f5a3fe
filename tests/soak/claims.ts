import { aligned } from '../bench/report.ts';

/** Something that a soak shows to hold or not to hold. */
export interface Claim {
  readonly name: string;
  /** What was measured, in words. */
  readonly measured: string;
  /** What it may be. */
  readonly limit: string;
  /** Undefined: this run could not tell. */
  readonly isKept: boolean | undefined;
  /** Only a whole run can break it: of one that was cut off the rest may have come later. */
  readonly needsWholeRun?: true;
}

/** The claims of a run that was cut off, which could not tell what only a whole one can. */
export const claimsOfCutRun = (claims: readonly Claim[]): readonly Claim[] =>
  claims.map((claim) =>
    claim.needsWholeRun === true && claim.isKept === false ? { ...claim, isKept: undefined } : claim,
  );

/** The verdict of a claim in a word. */
const verdictOf = ({ isKept }: Claim): string =>
  isKept === undefined ? 'not judged' : isKept ? 'kept' : 'BROKEN';

/** A claim on the longest of some times (seconds), which has to be measured at all. */
export function withinClaim(name: string, seconds: readonly number[], limit: number): Claim {
  const longest = Math.max(...seconds);
  return {
    name,
    measured:
      seconds.length === 0
        ? 'never'
        : `at most ${longest.toFixed(2)} s in ${seconds.length} ${times(seconds.length)}`,
    limit: `${limit} s`,
    isKept: seconds.length === 0 ? undefined : longest <= limit,
  };
}

/** A claim that nothing of a sort was found. */
export function noneClaim(name: string, found: readonly string[], outOf: string): Claim {
  const [first = ''] = found;
  return {
    name,
    measured: found.length === 0 ? `none of ${outOf}` : `${found.length} of ${outOf}: ${first}`,
    limit: 'none',
    isKept: found.length === 0,
  };
}

const times = (count: number): string => (count === 1 ? 'case' : 'cases');

/** The claims as a table for people. */
export function tableOf(claims: readonly Claim[]): string {
  return aligned([
    ['claim', 'measured', 'limit', ''],
    ...claims.map((claim) => [claim.name, claim.measured, claim.limit, verdictOf(claim)]),
  ]);
}

/** The same as a table of Markdown. */
export function markdownOf(claims: readonly Claim[]): string {
  const line = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line('claim', 'measured', 'limit', 'verdict'),
    line('---', '---', '---', '---'),
    ...claims.map((claim) =>
      line(
        ...[claim.name, claim.measured, claim.limit, verdictOf(claim)].map((cell) =>
          cell.replaceAll('|', '\\|'),
        ),
      ),
    ),
  ].join('\n');
}
