import { Problem } from '../../../contract/problem.ts';
import { silentServer } from '../../../kube/custom.ts';
import { cleanText } from '../../../kube/text.ts';
import { isBuiltInGroup } from '../../../registry/kinds/builtin.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { ClusterProblem } from '../../clusters/transport.ts';
import { OwnLimit } from '../../kit/own-limit.ts';
import { reflectorLimits } from './limits.ts';

/** The listed objects, in the words of a sentence. */
export interface Subject {
  readonly cluster: string;
  readonly kind: Pick<AnyKind, 'title' | 'plural' | 'group' | 'scope'> &
    Partial<Pick<AnyKind, 'version' | 'permissions' | 'addOn'>>;
  /** The one namespace that is listed; all without it. */
  readonly namespace?: string | undefined;
}

/**
 * A failed try, reduced to what decides the next one.
 * - `expired`: the version or page token is too old; list again
 * - `refused`: the cluster does not accept the credential (401)
 * - `denied`: the credential may not list this (403)
 * - `unwatchable`: it may be listed but not watched, by the credential (403) or by anybody (405)
 * - `absent`: the cluster does not serve the resource (404, 405 and 406 on a list)
 * - `throttled`: the cluster asks to wait, or this console has no memory or time for it
 * - `failed`: the cluster answered, but not with what was asked
 * - `lost`: no answer, or the stream of a watch ended at once, broke, fell silent, or carried what is no event
 */
export interface Fault {
  readonly type:
    | 'expired'
    | 'refused'
    | 'denied'
    | 'unwatchable'
    | 'absent'
    | 'throttled'
    | 'failed'
    | 'lost';
  /** One sentence for the person. */
  readonly message: string;
  /** How long the cluster asked to wait, ms. */
  readonly retryAfter?: number;
  /** What is shown has been old for a while, so that the failure is no matter of a moment. */
  readonly isOld?: true;
  /** A failure of this console's own, for its log. */
  readonly isOurs?: true;
}

/** Longest wait a cluster may ask for, ms. */
export const retryAfterLimit = 300_000;

/** The stream of a watch said nothing, not even a bookmark. */
export class SilentWatch extends Error {
  /** When it last said something, epoch ms. */
  readonly heardAt: number;
  /** Whether it is the server that reads the cluster which is silent. */
  readonly isOfServer: boolean;

  constructor(heardAt: number, isOfServer = false) {
    super('The watch stopped sending.');
    this.heardAt = heardAt;
    this.isOfServer = isOfServer;
  }
}

/** The stream of a watch ended, or carried something that is no event. */
export class BrokenWatch extends Error {}

/** The stream of a watch broke off; what it carried until then was in order. */
export class CutWatch extends BrokenWatch {}

/** Whether only the connection of a watch failed. */
export const isCut = (error: unknown): boolean =>
  error instanceof CutWatch || (error instanceof ClusterProblem && error.upstream.status === undefined);

/** A watch was not answered, although its list was read: a proxy may hold back the beginning of an answer. */
export class WithheldWatch extends Error {}

function place({ namespace }: Subject): string {
  return namespace === undefined ? '' : ` in namespace “${namespace}”`;
}

/** The lower-case plural of the kind in sentences. */
export function noun(kind: Subject['kind']): string {
  return kind.title.toLowerCase();
}

/** Whether a failure means that the version or page token is too old: HTTP 410, or its twin inside a stream. */
export function isExpired(error: unknown): boolean {
  if (!(error instanceof ClusterProblem)) return false;
  const { status, reason } = error.upstream;
  return status === 410 || reason === 'Expired' || reason === 'Gone';
}

/** The sentence about a list whose watch is not answered. */
export function withheldMessage(subject: Subject): string {
  const seconds = reflectorLimits.polled / 1000;
  return `${subject.cluster} does not answer watches of ${noun(subject.kind)}${place(subject)}, perhaps because a proxy buffers responses; the list is refreshed every ${seconds} seconds.`;
}

/** Judges a failure of a list or a watch. Never throws. */
export function judge(error: unknown, subject: Subject, during: 'list' | 'watch'): Fault {
  const { cluster, kind } = subject;
  const what = `${noun(kind)}${place(subject)}`;
  if (error instanceof SilentWatch) {
    const silent = error.isOfServer ? `The server that reads ${cluster}` : cluster;
    return { type: 'lost', isOld: true, message: `${silent} stopped responding; reconnecting.` };
  }
  if (error instanceof BrokenWatch) {
    return { type: 'lost', message: `The connection to ${cluster} was lost; reconnecting.` };
  }
  if (isExpired(error)) {
    return {
      type: 'expired',
      message: `${cluster} no longer has the changes since the last update; listing again.`,
    };
  }
  if (error instanceof OwnLimit)
    return { type: 'throttled', message: error.title, retryAfter: error.retryAfter * 1000 };
  if (!(error instanceof ClusterProblem)) {
    if (error instanceof Problem) return { type: 'failed', message: error.title };
    return {
      type: 'failed',
      isOurs: true,
      message: `This console failed to read ${what} of ${cluster}; its log says why.`,
    };
  }
  const { status, retryAfter } = error.upstream;
  const wait =
    retryAfter === undefined ? {} : { retryAfter: Math.min(Math.max(retryAfter, 0) * 1000, retryAfterLimit) };
  if (during === 'watch' && (status === 403 || status === 405)) {
    const seconds = reflectorLimits.polled / 1000;
    const why =
      status === 403
        ? `This console's credential can list but not watch ${what} in ${cluster}`
        : `${cluster} does not support watching ${what}`;
    return { type: 'unwatchable', message: `${why}; the list is refreshed every ${seconds} seconds.` };
  }
  switch (status) {
    case undefined:
      // The wait, if any, is that of our own breaker.
      return { type: 'lost', message: cleanText(error.title), ...wait };
    case 401:
      return {
        type: 'refused',
        message: `${cluster} rejected this console's credential (401). Replace its kubeconfig.`,
      };
    case 403:
      return {
        type: 'denied',
        message: `This console's credential may not list ${what}${
          subject.namespace === undefined && kind.scope === 'Namespaced' ? ' in all namespaces' : ''
        } of ${cluster}. Give it a role that may list and watch them, then retry.`,
      };
    case 404:
    case 405:
    case 406:
      return {
        type: 'absent',
        message: `${cluster} does not serve ${kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`}.`,
      };
    case 429:
      return {
        type: 'throttled',
        message: `${cluster} is throttling this console (429); retrying when it allows.`,
        ...wait,
      };
    case 503:
      return isAggregated(kind)
        ? {
            type: wait.retryAfter === undefined ? 'failed' : 'throttled',
            message: silentServer(cluster, kind.group, kind.version ?? ''),
            ...wait,
          }
        : otherFailure(error, cluster, wait);
    default:
      return otherFailure(error, cluster, wait);
  }
}

/** Whether another server than the cluster's own may have an API: without a definition its kinds are for Owners. */
const isAggregated = ({ group, version, permissions, addOn }: Subject['kind']): boolean =>
  version !== undefined && permissions?.view === 'owner' && addOn === undefined && !isBuiltInGroup(group);

function otherFailure(error: ClusterProblem, cluster: string, wait: { readonly retryAfter?: number }): Fault {
  return {
    type: wait.retryAfter === undefined ? 'failed' : 'throttled',
    message: error.title.startsWith(cluster) ? error.title : `${cluster}: ${cleanText(error.title)}`,
    ...wait,
  };
}
