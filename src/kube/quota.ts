import { parseQuantity } from './quantity.ts';
import type { KubeObject } from './object.ts';

/** The parts of core/v1 ResourceQuota and LimitRange that the console reads. */
export interface ResourceQuota extends KubeObject {
  spec?: {
    hard?: Record<string, string>;
    scopes?: string[];
    scopeSelector?: { matchExpressions?: { scopeName?: string; operator?: string; values?: string[] }[] };
  };
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}

type Amounts = Record<string, string>;

export interface LimitRange extends KubeObject {
  spec?: {
    limits?: {
      type?: string;
      min?: Amounts;
      max?: Amounts;
      default?: Amounts;
      defaultRequest?: Amounts;
      maxLimitRequestRatio?: Amounts;
    }[];
  };
}

/** One resource of a quota. */
export interface QuotaLine {
  readonly resource: string;
  /** As the cluster wrote it; undefined until it counted. */
  readonly used: string | undefined;
  readonly hard: string;
  /** Used of hard; undefined where it is not counted yet, or where nothing may be used at all. */
  readonly share: number | undefined;
}

/** From this share on a quota is nearly used up. */
const nearlyFull = 0.9;

/** The resources of a quota, sorted by name. */
export function quotaLines({ spec, status }: ResourceQuota): QuotaLine[] {
  return Object.entries(spec?.hard ?? status?.hard ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([resource, hard]) => {
      const used = status?.used?.[resource];
      const [limit = 0, count] = [parseQuantity(hard), parseQuantity(used)];
      return { resource, used, hard, share: count === undefined || limit === 0 ? undefined : count / limit };
    });
}

/** Whether nothing more of a resource can be had. A limit of 0 forbids the resource and is not used up. */
export const isUsedUp = ({ share }: QuotaLine): boolean => share !== undefined && share >= 1;

/** Whether little of a resource can still be had. */
export const isNearlyUsedUp = ({ share }: QuotaLine): boolean => share !== undefined && share >= nearlyFull;

/** Formats the share of a line: `75%`; `forbidden` for a limit of 0. */
export function shareText({ hard, share }: QuotaLine): string {
  if (share !== undefined) return `${Math.floor(share * 100)}%`;
  return parseQuantity(hard) === 0 ? 'forbidden' : 'not counted yet';
}

/** What the objects of a quota have in common: `BestEffort`, `PriorityClass in (batch)`. */
export function quotaScopes({ spec }: ResourceQuota): string[] {
  const selected = (spec?.scopeSelector?.matchExpressions ?? []).map(
    ({ scopeName = '', operator = '', values = [] }) =>
      values.length === 0 ? `${scopeName} ${operator}` : `${scopeName} ${operator} (${values.join(', ')})`,
  );
  return [...(spec?.scopes ?? []), ...selected];
}
