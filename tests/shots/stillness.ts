import type { Page } from 'playwright/test';

/** What a page's stillness is worked by from here. */
interface Still {
  isHeld: boolean;
}

/** Timers as long as this show something by themselves: a panel that closes, a toast that leaves (ms). */
const longTimer = 400;

/**
 * For the page, before any script of its own: time stands at `at` (ms), what a server noted since counts as noted
 * then, and timers of `long` ms or more wait while pictures are taken.
 */
function holdStill([at, long]: readonly [number, number]): void {
  const RealDate = window.Date;
  const realTimeout = window.setTimeout.bind(window);
  const realInterval = window.setInterval.bind(window);
  const notLater = (time: number): number => (time > at ? at : time);
  class StillDate extends RealDate {
    constructor(...parts: [] | ConstructorParameters<typeof Date>) {
      if (parts.length === 0) super(at);
      else super(notLater(new RealDate(...parts).getTime()));
    }
    static override now = (): number => at;
    static override parse = (text: string): number => notLater(RealDate.parse(text));
  }
  window.Date = StillDate as DateConstructor;
  const still: Still = { isHeld: false };
  const waiting = (call: TimerHandler, delay: number | undefined): TimerHandler => {
    if (typeof call !== 'function' || delay === undefined || delay < long) return call;
    const run = (...given: readonly unknown[]): void => {
      if (still.isHeld) realTimeout(run, long, ...given);
      else call(...given);
    };
    return run;
  };
  window.setTimeout = ((call: TimerHandler, delay?: number, ...given: unknown[]) =>
    realTimeout(waiting(call, delay), delay, ...given)) as typeof setTimeout;
  window.setInterval = ((call: TimerHandler, delay?: number, ...given: unknown[]) =>
    realInterval(waiting(call, delay), delay, ...given)) as typeof setInterval;
  Object.assign(window, { still });
}

/** Has time stand still in every page that is opened from here on, at an instant (ISO). */
export async function standStill(page: Page, instant: string): Promise<void> {
  await page.addInitScript(holdStill, [Date.parse(instant), longTimer] as const);
}

/** Nothing blinks: carets, the cursors that Monaco and xterm draw themselves, Monaco's scrollbars as they fade. */
const withoutCursors = `
  /* Forced colours show the caret all the same: then it stands. */
  * { caret-color: transparent !important; caret-animation: manual !important; }
  .monaco-editor :is(.cursors-layer, .scrollbar) { visibility: hidden !important; }
  .xterm .xterm-cursor { background: none !important; box-shadow: none !important; outline: none !important; color: inherit !important; animation: none !important; }
`;

/**
 * A page that changes nothing for `quiet` has all its answers; one that always changes is taken after `patience`. Counts
 * and hints, which come by timers, are awaited for `countPatience`: some pages have none (all in ms).
 */
const [quiet, patience, countPatience] = [1_000, 40_000, 4_000];

/**
 * Waits for counts and hints, holds every timer, and waits until the answers under way and the fonts are there. Ports,
 * which the machine chooses anew, the number of tries and the time of the next one read the same every run.
 */
export async function hold(page: Page): Promise<void> {
  await page.evaluate(
    async ([style, quietFor, atMost, atMostForCounts]) => {
      // The sidebar counts a cluster's objects when all their lists are there.
      const isCounted = (): boolean =>
        [...document.querySelectorAll('nav a[href$="/nodes"]')].every((link) =>
          /\d/.test(link.textContent ?? ''),
        );
      // Keys are named once all commands are loaded.
      const isHinted = (): boolean =>
        [...document.querySelectorAll('[data-status-line]')].every(
          (line) => line.querySelector('kbd') !== null,
        );
      const pause = () => new Promise((done) => setTimeout(done, 100));
      const asked = performance.now();
      while (!(isCounted() && isHinted()) && performance.now() - asked < atMostForCounts) await pause();
      (window as unknown as { still: Still }).still.isHeld = true;
      // The page's policy forbids inline styles; this is none.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      document.adoptedStyleSheets.push(sheet);
      let changedAt = performance.now();
      const begun = changedAt;
      const watcher = new MutationObserver(() => {
        changedAt = performance.now();
      });
      watcher.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
      const isQuiet = (): boolean => performance.now() - changedAt >= quietFor;
      while (!isQuiet() && performance.now() - begun < atMost) await pause();
      watcher.disconnect();
      await document.fonts.ready;
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        const said = text.nodeValue ?? '';
        const plain = said
          .replaceAll(/(127\.0\.0\.1|localhost):\d{4,5}\b/g, '$1:6443')
          .replaceAll(/\btry \d+\b/g, 'try N')
          .replaceAll(/\b(retries at) [\d:]{8} UTC/g, '$1 10:25:00 UTC');
        if (plain !== said) text.nodeValue = plain;
      }
    },
    [withoutCursors, quiet, patience, countPatience] as const,
  );
}

/** Lets the page go on. */
export async function release(page: Page): Promise<void> {
  await page.evaluate(() => {
    (window as unknown as { still: Still }).still.isHeld = false;
  });
}
