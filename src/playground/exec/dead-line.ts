import { type DeadLine, kubeletUrl } from '../api/kubelet-line.ts';
import { StatusError } from '../kit/status.ts';
import type { Order } from './session.ts';

/** A session as requested from the kubelet. */
export interface SessionWish extends Order {
  readonly what: 'exec' | 'attach';
}

/**
 * The error of a session whose kubelet does not answer, sent on the error channel, because the API server has
 * already accepted the connection (v5).
 */
export function sessionProblem({ host, problem }: DeadLine, wish: SessionWish): string {
  const flags = [
    ['input', wish.stdin],
    ['output', wish.stdout],
    ['error', wish.stderr],
    ['tty', wish.tty],
  ] as const;
  const given = [
    ...flags.flatMap(([name, set]) => (set ? [[name, '1'] as const] : [])),
    ...wish.command.map((word) => ['command', word] as const),
  ];
  const url = kubeletUrl(host, wish.what, wish.pod, wish.container, given);
  return `error sending request: Post "${url}": ${problem}`;
}

/** The refusal of a session that the API server only proxies (v4, SPDY). */
export const dialRefusal = ({ problem }: DeadLine): StatusError =>
  new StatusError(500, undefined, `error dialing backend: ${problem}`);
