import { describe, expect, test } from 'vitest';
import {
  type HeldChange,
  heldFor,
  type HeldParts,
  holdChange,
  undo,
} from '../../src/web/features/actions/held-changes.ts';
import { keepHeldOnLeaving } from '../../src/web/features/actions/held-on-leaving.ts';
import { cell } from '../../src/web/core/state/state.ts';

/** A page with a clock that is moved by hand, and what it said and sent. */
function page() {
  const said: string[] = [];
  const sent: string[] = [];
  const undos = new Map<string, () => void>();
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  let now = 0;
  let typedOn: (() => void) | undefined;
  const say = (title: string) => void said.push(title);
  const toast = { success: say, error: say, warning: say, info: say };
  const held = cell<readonly HeldChange[]>([]);
  const parts: HeldParts = {
    held,
    log: () => undefined,
    now: () => now,
    later: (run, ms) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    toast,
    onText: (typed) => void (typedOn = typed),
    isFree: () => true,
    offerUndo: (id, title, _detail, undoIt) => {
      said.push(title);
      undos.set(id, undoIt);
      return () => undos.delete(id);
    },
  };
  return {
    held,
    toast,
    said,
    sent,
    undos,
    hold: (text: string, send = () => Promise.resolve(void sent.push(text))) =>
      holdChange(parts, { text, where: 'shop', send }),
    /** Types on at once after the key that asked for the last change. */
    typeOn: () => typedOn?.(),
    /** Presses keys one by one after the last change. */
    press: (...keys: readonly string[]) =>
      keys.map((key) => held.get().some((one) => one.pressed({ key } as KeyboardEvent))),
    /** Lets time pass; timers that are due fire at its end, as after a sleep. */
    pass: (ms: number) => {
      now += ms;
      for (const timer of timers) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.run();
      }
    },
  };
}

/** A window that only hears of coming and going, and its storage. */
function browser() {
  const target = new EventTarget() as unknown as Window;
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as unknown as Storage;
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return { target, storage, leave };
}

describe('a held change', () => {
  test('is not sent before its time, and then once', () => {
    const { hold, pass, sent, held, undos } = page();
    hold('Restart Deployment web');
    pass(heldFor - 1);
    expect(sent).toEqual([]);
    expect(held.get()).toHaveLength(1);
    pass(1);
    expect(sent).toEqual(['Restart Deployment web']);
    expect(held.get()).toEqual([]);
    expect(undos.size).toBe(0);
    pass(60_000);
    expect(sent).toHaveLength(1);
  });

  test('is never sent once it is undone: the latest by the key, any by its own button', async () => {
    const { hold, pass, sent, held, toast, undos, said } = page();
    hold('Restart Deployment a');
    hold('Restart Deployment b');
    hold('Restart Deployment c');
    undo(held, toast);
    expect(said).toContain('Restart Deployment c: undone');
    [...undos.values()][0]?.();
    pass(heldFor);
    await Promise.resolve();
    expect(sent).toEqual(['Restart Deployment b']);
    expect(() => undo(held, toast)).toThrow('No change is waiting to be sent.');
  });

  test('is not sent where its key turns out to be part of a text, unless that text undoes it', () => {
    const { hold, pass, typeOn, sent, said, held, toast } = page();
    hold('Restart Deployment web');
    typeOn();
    pass(heldFor / 10);
    expect(held.get()).toEqual([]);
    expect(said.at(-1)).toBe('Restart Deployment web: not sent');
    hold('Restart Deployment api');
    typeOn();
    undo(held, toast);
    pass(heldFor);
    expect(sent).toEqual([]);
    expect(said.at(-1)).toBe('Restart Deployment api: undone');
  });

  test.each([
    ['a word and Enter', ['e', 'd', 'i', 's', 'Enter']],
    ['the rest of a short word', ['u', 'n', 'Enter']],
    ['one letter and Enter', ['s', 'Enter']],
    ['one letter and a blank', ['m', ' ']],
    ['a word over keys that move', ['e', 'j', 's', 'k', 't']],
  ])('is not sent where %s follow at any pace', (_, keys) => {
    const { hold, pass, press, sent, said } = page();
    hold('Restart Deployment web');
    press(...keys);
    pass(heldFor / 10);
    pass(heldFor);
    expect(sent).toEqual([]);
    expect(said.at(-1)).toBe('Restart Deployment web: not sent');
  });

  test.each([
    ['moving', ['j', 'j', 'k', 'ArrowDown']],
    ['opening the object', ['Enter', 'l']],
    ['going to another list and opening a row', ['g', 'p', 'j', 'Enter']],
    ['searching', ['/', 'c', 'a', 'r', 't', 'Enter']],
  ])('is sent where its person goes on by %s', (_, keys) => {
    const { hold, pass, press, sent } = page();
    hold('Restart Deployment web');
    press(...keys);
    pass(heldFor);
    expect(sent).toEqual(['Restart Deployment web']);
  });

  test('waits on where a letter follows late, and is not sent where others of its word do', () => {
    const { hold, pass, press, sent, said } = page();
    hold('Restart Deployment web');
    pass(heldFor - 500);
    press('e');
    pass(1_900);
    expect(sent).toEqual([]);
    pass(200);
    expect(sent).toEqual(['Restart Deployment web']);
    hold('Restart Deployment api');
    for (const letter of ['e', 'd', 'i']) {
      pass(1_800);
      press(letter);
    }
    pass(200);
    pass(heldFor);
    expect(sent).toEqual(['Restart Deployment web']);
    expect(said.at(-1)).toBe('Restart Deployment api: not sent');
  });

  test('is not sent where a word goes on with its key, as that of a repeated letter, and is after a move', () => {
    const { hold, pass, press, sent } = page();
    hold('Restart Deployment web');
    press('r');
    hold('Restart Deployment web once more');
    press('Enter');
    pass(200);
    pass(heldFor);
    expect(sent).toEqual([]);
    hold('Restart Deployment web');
    press('j', 'r');
    hold('Restart Deployment api');
    press('j');
    pass(heldFor);
    expect(sent).toEqual(['Restart Deployment web', 'Restart Deployment api']);
  });

  test('is undone by Esc, the latest first', () => {
    const { hold, pass, press, sent } = page();
    hold('Restart Deployment web');
    hold('Restart Deployment api');
    expect(press('Escape')).toEqual([true]);
    pass(heldFor);
    expect(sent).toEqual(['Restart Deployment web']);
  });

  test('is not sent after the machine slept, with a message', () => {
    const { hold, pass, sent, said } = page();
    hold('Restart Deployment web');
    pass(3_600_000);
    expect(sent).toEqual([]);
    expect(said).toContain('Restart Deployment web: not sent');
  });

  test('that fails shows a message', async () => {
    const { hold, pass, said } = page();
    hold('Restart Deployment web', () => Promise.reject(new Error('The cluster does not answer.')));
    pass(heldFor);
    await new Promise((done) => setTimeout(done));
    expect(said.at(-1)).toContain('The cluster does not answer.');
  });

  test('asks before the page is left, is not sent then, and the next page says so', () => {
    const first = page();
    const { target, storage, leave } = browser();
    keepHeldOnLeaving(target, storage, first.held, first.toast);
    expect(leave()).toBe(false);
    first.hold('Restart Deployment web');
    expect(leave()).toBe(true);
    target.dispatchEvent(new Event('pagehide'));
    first.pass(heldFor);
    expect(first.sent).toEqual([]);

    const next = page();
    keepHeldOnLeaving(browser().target, storage, next.held, next.toast);
    expect(next.said).toEqual(['Restart Deployment web: not sent']);
    const third = page();
    keepHeldOnLeaving(browser().target, storage, third.held, third.toast);
    expect(third.said).toEqual([]);
  });

  test('goes with the person who is signed out', () => {
    const { hold, pass, sent, said, held } = page();
    hold('Restart Deployment web');
    for (const change of held.get()) change.drop();
    pass(heldFor);
    expect(sent).toEqual([]);
    expect(said).toContain('Restart Deployment web: not sent');
  });
});
