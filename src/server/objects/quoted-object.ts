import { cleanText } from '../../kube/text.ts';
import { ClusterProblem } from '../clusters/transport.ts';

/** How API servers begin when a JSON patch makes an object they cannot read: with all of the object, as text. */
const beginning = '"" is invalid: patch: Invalid value: "';
const quoted = /^"[^"\\]*(?:\\.[^"\\]*)*": (?<reason>.*)$/s;

/**
 * A cluster's refusal of a patch without the object that it quotes as a whole, which nobody can read and which may hold
 * what nobody may. Any other failure as it is.
 */
export function withoutObject(error: unknown): unknown {
  if (!(error instanceof ClusterProblem)) return error;
  const message = error.upstream.body?.message ?? error.title;
  if (!message.startsWith(beginning)) return error;
  const reason = quoted.exec(message.slice(beginning.length - 1))?.groups?.['reason'];
  return new ClusterProblem(
    {
      status: error.status,
      title:
        reason === undefined || reason.includes('{')
          ? 'The cluster cannot read the object as it would be. Its words are left out, as they quote all of it.'
          : `The cluster cannot read the object as it would be: ${cleanText(reason).slice(0, 1_000)}`,
      retryable: false,
      where: error.where,
    },
    { status: error.upstream.status, reason: error.upstream.reason },
  );
}
