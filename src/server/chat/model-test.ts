import { generateText, type LanguageModel } from 'ai';
import type { Logger } from 'pino';
import type { AnsweringModel } from './chat-models.ts';
import { failureOf } from './model-failure.ts';

/** How long a model may take for a tiny answer, and from which time on that is slow, ms. */
const patience = 20_000;
const slowFrom = 5_000;
const prompt = 'Answer with the word OK.';
const maxOutputTokens = 16;

/** What a test of a model came to. */
export interface ModelTest {
  readonly ok: boolean;
  readonly sentence: string;
}

/** Makes one tiny request to a model. Its sentence repeats nothing that the provider said. */
export async function testModel(
  { model, name, origin }: Omit<AnsweringModel, 'model'> & { readonly model: LanguageModel },
  signal: AbortSignal,
  log: Pick<Logger, 'warn'>,
  limit = patience,
): Promise<ModelTest> {
  const began = performance.now();
  const time = AbortSignal.timeout(limit);
  try {
    await generateText({
      model,
      prompt,
      maxOutputTokens,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, time]),
    });
    const took = performance.now() - began;
    const seconds = (took / 1000).toFixed(1);
    const how = took < slowFrom ? '' : ' That is slow: expect to wait for answers in the chat.';
    return {
      ok: true,
      sentence: `${name} at ${origin} answered within ${seconds} s.${how}`,
    };
  } catch (error) {
    signal.throwIfAborted();
    const sentence = time.aborted
      ? `The model’s provider did not answer within ${limit / 1000} seconds.`
      : failureOf(error, log);
    return { ok: false, sentence };
  }
}
