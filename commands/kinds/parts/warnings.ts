import type { Attention } from '../../../src/registry/attention.ts';
import type { Around } from '../../../src/registry/kind.ts';

/** What the newest warning with one of these reasons says of an object, in the cluster's words. */
export function warningOf(around: Around | undefined, ...reasons: readonly string[]): string | undefined {
  return around?.warnings?.find(({ reason }) => reasons.includes(reason))?.message;
}

/**
 * A controller that cannot create the pods it wants (a quota, a policy, a missing account) says so in an event alone.
 * @param isShort whether pods are missing now: the event outlives its cause
 * @param helps the action that helps against a quota, and against any other refusal
 */
export const blockedAttention = (
  kindId: string,
  around: Around | undefined,
  isShort: boolean,
  helps: { readonly quota?: string; readonly other?: string } = {},
): Attention | undefined =>
  isShort ? blockedBy(kindId, warningOf(around, 'FailedCreate'), helps) : undefined;

/** The trouble of a controller whose pods are refused, by the words of the refusal; none without any. */
export function blockedBy(
  kindId: string,
  detail: string | undefined,
  helps: { readonly quota?: string; readonly other?: string } = {},
): Attention | undefined {
  if (detail === undefined) return undefined;
  const isQuota = /exceeded quota/.test(detail);
  const action = isQuota ? helps.quota : helps.other;
  return {
    rule: `${kindId}.blocked`,
    tone: 'bad',
    title: isQuota
      ? 'Its pods cannot be created: the quota of the namespace is used up.'
      : 'Its pods cannot be created.',
    detail,
    ...(action === undefined ? {} : { action }),
  };
}
