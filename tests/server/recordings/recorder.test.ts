import { describe, expect, it } from 'vitest';
import { readCast } from '../../../src/contract/asciicast.ts';
import { Recorder, recordingLimits, type RecordingStore } from '../../../src/server/recordings/recorder.ts';
import { createFakeClock, settle } from '../live/fake-clock.ts';

/** A store that keeps parts in memory and takes them as the test lets it. */
function memory() {
  const parts: { position: number; text: string; duration: number }[] = [];
  let gate: Promise<void> = Promise.resolve();
  const store: RecordingStore = {
    async append(part) {
      await gate;
      parts.push(part);
      return undefined;
    },
    end: (ending) => Promise.resolve(ending),
  };
  return {
    store,
    parts,
    text: () => parts.map(({ text }) => text).join(''),
    /** From now on the store does not answer. Returns what makes it answer, or fail. */
    hang: () => {
      const answer = Promise.withResolvers<void>();
      gate = answer.promise;
      return answer;
    },
  };
}

async function begin(limits: Partial<Record<keyof typeof recordingLimits, number>> = {}) {
  const kept = memory();
  const clock = createFakeClock();
  const recorder = new Recorder({
    store: kept.store,
    clock,
    size: { columns: 80, rows: 24 },
    title: 'Shell in shop/web on prod',
    limits: { ...recordingLimits, ...limits },
  });
  await recorder.start();
  const busy: boolean[] = [];
  recorder.onBusy((isBusy) => busy.push(isBusy));
  let stopped: string | undefined;
  void recorder.stopped.then((why) => {
    stopped = why;
  });
  return { ...kept, clock, recorder, busy, stopped: () => stopped };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a recorder', () => {
  it('stores the header before anything is shown, then what came within a quarter of a second, in order', async () => {
    const { recorder, parts, clock, text } = await begin();
    expect(parts).toHaveLength(1);
    recorder.output(bytes('a'));
    await clock.advance(100);
    recorder.resize(100, 30);
    recorder.output(bytes('b'));
    await clock.advance(150);
    recorder.output(bytes('c'));
    await clock.advance(250);
    await recorder.close('The shell ended.');
    expect(parts.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(readCast(text()).events).toEqual([
      [0, 'o', 'a'],
      [0.1, 'r', '100x30'],
      [0.1, 'o', 'b'],
      [0.25, 'o', 'c'],
      [0.5, 'm', 'The shell ended.'],
    ]);
  });

  it('keeps a character whole whose bytes come apart', async () => {
    const { recorder, text } = await begin();
    const [head, tail] = [bytes('é').subarray(0, 1), bytes('é').subarray(1)];
    recorder.output(head);
    recorder.output(tail);
    recorder.output(head);
    await recorder.close('end');
    expect(readCast(text()).events.map(([, , data]) => data)).toEqual(['é', '\ufffd', 'end']);
  });

  it('lets nothing more be read while a part is stored, and stores what had come meanwhile after it', async () => {
    const { recorder, busy, clock, parts, hang } = await begin({ part: 10 });
    const answer = hang();
    recorder.output(bytes('first'));
    expect(busy).toEqual([false, true]);
    expect(recorder.output(bytes('second'))).toBe(true);
    await clock.advance(1_000);
    expect(parts).toHaveLength(1);
    answer.resolve();
    await settle();
    expect(parts.map(({ text }) => text.includes('second'))).toEqual([false, false, true]);
    expect(busy.at(-1)).toBe(false);
  });

  it('stops once it is as large or lasts as long as one may, and says how it ended', async () => {
    const large = await begin({ size: 200 });
    expect(large.recorder.output(bytes('x'.repeat(200)))).toBe(true);
    expect(large.recorder.output(bytes('y'))).toBe(false);
    await settle();
    expect(large.stopped()).toBe('large');
    await large.recorder.close('It is full.');
    expect(readCast(large.text()).events.map(([, code]) => code)).toEqual(['o', 'm']);
    const long = await begin();
    await long.clock.advance(recordingLimits.duration);
    expect(long.stopped()).toBe('long');
  });

  it('keeps the last of several sizes in a row, and counts every event as a part of its size', async () => {
    const { recorder, clock, text, stopped } = await begin({ size: 1_000 });
    for (let columns = 10; columns < 100; columns += 1) recorder.resize(columns, 30);
    recorder.output(bytes('a'));
    recorder.resize(200, 50);
    await clock.advance(250);
    expect(readCast(text()).events.map(([, , data]) => data)).toEqual(['99x30', 'a', '200x50']);
    for (let turn = 0; turn < 50; turn += 1) {
      recorder.resize(100 + turn, 30);
      await clock.advance(250);
    }
    expect(stopped()).toBe('large');
    expect(text().length).toBeLessThan(1_100);
  });

  it('stops where a part cannot be stored, or not in time: nothing is shown that it does not record', async () => {
    const failing = await begin({ part: 1 });
    failing.hang().reject(new Error('gone'));
    failing.recorder.output(bytes('a'));
    await settle();
    expect(failing.stopped()).toBe('unrecorded');
    expect(failing.recorder.output(bytes('b'))).toBe(false);
    expect(failing.busy.at(-1)).toBe(true);
    await expect(failing.recorder.close('end')).rejects.toThrow('gone');
    const late = await begin({ part: 1 });
    late.hang();
    late.recorder.output(bytes('a'));
    await late.clock.advance(recordingLimits.patience);
    expect(late.stopped()).toBe('unrecorded');
  });

  it('begins nothing where the beginning cannot be stored', async () => {
    const { store, hang } = memory();
    hang().reject(new Error('gone'));
    const parts = { store, clock: createFakeClock(), size: { columns: 80, rows: 24 }, title: '' };
    await expect(new Recorder(parts).start()).rejects.toThrow('gone');
  });
});
