import { fetch as undiciFetch } from 'undici';
import type { AddressGuard } from '../clusters/address.ts';
import { createGuardedAgent } from '../identity/guarded-fetch.ts';

/** Bytes of all that a model answers at a time. */
const maxAnswerLength = 4 * 1024 * 1024;

/**
 * A `fetch` for a model: through the address guard, without redirects, its answer handed on as it comes up to 4 MB.
 * @param trusted an origin that is dialled as it is written: what the operator put into the environment
 */
export function createModelFetch(guard: AddressGuard, trusted?: URL): typeof globalThis.fetch {
  const dispatcher = createGuardedAgent(guard, trusted);
  return async (target, init) => {
    const answer = await undiciFetch(target instanceof Request ? target.url : target, {
      // Node's own types are of another version of undici than the one that fetches.
      ...(init as unknown as Parameters<typeof undiciFetch>[1]),
      redirect: 'manual',
      dispatcher,
    });
    let length = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.byteLength;
        if (length > maxAnswerLength) controller.error(new Error('The answer is longer than 4 MB.'));
        else controller.enqueue(chunk);
      },
    });
    const body = (answer.body as ReadableStream<Uint8Array> | null)?.pipeThrough(bounded) ?? null;
    return new Response(body, { status: answer.status, headers: [...answer.headers] });
  };
}
