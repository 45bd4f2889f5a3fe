import { describe, expect, test } from 'vitest';
import { type Asker, admissionLimits, createAdmission } from '../../../src/server/manifests/admission.ts';
import { settle } from '../live/fake-clock.ts';

/** Texts whose reading ends when the test says so. */
function bench(limits: Partial<Record<keyof typeof admissionLimits, number>> = {}) {
  const admission = createAdmission({ ...admissionLimits, ...limits } as typeof admissionLimits);
  const read: string[] = [];
  const ends: (() => void)[] = [];
  return {
    read,
    /** Asks for a text to be read; it is called `who.number`. */
    ask(this: void, who: number, name: string, more: Partial<Asker> & { size?: number } = {}) {
      const { isDraft = false, signal = new AbortController().signal, size = 10 } = more;
      const asked = admission.run({ who, isDraft, signal }, size, () => {
        read.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      });
      asked.catch(() => undefined);
      return asked;
    },
    async end(this: void) {
      ends.shift()?.();
      await settle();
    },
  };
}

describe('texts that people send', () => {
  test('are read one at a time, and everybody gets a turn before anybody gets a second one', async () => {
    const { ask, read, end } = bench();
    for (const name of ['1a', '1b', '1c', '1d']) void ask(1, name);
    void ask(2, '2a');
    void ask(3, '3a');
    void ask(2, '2b');
    await settle();
    expect(read).toEqual(['1a']);
    for (let turn = 0; turn < 6; turn += 1) await end();
    expect(read).toEqual(['1a', '1b', '2a', '3a', '1c', '2b', '1d']);
  });

  test('of calls go before drafts, which still get a turn now and then', async () => {
    const { ask, read, end } = bench();
    void ask(1, 'draft', { isDraft: true });
    await settle();
    void ask(1, 'draft 2', { isDraft: true });
    for (let who = 2; who < 10; who += 1) void ask(who, `call ${who}`);
    for (let turn = 0; turn < 9; turn += 1) await end();
    expect(read.indexOf('draft 2')).toBe(1 + admissionLimits.callsBeforeDraft);
    expect(read).toHaveLength(10);
  });

  test('are limited for each person, without limiting others', async () => {
    const { ask, read, end } = bench();
    for (let count = 0; count < admissionLimits.perPerson; count += 1) void ask(1, `1.${count}`);
    await expect(ask(1, 'one more')).rejects.toMatchObject({ status: 429, retryable: true });
    void ask(2, '2');
    await end();
    await end();
    expect(read).toContain('2');
    void ask(1, 'now');
    for (let turn = 0; turn < 5; turn += 1) await end();
    expect(read).toContain('now');
  });

  test('wait only as long as all of them together are not too long', async () => {
    const { ask, end } = bench({ characters: 100 });
    void ask(1, 'long', { size: 60 });
    await expect(ask(2, 'as long', { size: 60 })).rejects.toMatchObject({ status: 503 });
    void ask(3, 'short', { size: 40 });
    await end();
    void ask(2, 'as long', { size: 60 });
    await end();
  });

  test('are dropped when their caller leaves, and count no longer', async () => {
    const { ask, read, end } = bench();
    void ask(1, 'first');
    const leaving = new AbortController();
    const left = Array.from({ length: admissionLimits.perPerson }, (_, at) =>
      ask(2, `left ${at}`, { signal: leaving.signal }),
    );
    await settle();
    leaving.abort();
    for (const one of left) await expect(one).rejects.toMatchObject({ status: 499 });
    void ask(2, 'stays');
    await expect(ask(3, 'gone', { signal: leaving.signal })).rejects.toMatchObject({ status: 499 });
    await end();
    await end();
    expect(read).toEqual(['first', 'stays']);
  });

  test('go on after one that failed', async () => {
    const admission = createAdmission();
    const asker = { who: 1, isDraft: false, signal: new AbortController().signal };
    const failing = admission.run(asker, 1, () => Promise.reject(new Error('It failed.')));
    const next = admission.run(asker, 1, () => Promise.resolve('read'));
    await expect(failing).rejects.toThrow('It failed.');
    expect(await next).toBe('read');
  });
});
