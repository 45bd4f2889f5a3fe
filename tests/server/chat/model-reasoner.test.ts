import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { answerByModel } from '../../../src/server/chat/model-reasoner.ts';
import type { Question } from '../../../src/server/chat/reasoner.ts';
import type { ToolRunner } from '../../../src/server/chat/tool-runner.ts';
import { systemClock } from '../../../src/server/kit/clock.ts';
import { asks, said, startModelStub } from './model-stub.ts';

it('an error of a tool ends the answer with it, and the provider is not told it', async () => {
  const stub = await startModelStub();
  try {
    stub.script = [asks(['get', '{"kind":"pod","namespace":"shop","name":"web"}']), said('Fine.')];
    const error = new Error('canary of the database');
    const runner = {
      evidence: () => undefined,
      run: () => Promise.reject(error),
    } as unknown as ToolRunner;
    const question = {
      text: 'Why?',
      signal: new AbortController().signal,
      tell: () => Promise.resolve(),
    } as unknown as Question;
    const provider = createOpenAICompatible({ name: 'model', baseURL: stub.url.href });
    const answer = answerByModel(question, {
      metered: { model: provider('stub'), used: { read: 0, written: 0 }, close: () => Promise.resolve() },
      runner,
      findings: '',
      history: [],
      clock: systemClock,
      log: pino({ level: 'silent' }),
    });
    await expect(answer).rejects.toBe(error);
    expect(stub.received.join('')).not.toContain('canary');
  } finally {
    await stub.close();
  }
});
