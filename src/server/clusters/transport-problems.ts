import { OwnLimit } from '../kit/own-limit.ts';
import type { UnusableAnswer } from './answer.ts';
import type { CredentialFailed } from './exec-plugin.ts';
import { networkProblem } from './failures.ts';
import { ClusterProblem, type KubeRequest } from './transport.ts';

const problemOf = (
  name: string,
  title: string,
  isRetryable: boolean,
  { retryAfter, cause }: { readonly retryAfter?: number; readonly cause?: unknown } = {},
): ClusterProblem =>
  new ClusterProblem(
    { status: 502, title, retryable: isRetryable, where: { cluster: name } },
    retryAfter === undefined ? {} : { retryAfter },
    cause === undefined ? undefined : { cause },
  );

/** Time until a cluster that does not answer is pinged again, at most, ms. */
const pingedWait = 3_000;

/** The transport was closed, because its cluster or credential changed. */
export const replacedProblem = (name: string): ClusterProblem =>
  problemOf(name, `The connection to ${name} was replaced. Try again.`, true);

/**
 * The breaker sends no requests for a while.
 * @param lastFailure a sentence that says why
 * @param wait time until the next attempt, ms
 * @param now epoch, ms
 * @param isPinged pings find out every few seconds whether the cluster answers, which ends the pause
 */
export function pausedProblem(
  name: string,
  lastFailure: string,
  { wait, now, isPinged }: { readonly wait: number; readonly now: number; readonly isPinged: boolean },
): ClusterProblem {
  if (isPinged) {
    return problemOf(name, `${lastFailure} The console tries again every few seconds.`, true, {
      retryAfter: Math.max(1, Math.ceil(Math.min(wait, pingedWait) / 1000)),
    });
  }
  // The sentence stays on screens for a while: a time of day stays true there, seconds left would not.
  const nextTry = new Date(now + wait + 999).toISOString().slice(11, 19);
  return problemOf(name, `${lastFailure} The console retries at ${nextTry} UTC.`, true, {
    retryAfter: Math.max(1, Math.ceil(wait / 1000)),
  });
}

/** The cluster sent an answer that could not be read, or one larger than the request takes. */
export const unusableAnswerProblem = (
  name: string,
  error: UnusableAnswer,
  { answerLimit: limit }: Pick<KubeRequest, 'answerLimit'>,
): ClusterProblem =>
  limit !== undefined && error.code === 'ANSWER_TOO_LARGE'
    ? problemOf(name, limit.sentence, false, { cause: error })
    : networkProblem(error, name, 0);

/** An answer of a cluster was not read in time, as this process had too much else to do. */
export const busyLimit = (name: string, cause: unknown): OwnLimit =>
  new OwnLimit(`This console is busy and could not read from ${name} in time. It tries again in a moment.`, {
    retryAfter: 3,
    cause,
  });

/** An answer of a cluster was not read, as there is no memory for it. */
export const memoryLimit = (name: string, cause: unknown): OwnLimit =>
  new OwnLimit(`This console has no memory left for an answer of ${name}. It tries again in a moment.`, {
    retryAfter: 5,
    cause,
  });

/** The credential could not be read or made, so that no request was sent. */
export const credentialProblem = (name: string, error: CredentialFailed): ClusterProblem =>
  problemOf(name, `${name} cannot be asked. ${error.message}`, true, { cause: error });
