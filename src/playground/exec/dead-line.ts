import { type KubeletFailure, kubeletUrl } from '../api/kubelet-line.ts';
import { StatusError } from '../kit/status.ts';
import type { SessionOptions } from './session.ts';

/** A session as requested from the kubelet. */
export interface SessionRequest extends SessionOptions {
  readonly endpoint: 'exec' | 'attach';
}

/**
 * The error of a session whose kubelet does not answer, sent on the error channel, because the API server has
 * already accepted the connection (v5).
 */
export function sessionProblem({ host, problem }: KubeletFailure, request: SessionRequest): string {
  const flags = [
    ['input', request.stdin],
    ['output', request.stdout],
    ['error', request.stderr],
    ['tty', request.tty],
  ] as const;
  const given = [
    ...flags.flatMap(([name, set]) => (set ? [[name, '1'] as const] : [])),
    ...request.command.map((word) => ['command', word] as const),
  ];
  const url = kubeletUrl(host, request.endpoint, request.pod, request.container, given);
  return `error sending request: Post "${url}": ${problem}`;
}

/** The refusal of a session that the API server only proxies (v4, SPDY). */
export const dialRefusal = ({ problem }: KubeletFailure): StatusError =>
  new StatusError(500, undefined, `error dialing backend: ${problem}`);
