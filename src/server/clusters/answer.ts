import { parseInSteps } from '../kit/json-steps.ts';
import { promisify } from 'node:util';
import { isGzip } from '../kit/answer-encoding.ts';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { Lanes } from '../kit/lanes.ts';
import { createLimiter } from '../kit/limiter.ts';
import type { Budget } from '../kit/memory-budget.ts';
import { inSteps, turnTaken } from '../kit/turns.ts';

const errorBodyLimits: AnswerLimits = { bytes: 64 * 1024, values: 10_000 };
const errorBodyMs = 2_000;
/** Bytes in which values are counted at a time. */
const countedAtOnce = 1024 * 1024;
/**
 * Large answers that are parsed at a time for one company, and the bytes from which an answer is one. The others wait as
 * bytes: parsed, each takes many times the memory, which every collection goes through while everybody waits.
 */
const largeAnswers = new Lanes(2);
const largeBytes = 128 * 1024;
const unzip = promisify(gunzip);

/** An answer whose headers have arrived; `release` is called once its body is no longer read. */
export interface Answer {
  readonly response: Dispatcher.ResponseData;
  release(): void;
}

/** An answer that is too large, one too many to be read at a time, no JSON, or compressed but with gzip; `code` says which. */
export class UnusableAnswer extends Error {
  readonly code: 'ANSWER_ENCODED' | 'ANSWER_TOO_LARGE' | 'ANSWER_UNREADABLE' | 'ANSWERS_TOO_MANY';
  constructor(code: UnusableAnswer['code'], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** How much of an answer is taken. */
export interface AnswerLimits {
  /** Decoded bytes. */
  readonly bytes: number;
  /** Values in the JSON. Two bytes of text become fifty of memory: a small text can be a large object. */
  readonly values: number;
}

/** Parsed, an answer takes about this many times its bytes: objects of Kubernetes are short names and short values. */
const parsedSize = 4;
/** Large answers that are parsed at a time for no company, as lists that several people share. */
const sharedAnswers = createLimiter(4);

/** The budgets that an answer takes room of while it is read and parsed. */
export interface AnswerBudgets {
  /** Of the answers of its cluster: bytes as they are read. */
  readonly cluster: Budget;
  /** Of the answers of all clusters: with what they are parsed to. */
  readonly all: Budget;
}

/**
 * Reads a JSON answer; an empty one is undefined.
 * @throws UnusableAnswer for what is no JSON, beyond its limits, or more than the budget has left
 */
export async function readJson(
  response: Dispatcher.ResponseData,
  limits: AnswerLimits,
  budgets?: AnswerBudgets,
): Promise<unknown> {
  const [ofCluster, ofAll] = [budgets?.cluster, budgets?.all].map(holding);
  try {
    const bytes = await readBytes(response, limits.bytes, (more) => {
      ofCluster?.hold(more);
      ofAll?.hold(more);
    });
    if (bytes.length === 0) return undefined;
    await turnTaken()?.resume();
    if (await inSteps(hasMoreValues(bytes, limits.values))) throw new UnusableAnswer('ANSWER_TOO_LARGE');
    if (bytes.length < largeBytes) return await parse(bytes);
    const parseHeld = async () => {
      ofAll?.hold(parsedSize * bytes.length);
      return await parse(bytes);
    };
    const turn = turnTaken();
    if (turn === undefined) return await sharedAnswers.run(parseHeld);
    return await largeAnswers.run(turn.owner, parseHeld);
  } finally {
    ofCluster?.giveBack();
    ofAll?.giveBack();
  }
}

/** Bytes of a budget that one answer takes. */
function holding(budget: Budget | undefined) {
  let held = 0;
  return {
    hold(bytes: number) {
      if (budget === undefined) return;
      if (budget.held + bytes > budget.limit) throw new UnusableAnswer('ANSWERS_TOO_MANY');
      budget.held += bytes;
      held += bytes;
    },
    giveBack() {
      if (budget !== undefined) budget.held -= held;
    },
  };
}

async function parse(bytes: Buffer): Promise<unknown> {
  try {
    return await inSteps(parseInSteps(bytes));
  } catch {
    // The parser quotes what it read: its words are not kept.
    throw new UnusableAnswer('ANSWER_UNREADABLE');
  }
}

/**
 * Whether a JSON text has more values than allowed, judged before it is parsed, by the characters that begin or part
 * them. Those in texts count as well: the limit leaves room for them.
 */
function* hasMoreValues(bytes: Buffer, limit: number): Generator<void, boolean> {
  if (bytes.length <= limit) return false;
  let count = 0;
  // Five times as fast as an iterator, over what may be hundreds of megabytes.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    // , [ {
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
    if (at % countedAtOnce === countedAtOnce - 1) yield;
  }
  return count > limit;
}

/** The JSON body of a failed answer, undefined when it is none, too large or too slow. Never throws. */
export async function readErrorBody(response: Dispatcher.ResponseData): Promise<unknown> {
  // A stream has no time limit of its own, and its refusal must not wait for a body that never ends.
  const timer = setTimeout(() => response.body.destroy(), errorBodyMs);
  try {
    return await readJson(response, errorBodyLimits);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends an answer in an encoding that nobody asked for. Throws UnusableAnswer. */
export function requireKnownEncoding(answer: Answer): void {
  try {
    isCompressed(answer.response);
  } catch (error) {
    answer.release();
    throw error;
  }
}

/** Whether an answer is compressed with gzip. One in any other encoding is ended unread. Throws UnusableAnswer. */
function isCompressed({ headers, body }: Dispatcher.ResponseData): boolean {
  try {
    return isGzip(headers['content-encoding']);
  } catch (error) {
    body.on('error', () => {}).destroy();
    throw new UnusableAnswer('ANSWER_ENCODED', { cause: error });
  }
}

async function readBytes(
  response: Dispatcher.ResponseData,
  limit: number,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  const isZipped = isCompressed(response);
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the body, and with it the rest of an endless answer.
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new UnusableAnswer('ANSWER_TOO_LARGE');
    hold(chunk.length);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isZipped || bytes.length === 0) return bytes;
  try {
    const decoded = await unzip(bytes, { maxOutputLength: limit });
    hold(decoded.length);
    return decoded;
  } catch (error) {
    if (error instanceof UnusableAnswer) throw error;
    const isBomb = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new UnusableAnswer(isBomb ? 'ANSWER_TOO_LARGE' : 'ANSWER_UNREADABLE');
  }
}
