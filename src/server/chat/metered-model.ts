import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import type { Member } from '../access/person.ts';
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
}

/** Characters of one token, on the average, where a provider tells no numbers. */
const perToken = 4;

/** A model whose requests reserve what they may take, and settle what they took. Its requests throw TokensUsedUp. */
export class MeteredModel {
  readonly model: LanguageModel;
  readonly #parts: MeteredParts;
  readonly #open = new Set<OpenRequest>();
  #read = 0;
  #written = 0;

  constructor(parts: MeteredParts) {
    this.#parts = parts;
    this.model = wrapLanguageModel({
      model: parts.model,
      middleware: {
        specificationVersion: 'v4',
        wrapGenerate: async ({ doGenerate, params }) => {
          const request = await this.#begin(params);
          const answer = await this.#sent(request, params, doGenerate);
          request.answered += JSON.stringify(answer.content).length;
          request.heard(answer.usage);
          await this.#settle(request);
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
            flush: () => this.#settle(request),
          });
          return { ...answer, stream: answer.stream.pipeThrough(counted) };
        },
      },
    });
  }

  /** What its requests took so far. */
  get used(): ModelUsage {
    return { read: this.#read, written: this.#written };
  }

  /** Settles requests that were cut off, by what is known of them. */
  async close(): Promise<void> {
    for (const request of this.#open) await this.#settle(request);
  }

  async #begin({ prompt, tools, maxOutputTokens = 0 }: RequestParams): Promise<OpenRequest> {
    const { ledger, person, limits } = this.#parts;
    const text = JSON.stringify([prompt, tools]);
    // No token is shorter than a byte of what is sent.
    const atMost = Buffer.byteLength(text) + maxOutputTokens;
    const request = new OpenRequest(await ledger.reserve(person, await limits(), atMost), text.length);
    this.#open.add(request);
    return request;
  }

  /** Sends a request; what a provider refused took nothing. */
  async #sent<T>(
    request: OpenRequest,
    { abortSignal }: RequestParams,
    send: () => PromiseLike<T>,
  ): Promise<T> {
    try {
      return await send();
    } catch (error) {
      // A provider that was left alone may have worked on it.
      if (abortSignal?.aborted !== true) request.refused();
      await this.#settle(request);
      throw error;
    }
  }

  async #settle(request: OpenRequest): Promise<void> {
    if (!this.#open.delete(request)) return;
    const { read, written } = request.usage;
    this.#read += read;
    this.#written += written;
    await this.#parts.ledger.settle(request.reservation, { read, written });
  }
}

/** A request that is under way. */
class OpenRequest {
  readonly reservation: Reservation;
  /** Characters that came back. */
  answered = 0;
  readonly #asked: number;
  #told: ModelUsage | undefined;

  constructor(reservation: Reservation, asked: number) {
    this.reservation = reservation;
    this.#asked = asked;
  }

  heard({ inputTokens, outputTokens }: Extract<AnswerPart, { type: 'finish' }>['usage']): void {
    const told = { read: inputTokens.total ?? 0, written: outputTokens.total ?? 0 };
    if (told.read + told.written > 0) this.#told = told;
  }

  refused(): void {
    this.#told = { read: 0, written: 0 };
  }

  get usage(): ModelUsage {
    return (
      this.#told ?? {
        read: Math.ceil(this.#asked / perToken),
        written: Math.ceil(this.answered / perToken),
      }
    );
  }
}
