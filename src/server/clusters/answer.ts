import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';

const errorBodyLimit = 64 * 1024;
const errorBodyMs = 2_000;
const unzip = promisify(gunzip);

/** An answer that is too large or no JSON; `code` says which. */
export class UnusableAnswer extends Error {
  readonly code: 'ANSWER_TOO_LARGE' | 'ANSWER_UNREADABLE';
  constructor(code: UnusableAnswer['code'], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/**
 * Reads a JSON answer; an empty one is undefined.
 * @param limit decoded bytes; throws UnusableAnswer beyond
 */
export async function readJson(response: Dispatcher.ResponseData, limit: number): Promise<unknown> {
  const bytes = await readBytes(response, limit);
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    // The parser quotes what it read: its words are not kept.
    throw new UnusableAnswer('ANSWER_UNREADABLE');
  }
}

/** The JSON body of a failed answer, undefined when it is none, too large or too slow. Never throws. */
export async function readErrorBody(response: Dispatcher.ResponseData): Promise<unknown> {
  // A stream has no time limit of its own, and its refusal must not wait for a body that never ends.
  const timer = setTimeout(() => response.body.destroy(), errorBodyMs);
  try {
    return await readJson(response, errorBodyLimit);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

async function readBytes(response: Dispatcher.ResponseData, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the body, and with it the rest of an endless answer.
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new UnusableAnswer('ANSWER_TOO_LARGE');
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const encoding = response.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity' || bytes.length === 0) return bytes;
  if (encoding !== 'gzip') throw new UnusableAnswer('ANSWER_UNREADABLE');
  try {
    return await unzip(bytes, { maxOutputLength: limit });
  } catch (error) {
    const isBomb = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new UnusableAnswer(isBomb ? 'ANSWER_TOO_LARGE' : 'ANSWER_UNREADABLE');
  }
}
