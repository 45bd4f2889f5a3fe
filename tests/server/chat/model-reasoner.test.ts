import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { ChatPart } from '../../../src/contract/chat.ts';
import { Problem } from '../../../src/contract/problem.ts';
import { kindById } from '../../../commands/kinds/index.ts';
import type { Member } from '../../../src/server/access/person.ts';
import { noneExcluded } from '../../../src/server/access/sight.ts';
import type { ToldPart } from '../../../src/server/chat/answer-log.ts';
import { MeteredModel } from '../../../src/server/chat/metered-model.ts';
import type { ModelUsage, Reservation } from '../../../src/server/chat/token-ledger.ts';
import { answerByModel } from '../../../src/server/chat/model-reasoner.ts';
import type { Question } from '../../../src/server/chat/reasoner.ts';
import { ToolRunner } from '../../../src/server/chat/tool-runner.ts';
import { tools } from '../../../src/server/chat/tools.ts';
import { StandIns } from '../../../src/server/chat/stand-ins.ts';
import { type Clock, systemClock } from '../../../src/server/kit/clock.ts';
import { asks, type ModelStub, said, stalling, startModelStub } from './model-stub.ts';

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
      people: new StandIns([]),
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

it('a provider that is silent for 30 seconds is given up with a sentence, and what it said before stays', async () => {
  const stub = await startModelStub();
  try {
    stub.script = [stalling('It is fine. It is ')];
    const waits = new Map<() => void, number>();
    const clock: Clock = {
      ...systemClock,
      after(ms, run) {
        const once = () => run();
        waits.set(once, ms);
        return () => waits.delete(once);
      },
    };
    const parts: ChatPart[] = [];
    const question = {
      text: 'Why?',
      signal: new AbortController().signal,
      tell: (told: readonly { readonly part: ChatPart }[]) => {
        parts.push(...told.map(({ part }) => part));
        return Promise.resolve();
      },
    } as unknown as Question;
    const provider = createOpenAICompatible({ name: 'model', baseURL: stub.url.href });
    const answer = answerByModel(question, {
      metered: { model: provider('stub'), used: { read: 0, written: 0 }, close: () => Promise.resolve() },
      runner: { evidence: () => undefined } as unknown as ToolRunner,
      findings: '',
      people: new StandIns([]),
      history: [],
      clock,
      log: pino({ level: 'silent' }),
    });
    await vi.waitUntil(() => parts.length > 0, { timeout: 60_000 });
    // One wait for silence and one for the whole, however much it wrote meanwhile.
    expect([...waits.values()].toSorted((a, b) => a - b)).toEqual([30_000, 100_000]);
    for (const [run, ms] of waits) if (ms === 30_000) run();
    await answer;
    expect(parts.map((part) => ('text' in part ? part.text : part.type))).toEqual([
      'It is fine.',
      'It is',
      'The model took too long and was stopped. The findings of the rules are complete.',
    ]);
    expect(waits.size).toBe(0);
  } finally {
    await stub.close();
  }
});

it('a model that writes more than one answer may have is cut off, and its provider is left', async () => {
  const stub = await startModelStub();
  try {
    stub.script = [stalling('This is fine. '.repeat(450))];
    const notices: string[] = [];
    const question = {
      text: 'Why?',
      signal: new AbortController().signal,
      tell: (told: readonly { readonly part: ChatPart }[]) => {
        notices.push(...told.flatMap(({ part }) => (part.type === 'notice' ? [part.text] : [])));
        return Promise.resolve();
      },
    } as unknown as Question;
    let request: AbortSignal | null | undefined;
    const provider = createOpenAICompatible({
      name: 'model',
      baseURL: stub.url.href,
      fetch: (address, options) => {
        request = options?.signal;
        return fetch(address, options);
      },
    });
    await answerByModel(question, {
      metered: {
        model: provider('stub'),
        used: { read: 0, written: 0 },
        close: () => Promise.resolve(),
      },
      runner: { evidence: () => undefined } as unknown as ToolRunner,
      findings: '',
      people: new StandIns([]),
      history: [],
      clock: systemClock,
      log: pino({ level: 'silent' }),
    });
    expect(notices).toEqual([expect.stringContaining('was cut off')]);
    expect(request?.aborted).toBe(true);
  } finally {
    await stub.close();
  }
});

/** A runner of tools for somebody who may view everything; it can be asked for nothing, unless said otherwise. */
function createRunner(more: Partial<ConstructorParameters<typeof ToolRunner>[0]>): ToolRunner {
  const unasked = () => Promise.reject(new Error('No tool of these asks for it.'));
  return new ToolRunner({
    clusterId: 1,
    people: new StandIns([]),
    tell: () => Promise.resolve(),
    reach: () =>
      Promise.resolve({
        held: { may: () => true, namespacesFor: () => 'all' },
        excluded: noneExcluded,
      } as never),
    findKind: (id) => Promise.resolve(kindById(id) as never),
    calls: { read: unasked } as never,
    readLog: unasked,
    readManagedFields: unasked,
    propose: unasked,
    withheld: new Set(),
    ...more,
  });
}

describe('what a tool tells a model', () => {
  /** Runs a tool over what the API answers, and gives what it told of. */
  async function toldBy(tool: string, input: object, answers: Readonly<Record<string, object>>) {
    const told: ToldPart[] = [];
    const runner = createRunner({
      tell: (parts) => Promise.resolve(void told.push(...parts)),
      calls: { read: (call: string) => Promise.resolve(answers[call]) } as never,
    });
    return { text: await runner.run(tool, input), told };
  }
  const nothing = { findings: [], notes: [], withheld: 0 };

  it.each([{}, { name: 'web' }, { kind: 'pod' }, { namespace: '' }])(
    'of the whole cluster is for those who may view the whole cluster: %o',
    async (input) => {
      const { told } = await toldBy('findings', input, {
        diagnoseCluster: nothing,
      });
      expect(told.map(({ part, objects }) => [part.type, objects])).toEqual([
        ['tool.started', [{ kind: 'namespace', need: 'asker' }]],
        ['tool.done', [{ kind: 'namespace', need: 'asker' }]],
      ]);
      expect(told[0]?.part).toMatchObject({ about: 'Findings of the cluster' });
    },
  );

  it('of a page says that there may be more', async () => {
    const answers = { objects: { items: [], continue: 'next' } };
    const pod = { kind: 'pod', namespace: 'shop', name: 'web' };
    expect((await toldBy('events', pod, answers)).text).toContain('There may be more');
    expect((await toldBy('list', { kind: 'pod', filter: 'web' }, answers)).text).toContain(
      'name a namespace to see others',
    );
    const { text } = await toldBy('list', { kind: 'pod', namespace: 'shop', filter: 'web' }, answers);
    expect(text).toMatch(/Only the first \d+ were searched\./);
  });
});

describe('of more than fits, a model is told 8 KB at most, and how much there is to narrow, by the tool', () => {
  const many = <T>(of: (at: number) => T) => Array.from({ length: 500 }, (_, at) => of(at));
  const at = '2026-01-01T00:00:00Z';
  const pod = { kind: 'pod', namespace: 'shop', name: 'web' };
  const answers: Readonly<Record<string, unknown>> = {
    diagnoseObject: {
      findings: many((index) => ({
        rule: 'rule',
        tone: 'bad',
        object: pod,
        path: [],
        sentence: `Container ${index} is not ready.`,
        evidence: [{ type: 'field', ref: pod, path: `containers[${index}]`, value: 'false' }],
        actions: [],
      })),
      notes: [],
      withheld: null,
    },
    objects: {
      items: many((index) => ({
        metadata: { name: `web-${index}`, namespace: 'shop' },
        involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web' },
        reason: 'BackOff',
        message: `Start ${index} failed.`,
        lastTimestamp: at,
      })),
    },
    object: {
      metadata: {
        name: 'web',
        namespace: 'shop',
        ownerReferences: many((index) => ({ kind: 'ReplicaSet', name: `web-${index}` })),
      },
    },
    revisions: {
      revisions: many((revision) => ({ revision, isCurrent: false, createdAt: at, images: [], cause: null })),
    },
    releaseHistory: {
      revisions: many((revision) => ({
        revision,
        status: 'superseded',
        chart: 'web',
        chartVersion: '1',
        description: 'é',
        updated: at,
      })),
    },
    releaseResources: {
      resources: many((index) => ({ kindId: 'pod', namespace: 'shop', name: `web-${index}` })),
    },
    objectUsageHistory: {
      status: 'answered',
      message: null,
      times: many(Number),
      cpu: many(Number),
      memory: many(Number),
    },
    availableActions: { actions: many((index) => ({ id: `pod.act-${index}`, enabled: true })), refused: [] },
    objectWriters: {
      objects: [{ ref: pod, writers: many((index) => ({ sentence: `Flux app-${index} puts this back.` })) }],
      notes: [],
    },
  };
  const inputs: Readonly<Record<string, object>> = {
    list: { kind: 'pod' },
    logs: { namespace: 'shop', pod: 'web', lines: 500 },
    helm: { namespace: 'shop', name: 'web' },
    propose: { action: 'object.delete', objects: [pod] },
  };

  it.each(tools.map(({ name }) => name))('%s', async (name) => {
    const runner = createRunner({
      calls: {
        read: (call: string) =>
          call in answers
            ? Promise.resolve(answers[call])
            : Promise.reject(new Problem({ status: 403, title: 'No.' })),
      } as never,
      // Characters of several bytes.
      readLog: () => Promise.resolve(many((index) => `Zeile ${index} – größer`).join('\n')),
      readManagedFields: () =>
        Promise.resolve(
          many((index) => ({ manager: `m-${index}`, operation: 'Update', time: at, fieldsV1: {} })),
        ),
      propose: () =>
        Promise.resolve({
          id: 'p',
          outcomes: many(() => ({ ref: pod, ok: true, message: 'Would be done.' })),
        }),
    });
    const told = await runner.run(name, inputs[name] ?? pod);
    expect(Buffer.byteLength(told)).toBeLessThanOrEqual(8 * 1024);
    expect(Buffer.byteLength(told)).toBeGreaterThan(200);
    // How many samples of an hour there are cannot be narrowed.
    expect(told).toMatch(name === 'usage' ? /last 20 of 500 samples/ : /\d+ of \d+[^:]{0,8}: narrow it/);
    if (name === 'logs') expect(told).toContain('Zeile 499 – größer');
  });
});

describe('a request to a metered model', () => {
  const person = { id: 1, companyId: 1 } as Member;

  /** A model whose ledger fails to settle as often as told, and notes what it settled. */
  function meteredOver(stub: ModelStub, { failures = 0, reserved = () => {} }) {
    let left = failures;
    const settled: ModelUsage[] = [];
    const warnings: unknown[] = [];
    const metered = new MeteredModel({
      model: createOpenAICompatible({ name: 'model', baseURL: stub.url.href, includeUsage: true })('stub'),
      person,
      limits: () => Promise.resolve({ person: 100_000, company: 100_000 }),
      log: { warn: (...said: unknown[]) => void warnings.push(said) },
      ledger: {
        reserve: (): Promise<Reservation> => {
          reserved();
          return Promise.resolve({ id: 'one', person, day: '2026-11-26' });
        },
        settle: (_reservation, usage) => {
          left -= 1;
          if (left >= 0) return Promise.reject(new Error('The store is away.'));
          settled.push(usage);
          return Promise.resolve();
        },
      },
    });
    return { metered, settled, warnings };
  }

  /** What a model answers to two questions, one after the other. */
  async function answersOf({ model }: MeteredModel, abortSignal?: AbortSignal) {
    const answers: string[] = [];
    const errors: unknown[] = [];
    for (const prompt of ['Why?', 'And then?']) {
      const { fullStream } = streamText({
        model,
        prompt,
        maxRetries: 0,
        ...(abortSignal && { abortSignal }),
        onError: () => {},
      });
      for await (const part of fullStream) {
        if (part.type === 'text-delta') answers.push(part.text);
        if (part.type === 'error') errors.push(part.error);
      }
    }
    return { text: answers.join(''), errors };
  }

  it('that cannot be settled when it ends is settled later, once, and fails no answer', async () => {
    const stub = await startModelStub();
    try {
      stub.script = [said('Fine.')];
      const { metered, settled, warnings } = meteredOver(stub, { failures: 2 });
      expect(await answersOf(metered)).toEqual({ text: 'Fine.Fine.', errors: [] });
      expect(settled).toEqual([]);
      await Promise.all([metered.close(), metered.close()]);
      expect(settled).toHaveLength(2);
      const [first, second] = settled;
      expect(first?.read).toBeGreaterThan(0);
      expect(metered.used.read).toBe((first?.read ?? 0) + (second?.read ?? 0));
      expect(warnings).toEqual([]);
    } finally {
      await stub.close();
    }
  });

  it('that can never be settled is logged, and keeps no other from being settled', async () => {
    const stub = await startModelStub();
    try {
      stub.script = [said('Fine.')];
      const { metered, settled, warnings } = meteredOver(stub, { failures: 4 });
      await answersOf(metered);
      await metered.close();
      expect(settled).toHaveLength(1);
      expect(warnings).toMatchObject([
        [{ reservation: 'one', day: '2026-11-26' }, expect.stringMatching(/could not be counted/)],
      ]);
    } finally {
      await stub.close();
    }
  });

  it('that is stopped while it waits for its reservation is not sent, and takes nothing', async () => {
    const stub = await startModelStub();
    try {
      const stopped = new AbortController();
      const { metered, settled } = meteredOver(stub, { reserved: () => stopped.abort() });
      await answersOf(metered, stopped.signal);
      await metered.close();
      expect(stub.received).toEqual([]);
      expect(settled[0]).toEqual({ read: 0, written: 0 });
      expect(metered.used).toEqual({ read: 0, written: 0 });
    } finally {
      await stub.close();
    }
  });
});
