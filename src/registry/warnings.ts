import type { Attention } from './attention.ts';
import type { Around } from './kind.ts';

/** What the newest warning with one of these reasons says of an object, in the cluster's words. */
export function warningOf(around: Around | undefined, ...reasons: readonly string[]): string | undefined {
  return around?.warnings?.find(({ reason }) => reasons.includes(reason))?.message;
}

/**
 * A controller that cannot create the pods it wants (a quota, a policy, a missing account) says so in an event alone.
 * @param isShort whether pods are missing now: the event outlives its cause
 */
export function blockedAttention(
  kindId: string,
  around: Around | undefined,
  isShort: boolean,
): Attention | undefined {
  const detail = isShort ? warningOf(around, 'FailedCreate') : undefined;
  if (detail === undefined) return undefined;
  const isQuota = /exceeded quota/.test(detail);
  return {
    rule: `${kindId}.blocked`,
    tone: 'bad',
    title: isQuota
      ? 'Its pods cannot be created: the quota of the namespace is used up.'
      : 'Its pods cannot be created.',
    detail,
  };
}
