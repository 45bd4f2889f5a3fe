import type { AddressGuard } from '../clusters/address.ts';
import { createStreamingFetch } from '../identity/guarded-fetch.ts';

/** Bytes of all that a model answers at a time. */
const maxAnswerLength = 4 * 1024 * 1024;

/**
 * A `fetch` for a model: through the address guard, without redirects, its answer handed on as it comes up to 4 MB.
 * @param trusted an origin that is dialled as it is written: what the operator put into the environment
 */
export const createModelFetch = (guard: AddressGuard, trusted?: URL): typeof globalThis.fetch =>
  createStreamingFetch(guard, maxAnswerLength, { trusted });
