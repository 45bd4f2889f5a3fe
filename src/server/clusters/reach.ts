import { z } from 'zod';
import type { ClusterState } from '../../contract/clusters.ts';
import { Problem } from '../../contract/problem.ts';
import { cleanText } from '../../kube/text.ts';
import { measureDelay } from '../kit/own-delay.ts';
import { isCredentialRejected } from './failures.ts';
import type { HttpTransport } from './http-transport.ts';
import { busyLimit } from './transport-problems.ts';
import { ClusterProblem } from './transport.ts';
import type { Clock } from '../kit/clock.ts';

/** A state older than this is learnt anew when somebody lists the clusters (ms). */
const stateAge = 60_000;
/** The same for a cluster that did not answer: it may have been starting, and is back sooner than that. */
const troubledAge = 10_000;

const versionSchema = z.object({ gitVersion: z.string().min(1).max(100) });
const reviewSchema = z.object({ status: z.object({ allowed: z.boolean() }) });

/**
 * Asks a cluster for its version and whether the credential may list pods; the latter only ever warns.
 * @param name the cluster's, for sentences
 * @param limitMs for all of it
 * @throws Problem saying why the cluster cannot be used
 */
export async function reach(
  transport: HttpTransport | Promise<HttpTransport>,
  name: string,
  limitMs: number,
  clock: Clock,
): Promise<ClusterState> {
  const checkedAt = () => new Date(clock.now()).toISOString();
  const timer = AbortSignal.timeout(limitMs);
  const isBusy = measureDelay();
  const ended = new Promise<never>((_resolve, reject) => {
    timer.addEventListener(
      'abort',
      () => {
        const seconds = limitMs / 1000;
        reject(
          isBusy()
            ? busyLimit(name, timer.reason)
            : new ClusterProblem(
                {
                  status: 502,
                  title: `${name} did not answer within ${seconds} s.`,
                  where: { cluster: name },
                },
                {},
              ),
        );
      },
      { once: true },
    );
  });
  // A credential program or a starting playground cannot be hurried: the race ends the waiting, not the work.
  return Promise.race([ended, ask(transport, name, timer, checkedAt)]);
}

async function ask(
  opening: HttpTransport | Promise<HttpTransport>,
  name: string,
  signal: AbortSignal,
  checkedAt: () => string,
): Promise<ClusterState> {
  const transport = await opening;
  const version = await readVersion(transport, name, signal);
  const mayList = await mayListPods(transport, signal);
  return {
    status: 'reachable',
    ...(version === undefined ? {} : { version }),
    checkedAt: checkedAt(),
    ...(mayList ? {} : { message: `The credential of ${name} may not list pods in all namespaces.` }),
  };
}

async function readVersion(transport: HttpTransport, name: string, signal: AbortSignal) {
  let answer: unknown;
  try {
    answer = await transport.ask({ path: '/version', signal });
  } catch (error) {
    // The credential is known there and may read little: what it may is seen later.
    if (error instanceof ClusterProblem && error.status === 403) return undefined;
    throw error;
  }
  const parsed = versionSchema.safeParse(answer);
  if (parsed.success) return cleanText(parsed.data.gitVersion);
  throw new ClusterProblem(
    {
      status: 502,
      title: `${name} answered, but not as a Kubernetes API server does. Check the server address in its kubeconfig.`,
      retryable: false,
      where: { cluster: name },
    },
    {},
  );
}

/** True unless the cluster clearly says no: a cluster without this API has other ways to say it later. */
async function mayListPods(transport: HttpTransport, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await transport.ask({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb: 'list', resource: 'pods' } },
      },
      signal,
    });
    const parsed = reviewSchema.safeParse(answer);
    return !parsed.success || parsed.data.status.allowed;
  } catch (error) {
    // Anybody may read the version: only this call shows that the credential is not recognised.
    if (isCredentialRejected(error)) throw error;
    return true;
  }
}

/** Whether a state is so old that the cluster has to be asked again. */
export function isStateDue({ status, checkedAt }: ClusterState, now: number): boolean {
  if (checkedAt === undefined) return true;
  return now - Date.parse(checkedAt) > (status === 'unreachable' ? troubledAge : stateAge);
}

/** A cluster's state after a failed call. Never throws: every failure has a state. */
export function stateOfFailure(error: unknown, name: string, now: number): ClusterState {
  return {
    status: isCredentialRejected(error) ? 'forbidden' : 'unreachable',
    checkedAt: new Date(now).toISOString(),
    message: error instanceof Problem ? error.title : `${name} could not be reached. Try again.`,
  };
}
