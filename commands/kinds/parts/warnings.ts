import { sharedCause } from '../../../src/kube/shared-cause.ts';
import type { Attention } from '../../../src/registry/kinds/attention.ts';
import type { Around } from '../../../src/registry/kinds/kind.ts';

/** The message of the newest warning event with one of these reasons. */
export function warningOf(around: Around | undefined, ...reasons: readonly string[]): string | undefined {
  return around?.warnings?.find(({ reason }) => reasons.includes(reason))?.message;
}

/**
 * The problem of a controller that cannot create pods (a quota, a policy, a missing account), which only an event
 * reports.
 * @param isShort whether pods are missing now: the event outlives its cause
 * @param helps the remedies for a quota and for any other refusal
 */
export const blockedAttention = (
  kindId: string,
  around: Around | undefined,
  isShort: boolean,
  helps: { readonly quota?: string; readonly other?: string } = {},
): Attention | undefined =>
  isShort ? blockedBy(kindId, warningOf(around, 'FailedCreate'), helps) : undefined;

/** The problem of a controller whose pods are refused, by the refusal's message; undefined if there is none. */
export function blockedBy(
  kindId: string,
  detail: string | undefined,
  helps: { readonly quota?: string; readonly other?: string } = {},
): Attention | undefined {
  if (detail === undefined) return undefined;
  const isQuota = /exceeded quota/.test(detail);
  const action = isQuota ? helps.quota : helps.other;
  const shared = sharedCause(detail);
  return {
    rule: `${kindId}.blocked`,
    tone: 'bad',
    title: isQuota
      ? 'Its pods cannot be created: the quota of the namespace is used up.'
      : 'Its pods cannot be created.',
    detail,
    ...(shared === undefined ? {} : { sharedCause: shared }),
    ...(action === undefined ? {} : { action }),
  };
}
