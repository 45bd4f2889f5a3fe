import { APICallError } from 'ai';
import type { Logger } from 'pino';
import { AddressRefused } from '../clusters/address.ts';
import { EncodingRefused } from '../kit/answer-encoding.ts';
import { describeError } from '../kit/describe-error.ts';
import { ModelChanged } from './chat-models.ts';
import { TokensUsedUp } from './token-ledger.ts';

/** Why a model gave no answer, as a sentence. It names no address and repeats nothing that the provider said. */
export const modelFailure = (error: unknown, log: Pick<Logger, 'warn'>): string =>
  `${failureOf(error, log)} The findings of the rules are complete.`;

/**
 * Of a provider that is not reached and of one that must not be dialled alike: whoever may enter addresses learns nothing
 * of the network of the console. The log says which.
 */
const unreachable =
  'The model’s provider cannot be reached, or the console may not connect to its address: its log says why.';

/** As `modelFailure`, without the chat around it. */
export function failureOf(error: unknown, log: Pick<Logger, 'warn'>): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TokensUsedUp) return cause.message;
    if (cause instanceof ModelChanged) return 'An Owner changed the model, so the answer was stopped.';
    if (cause instanceof AddressRefused) return notReached(error, log);
    if (cause instanceof EncodingRefused)
      return `The console cannot read what the model’s provider sent. ${cause.message}`;
  }
  const unreadable = 'The model’s answer could not be read.';
  if (!APICallError.isInstance(error)) return unreadable;
  const { statusCode, responseHeaders, responseBody } = error;
  if (statusCode === undefined) return notReached(error, log);
  // Anthropic's adapter reports a stream that begins with broken JSON as status 500.
  if (statusCode < 300 || responseBody?.includes('"name":"AI_JSONParseError"')) return unreadable;
  if (statusCode === 429) {
    const after = Number(responseHeaders?.['retry-after']);
    const wait = Number.isFinite(after) && after > 0 ? ` Ask again in ${Math.ceil(after)} s.` : '';
    return `The model’s provider accepts no more questions for now.${wait}`;
  }
  if (statusCode === 401 || statusCode === 403)
    return 'The model’s provider rejects the key of this console. An Owner or the operator can replace it.';
  if (statusCode === 404)
    return 'The model’s provider has no such model or address. An Owner or the operator can correct it.';
  if (statusCode >= 300 && statusCode < 400)
    return `The model’s provider answered ${statusCode}: redirects are not followed. An Owner or the operator can enter the address that it leads to.`;
  if (statusCode >= 500) return `The model’s provider failed (${statusCode}). Ask again later.`;
  return `The model’s provider refused the question (${statusCode}). It may not know the model, or may not support tools.`;
}

function notReached(error: unknown, log: Pick<Logger, 'warn'>): string {
  log.warn(
    { err: describeError(error) },
    'The provider of a model was not reached. WHEELHOUSE_AI_ALLOW_CIDRS and WHEELHOUSE_AI_ALLOW_PORTS allow more than https on port 443 of public addresses.',
  );
  return unreachable;
}
