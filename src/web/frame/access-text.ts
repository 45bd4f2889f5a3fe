import type { AccessRequest, RequestState } from '../../contract/access-requests.ts';
import type { Tone } from '../../registry/tone.ts';

/** A request's state in a word. */
export const stateText: Readonly<Record<RequestState, string>> = {
  pending: 'Waiting',
  lapsed: 'Not decided in time',
  refused: 'Refused',
  withdrawn: 'Withdrawn',
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  ended: 'Ended',
};

/** The tone of a state. */
export const stateTone: Readonly<Record<RequestState, Tone>> = {
  pending: 'info',
  lapsed: 'idle',
  refused: 'bad',
  withdrawn: 'idle',
  active: 'ok',
  expired: 'idle',
  revoked: 'warn',
  ended: 'idle',
};

/** A length of time in words: `30 minutes`, `2 hours`. */
export function lengthText(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} minutes`;
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
}

/** Where a request is about: `harbour in shop, data`. */
export function placeText({ cluster, namespaces }: Pick<AccessRequest, 'cluster' | 'namespaces'>): string {
  return namespaces === null ? cluster.name : `${cluster.name} in ${namespaces.join(', ')}`;
}

/** What is left of some time, ms, as a clock shows it: `9:05`, `1:20:00`. */
export function leftText(left: number): string {
  const seconds = Math.max(0, Math.ceil(left / 1_000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`;
}

/** What the person hears when one of their requests gets into a state; undefined for what they did themself. */
export function newsOf(request: AccessRequest, endsAtText: string): string | undefined {
  const what = `${request.permissions.join(', ')} on ${placeText(request)}`;
  const by = request.decidedBy ?? 'somebody';
  const approvers = request.approvedBy.length > 1 ? request.approvedBy.join(' and ') : by;
  switch (request.state) {
    case 'active':
      return `${approvers} approved your request: you hold ${what} until ${endsAtText}.`;
    case 'refused':
      return `${by} refused your request for ${what}.`;
    case 'lapsed':
      return `Your request for ${what} expired before anybody decided on it. Ask again if you still need it.`;
    case 'expired':
    case 'revoked':
    case 'ended':
      return `Your temporary access has ended: you no longer have ${what} by it.`;
    case 'pending':
    case 'withdrawn':
  }
  return undefined;
}
