import type { CellValue } from '../../../contract/live.ts';

/** The texts of a usage cell. */
export interface UsageWords {
  readonly used: number;
  /** Of what it may use at most, else of what it asked for: `31%`; empty where it has neither. */
  readonly share: string;
  /** The same as a part of one, for a bar. */
  readonly bar:
    | {
        readonly share: number;
        /** Where the request stands in what it may use. */
        readonly mark: number | undefined;
        /** Only a request is known: all of it used is no trouble. */
        readonly isPlain: boolean;
      }
    | undefined;
  /** Near what it may use at most, or beyond what it asked for. */
  readonly tone: '' | 'warn' | 'bad';
  readonly sentence: string;
}

const per = (used: number, of: number) => Math.round((used / of) * 100);
/** From these shares of the limit on something is said about it, per cent. */
const limitShares = { warn: 80, bad: 95 };

/**
 * Reads a cell of usage: `used`, or `[used, requested, at most]`. Undefined for one that says nothing.
 * @param format a figure with its unit
 */
export function usageWords(
  value: CellValue | undefined,
  format: (value: number) => string,
): UsageWords | undefined {
  const [used, request, limit] = (Array.isArray(value) ? value : [value, null, null]) as readonly unknown[];
  if (typeof used !== 'number') return undefined;
  const parts: string[] = [];
  let tone: UsageWords['tone'] = '';
  if (typeof limit === 'number') {
    const share = per(used, limit);
    parts.push(`${share}% of the most it may use, ${format(limit)}`);
    tone = share >= limitShares.bad ? 'bad' : share >= limitShares.warn ? 'warn' : '';
  }
  if (typeof request === 'number') parts.push(`${per(used, request)}% of the request ${format(request)}`);
  const of = typeof limit === 'number' ? limit : request;
  return {
    used,
    share: typeof of === 'number' ? `${per(used, of)}%` : '',
    bar:
      typeof of === 'number' && of > 0
        ? {
            share: used / of,
            mark: typeof limit === 'number' && typeof request === 'number' ? request / limit : undefined,
            isPlain: typeof limit !== 'number',
          }
        : undefined,
    tone,
    sentence: `${format(used)} used${parts.map((part) => `, ${part}`).join('')}`,
  };
}
