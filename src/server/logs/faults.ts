import type { LogEnd } from '../../contract/log.ts';
import { Problem } from '../../contract/problem.ts';
import { unreachedKubelet } from '../../kube/kubelet-error.ts';
import { cleanText } from '../../kube/text.ts';
import { ClusterProblem } from '../clusters/transport.ts';

/** The meaning of a failure for a log: it is over, the container has yet to start, or another attempt may succeed. */
export type LogFault =
  | { readonly type: 'over'; readonly reason: LogEnd; readonly title: string }
  | { readonly type: 'waiting'; readonly message: string }
  | {
      readonly type: 'lost';
      readonly message: string;
      readonly retryAfter: number;
      readonly isOurs: boolean;
    };

/** A pod in a sentence. */
export const podName = (namespace: string, name: string) => `Pod ${namespace}/${name}`;

/** Judges a failure of a log's stream. Never throws. @param pod the pod in a sentence */
export function judgeLog(error: unknown, pod: string, cluster: string): LogFault {
  if (!(error instanceof ClusterProblem)) {
    const isOurs = !(error instanceof Problem);
    const message = isOurs
      ? 'This console failed to read the log. Try again; if it happens again, ask the operator, who finds the reason in the console’s own log.'
      : error.title;
    return { type: 'lost', message, retryAfter: 0, isOurs };
  }
  const { status, retryAfter = 0, body } = error.upstream;
  const words = cleanText(body?.message ?? error.title);
  switch (status) {
    case 404:
      return { type: 'over', reason: 'gone', title: `${pod} was not found.` };
    case 400:
      if (/previous terminated container/.test(words)) {
        return {
          type: 'over',
          reason: 'no-previous',
          title: 'This container has no previous log.',
        };
      }
      if (/is waiting to start/.test(words)) return { type: 'waiting', message: words };
      return { type: 'over', reason: 'wrong', title: `${cluster} refuses: ${words}` };
    case 401:
    case 403:
      return {
        type: 'over',
        reason: 'forbidden',
        title: `This console's credential may not read the logs of ${cluster}. Give it a role that may get pods/log.`,
      };
    case undefined:
    default:
      return {
        type: 'lost',
        message: unreachedKubelet(words) ?? error.title,
        retryAfter: retryAfter * 1000,
        isOurs: false,
      };
  }
}
