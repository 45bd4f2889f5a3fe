import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import type { Logger } from 'pino';
import type { Member } from '../access/person.ts';
import { describeError } from '../kit/describe-error.ts';
import type { ProviderModel, TokenLimits } from './chat-models.ts';
import type { ModelUsage, Reservation, TokenLedger } from './token-ledger.ts';

type Wrapped = Parameters<NonNullable<LanguageModelMiddleware['wrapStream']>>[0];
type RequestParams = Wrapped['params'];
type Answer = Awaited<ReturnType<Wrapped['doStream']>>;
type AnswerPart = Answer['stream'] extends ReadableStream<infer P> ? P : never;

export interface MeteredParts {
  readonly model: ProviderModel;
  readonly ledger: Pick<TokenLedger, 'reserve' | 'settle'>;
  readonly person: Member;
  /** What may be used, read anew for each request. */
  readonly limits: () => Promise<TokenLimits>;
  /** Logs what could not be settled. */
  readonly log: Pick<Logger, 'warn'>;
}

/** Characters of one token, on the average, where a provider tells no numbers. */
const perToken = 4;

/** A model whose requests reserve what they may take, and settle what they took. Its requests throw TokensUsedUp. */
export class MeteredModel {
  readonly model: LanguageModel;
  readonly #parts: MeteredParts;
  readonly #requests: MeteredRequest[] = [];

  constructor(parts: MeteredParts) {
    this.#parts = parts;
    this.model = wrapLanguageModel({
      model: parts.model,
      middleware: {
        specificationVersion: 'v3',
        wrapGenerate: async ({ doGenerate, params }) => {
          const request = await this.#begin(params);
          const answer = await this.#sent(request, params, doGenerate);
          request.answered += JSON.stringify(answer.content).length;
          request.heard(answer.usage);
          await this.#end(request);
          return answer;
        },
        wrapStream: async ({ doStream, params }) => {
          const request = await this.#begin(params);
          const answer = await this.#sent(request, params, doStream);
          const counted = new TransformStream<AnswerPart, AnswerPart>({
            transform(part, controller) {
              if ('delta' in part && typeof part.delta === 'string') request.answered += part.delta.length;
              if (part.type === 'finish') request.heard(part.usage);
              controller.enqueue(part);
            },
            // Before the next request of the same answer is made.
            flush: () => this.#end(request),
          });
          return { ...answer, stream: answer.stream.pipeThrough(counted) };
        },
      },
    });
  }

  /** What its requests took so far. */
  get used(): ModelUsage {
    const usages = this.#requests.map(({ usage }) => usage);
    return {
      read: usages.reduce((sum, { read }) => sum + read, 0),
      written: usages.reduce((sum, { written }) => sum + written, 0),
    };
  }

  /**
   * Settles requests that were cut off, by what is known of them, and those that could not be settled when they ended.
   * Never throws: of what cannot be settled even now the reservation counts until its day is over.
   */
  async close(): Promise<void> {
    for (const request of this.#requests) {
      await this.#end(request);
      try {
        await this.#settle(request);
      } catch (error) {
        const { id, day } = request.reservation;
        this.#parts.log.warn(
          { err: describeError(error), reservation: id, day },
          'What a request to a model took could not be counted: what was reserved for it counts that day',
        );
      }
    }
  }

  async #begin({ prompt, tools, maxOutputTokens = 0 }: RequestParams): Promise<MeteredRequest> {
    const { ledger, person, limits } = this.#parts;
    const text = JSON.stringify([prompt, tools]);
    // No token is shorter than a byte of what is sent.
    const atMost = Buffer.byteLength(text) + maxOutputTokens;
    const request = new MeteredRequest(
      await ledger.reserve(person, await limits(), atMost),
      { read: Buffer.byteLength(text), written: maxOutputTokens },
      text.length,
    );
    this.#requests.push(request);
    return request;
  }

  /** Sends a request; one that a provider refused, or that was not sent any more, took nothing. */
  async #sent<T>(
    request: MeteredRequest,
    { abortSignal }: RequestParams,
    send: () => PromiseLike<T>,
  ): Promise<T> {
    let isSent = false;
    try {
      // The person may have stopped it while it waited for its reservation.
      abortSignal?.throwIfAborted();
      isSent = true;
      return await send();
    } catch (error) {
      // A provider that was left alone may have worked on it.
      if (!isSent || abortSignal?.aborted !== true) request.refused();
      await this.#end(request);
      throw error;
    }
  }

  /** Settles a request that ended. A failure is no failure of the answer: `close` tries again. */
  async #end(request: MeteredRequest): Promise<void> {
    await this.#settle(request).catch(() => undefined);
  }

  /** Settles a request once, whoever asks; anew only where it failed. Throws errors of the database. */
  async #settle(request: MeteredRequest): Promise<void> {
    request.settling ??= this.#parts.ledger
      .settle(request.reservation, request.usage)
      .catch((error: unknown) => {
        request.settling = undefined;
        throw error;
      });
    await request.settling;
  }
}

/** A request, and what is known of what it took. */
class MeteredRequest {
  readonly reservation: Reservation;
  /** Characters that came back. */
  answered = 0;
  /** While it is settled, and from then on. */
  settling: Promise<void> | undefined;
  /** Tokens that it may take: a provider that claims or sends more is not believed. */
  readonly #atMost: ModelUsage;
  readonly #asked: number;
  /** As the provider says. */
  #reported: ModelUsage | undefined;

  /** @param asked characters that were sent */
  constructor(reservation: Reservation, atMost: ModelUsage, asked: number) {
    this.reservation = reservation;
    this.#atMost = atMost;
    this.#asked = asked;
  }

  heard({ inputTokens, outputTokens }: Extract<AnswerPart, { type: 'finish' }>['usage']): void {
    const reported = { read: inputTokens.total ?? 0, written: outputTokens.total ?? 0 };
    if (reported.read + reported.written > 0) this.#reported = reported;
  }

  refused(): void {
    this.#reported = { read: 0, written: 0 };
  }

  get usage(): ModelUsage {
    const { read, written } = this.#reported ?? {
      read: Math.ceil(this.#asked / perToken),
      written: Math.ceil(this.answered / perToken),
    };
    return { read: Math.min(read, this.#atMost.read), written: Math.min(written, this.#atMost.written) };
  }
}
