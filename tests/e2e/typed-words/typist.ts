import { setTimeout as wait } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright/test';

/** Where the keyboard focus is when a word is typed. */
export const focusPlaces = ['rows', 'filter', 'tab bar', 'sidebar', 'button', 'view'] as const;
export type FocusPlace = (typeof focusPlaces)[number];

/** The key that ends a word. */
export const endings = ['Enter', 'Space', 'Control+Enter'] as const;
export type Ending = (typeof endings)[number];

/** How keys follow each other: all at once, or each once the page has drawn what the one before it did. */
export const rhythms = ['burst', 'person'] as const;
export type Rhythm = (typeof rhythms)[number];

/** Somebody who types a word goes on after this, ms, also where the page has not drawn yet. */
const slowest = 200;

const shift = 8;
const control = 2;

interface KeyStroke {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  readonly modifiers: number;
  readonly text?: string;
}

const punctuation: Readonly<Record<string, readonly [code: string, keyCode: number, isShifted?: true]>> = {
  ' ': ['Space', 32],
  '-': ['Minus', 189],
  _: ['Minus', 189, true],
  '.': ['Period', 190],
  ':': ['Semicolon', 186, true],
};

/** The stroke of a character on an American keyboard. Throws for one that no word has. */
function strokeOf(character: string): KeyStroke {
  const capital = character.toUpperCase();
  const letter = (code: string, isShifted: boolean): KeyStroke => ({
    key: character,
    code,
    windowsVirtualKeyCode: capital.charCodeAt(0),
    modifiers: isShifted ? shift : 0,
    text: character,
  });
  if (/^[A-Z]$/.test(capital)) return letter(`Key${capital}`, character === capital);
  if (/^\d$/.test(character)) return letter(`Digit${character}`, false);
  const [code, windowsVirtualKeyCode, isShifted] = punctuation[character] ?? [];
  if (code === undefined || windowsVirtualKeyCode === undefined)
    throw new Error(`No key is known for ${character}.`);
  return { key: character, code, windowsVirtualKeyCode, modifiers: isShifted ? shift : 0, text: character };
}

const endStrokes: Readonly<Record<Ending, KeyStroke>> = {
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, modifiers: 0, text: '\r' },
  Space: strokeOf(' '),
  'Control+Enter': { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, modifiers: control },
};
const escape: KeyStroke = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27, modifiers: 0 };
/** Closes a tile of several. */
const closeTile: readonly KeyStroke[] = [strokeOf('w'), strokeOf('q')];
/** Tabs that the words may leave open before the page is loaded anew: each of them goes on reading. */
const manyTabs = 8;
const home: KeyStroke = { key: 'Home', code: 'Home', windowsVirtualKeyCode: 36, modifiers: 0 };

/** Selector of the layers in front of a page: dialogs, menus, lists of choices. */
const overlays = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox]';

/** Types into a page by the keys that a browser gives it, and brings it back to where it was. */
export class Typist {
  readonly #page: Page;
  readonly #session: CDPSession;
  /** Where an address led to, by the address. */
  readonly #places = new Map<string, string>();

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** A typist for a page, of whatever address is loaded into it. */
  static async create(page: Page): Promise<Typist> {
    return new Typist(page, await page.context().newCDPSession(page));
  }

  /** Goes on in a new page of the same browser, which leads to an address, and closes this one. */
  async anew(url: string): Promise<Typist> {
    const page = await this.#page.context().newPage();
    await page.goto(url);
    await this.#page.close();
    return await Typist.create(page);
  }

  async #press({ text, ...stroke }: KeyStroke): Promise<void> {
    const down =
      text === undefined
        ? { ...stroke, type: 'rawKeyDown' as const }
        : { ...stroke, text, type: 'keyDown' as const };
    await Promise.all([
      this.#session.send('Input.dispatchKeyEvent', down),
      this.#session.send('Input.dispatchKeyEvent', { ...stroke, type: 'keyUp' }),
    ]);
  }

  async #untilDrawn(): Promise<void> {
    await this.#page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  }

  /**
   * Types a word and its ending. A dialog that the word opened has been on screen for longer than a slip takes before the
   * ending is pressed, if a person types. Gives the address and the names of the dialogs that it was pressed in.
   */
  async type(word: string, ending: Ending, rhythm: Rhythm): Promise<string> {
    const strokes = Array.from(word, strokeOf);
    if (rhythm === 'burst') await Promise.all(strokes.map((stroke) => this.#press(stroke)));
    else
      for (const stroke of strokes) {
        await this.#press(stroke);
        await Promise.race([this.#untilDrawn(), wait(slowest)]);
      }
    const where = await this.#page.evaluate(
      async ([selector, isPerson]) => {
        const open = () => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
        const seen = new Set<Element>();
        const hasNew = () => open().some((one) => !seen.has(one));
        for (let isWaiting = isPerson && hasNew(); isWaiting; isWaiting = hasNew()) {
          for (const one of open()) seen.add(one);
          await new Promise((done) => setTimeout(done, 400));
        }
        const names = open().map((one) => {
          const label = document.getElementById(one.getAttribute('aria-labelledby') ?? '');
          return `[${one.getAttribute('aria-label') ?? label?.textContent ?? one.role}]`;
        });
        return [location.pathname + location.search, ...names].join(' ');
      },
      [overlays, rhythm === 'person'] as const,
    );
    await this.#press(endStrokes[ending]);
    await this.#untilDrawn();
    return where;
  }

  /** Whether a change is held, which is sent unless somebody undoes it. */
  async isHolding(): Promise<boolean> {
    return await this.#page.evaluate(() =>
      [...document.querySelectorAll('[data-toast] button')].some((one) => one.textContent.startsWith('Undo')),
    );
  }

  /** Leaves whatever is open by Escape. Says whether that did it. */
  async #leaveOverlays(): Promise<boolean> {
    for (let tries = 0; tries < 8; tries += 1) {
      const isOpen = await this.#page.evaluate(
        (selector) => [...document.querySelectorAll(selector)].some((one) => one.checkVisibility()),
        overlays,
      );
      if (!isOpen) return true;
      await this.#press(escape);
      await this.#untilDrawn();
    }
    return false;
  }

  /** Closes the tiles that words have opened, up to one. Says whether that did it, and few tabs are open. */
  async #leaveTiles(): Promise<boolean> {
    for (let tries = 0; tries < 4; tries += 1) {
      const { tiles, tabs } = await this.#page.evaluate(() => {
        const count = document.querySelectorAll('[data-tile]').length;
        if (count > 1 && document.activeElement instanceof HTMLElement) document.activeElement.blur();
        return {
          tiles: count,
          tabs: document.querySelectorAll('[role=tablist][aria-label=Tabs] [role=tab]').length,
        };
      });
      if (tiles <= 1) return tabs <= manyTabs;
      for (const stroke of closeTile) await this.#press(stroke);
      await this.#untilDrawn();
    }
    return false;
  }

  /**
   * Makes a page of the console the only one on screen and waits until it can be worked with. Goes there inside the page
   * where that leads there, else by loading it.
   */
  async return(url: string, hasRows: boolean): Promise<void> {
    const { pathname, search } = new URL(url);
    const asked = pathname + search;
    const place = this.#places.get(asked) ?? asked;
    const isFree = (await this.#leaveOverlays()) && (await this.#leaveTiles());
    let reached = isFree ? await this.#reach(place, hasRows, 15_000) : undefined;
    if (reached === undefined) {
      // Else it would bring the tabs back that the words have opened.
      await this.#page.evaluate(() => sessionStorage.clear()).catch(() => undefined);
      await this.#page.goto(url);
      reached = await this.#reach(undefined, hasRows, 90_000);
    }
    if (reached === undefined) throw new Error(`${url} does not become ready.`);
    // An address may lead to another one of the same page.
    this.#places.set(asked, reached);
  }

  /**
   * Goes to a place without loading the page, or stays, and waits until what is there can be worked with. Gives the address
   * that the page has then; undefined where it does not get there in time, or has other tiles beside it.
   */
  async #reach(place: string | undefined, hasRows: boolean, timeout: number): Promise<string | undefined> {
    return await this.#page.evaluate(
      async ([wanted, rows, limit]) => {
        const visible = (selector: string) =>
          [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
        const name = () =>
          visible('main h1, main [role=grid]')
            .map((one) => one.getAttribute('aria-label') ?? one.textContent)
            .join();
        const isWhole = () =>
          document.querySelectorAll('[data-tile]').length === 1 &&
          visible('nav[aria-label=Sidebar]').length > 0;
        const isReady = () =>
          visible(rows ? 'main [data-row]' : 'main h1').length > 0 &&
          !visible('main [role=status]').some((one) => /^(Loading|Reading)/.test(one.textContent));
        const address = () => location.pathname + location.search;
        // The next page is on screen once what it is called is another; the same page stays with another filter.
        let before: string | undefined;
        if (wanted !== undefined && address() !== wanted) {
          if (!isWhole()) return undefined;
          const there = new URL(wanted, location.href);
          const isSame =
            location.pathname === there.pathname &&
            new URLSearchParams(location.search).get('section') === there.searchParams.get('section');
          if (!isSame) before = name();
          history.pushState(null, '', wanted);
        }
        const end = performance.now() + limit;
        do {
          if (name() !== before && isReady() && isWhole()) return address();
          await new Promise((done) => setTimeout(done, 60));
        } while (performance.now() < end);
        return undefined;
      },
      [place, hasRows, timeout] as const,
    );
  }

  /** Gives the focus to a place of the page, or to the next one that the page has, and says which. */
  async focusFrom(place: FocusPlace, chance: number): Promise<FocusPlace> {
    const at = focusPlaces.indexOf(place);
    for (const one of [...focusPlaces.slice(at), ...focusPlaces.slice(0, at)])
      if (await this.#focus(one, chance)) return one;
    throw new Error('The page takes no focus.');
  }

  /** Gives the focus to a place of the page; says whether the page has such a place. @param chance which of several */
  async #focus(place: FocusPlace, chance: number): Promise<boolean> {
    const isThere = await this.#page.evaluate(
      ([wanted, number]) => {
        const tile = document.querySelector('[data-tile][data-focused]') ?? document.body;
        const selectors = {
          rows: '[role=grid], table a, [role=list] a',
          filter: 'input[aria-label^=Filter], input[type=search]',
          'tab bar': '[role=tab][aria-selected=true]',
          sidebar: 'nav[aria-label=Sidebar] a',
          button: 'button:enabled',
          view: '[role=tabpanel]',
        } as const;
        const inTile = wanted === 'rows' || wanted === 'filter' || wanted === 'button';
        const found = [...(inTile ? tile : document).querySelectorAll<HTMLElement>(selectors[wanted])].filter(
          (one) =>
            one.checkVisibility() && (one.closest('[role=tablist]') === null) === (wanted !== 'tab bar'),
        );
        const target = found[wanted === 'rows' ? 0 : Math.floor(number * found.length)];
        target?.focus();
        if (wanted === 'view' && (target === undefined || document.activeElement !== target)) {
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
          return true;
        }
        return target !== undefined && document.activeElement === target;
      },
      [place, chance] as const,
    );
    if (isThere && place === 'rows') await this.#press(home);
    return isThere;
  }
}
