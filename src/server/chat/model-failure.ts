import { APICallError } from 'ai';

/** Why a model gave no answer, as a sentence. It names no address and repeats nothing that the provider said. */
export function modelFailure(error: unknown): string {
  const what = 'The findings of the rules stand.';
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders } = error;
    if (statusCode === 429) {
      const after = Number(responseHeaders?.['retry-after']);
      const wait = Number.isFinite(after) && after > 0 ? ` Ask again in ${Math.ceil(after)} s.` : '';
      return `The model’s provider takes no more questions for now.${wait} ${what}`;
    }
    if (statusCode === 401 || statusCode === 403)
      return `The model’s provider refuses the key of this console. Whoever set the model up can replace it. ${what}`;
    if (statusCode === 404)
      return `The model’s provider has no such model or address. Whoever set it up can correct it. ${what}`;
    if (statusCode !== undefined && statusCode >= 500)
      return `The model’s provider failed (${statusCode}). Ask again later. ${what}`;
    if (statusCode === undefined) return `The model’s provider cannot be reached. ${what}`;
    return `The model’s provider refused the question (${statusCode}). ${what}`;
  }
  return `The model gave no answer that can be read. ${what}`;
}
