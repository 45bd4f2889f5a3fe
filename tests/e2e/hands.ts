import { type ElementHandle, expect, type Locator, type Page } from 'playwright/test';
import { typedGap } from '../../src/web/kit/typed-gap.ts';

/** How a person works the page: with a pointer, or with the keyboard alone. A journey is written once, for both. */
export interface Hands {
  readonly name: 'pointer' | 'keyboard';
  /** Presses a button or follows a link. */
  press(target: Locator): Promise<void>;
  /** Ticks or unticks a checkbox. */
  tick(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>;
  /** Puts a text into an empty field at once, as a paste does; in the editor of YAML it replaces what is there. */
  paste(field: Locator, text: string): Promise<void>;
  /** Chooses an option of a labelled select. */
  select(field: Locator, option: string): Promise<void>;
  /** Chooses an entry of a searchable list under a button. */
  pick(button: Locator, entry: string): Promise<void>;
  /** Chooses an entry of a menu under a button. */
  choose(button: Locator, entry: string): Promise<void>;
}

/** An entry whose name is this word by word: `playground` is not `playground-staging`. */
const wholly = (entry: string): RegExp =>
  new RegExp(`(?<![\\w-])${entry.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`);

/** An entry of the open menu: something to do, or one of several to choose from. */
const entryOf = (page: Page, name: string): Locator =>
  page.getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name }));

/** What can be reached by Tab on one screen, at most. */
const stops = 200;

/** Puts a text into the editor of YAML in place of what is there, by a paste. */
async function pasteIntoEditor(editor: Locator, text: string): Promise<void> {
  await editor.page().keyboard.press('ControlOrMeta+a');
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const isEditor = (field: Locator): Promise<boolean> =>
  field.evaluate((element) => element.closest('[data-monaco]') !== null);

/** What stands in the editor of YAML, as far as it is in sight. */
export async function editorText(editor: Locator): Promise<string> {
  return await editor.evaluate((element) =>
    [...(element.closest('[data-monaco]')?.querySelectorAll<HTMLElement>('.view-line') ?? [])]
      .sort((one, other) => Number.parseFloat(one.style.top) - Number.parseFloat(other.style.top))
      .map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))
      .join('\n'),
  );
}

/** The key that leads to an element from what has the focus, and what the element says. */
interface Bearing {
  readonly way: 'here' | 'out of the editor' | 'Tab' | 'Shift+Tab' | 'gone';
  /** The beginning of its name and text. */
  readonly text: string;
}

/** The editor takes Tab for itself until it is told not to. */
const bearingOf = (target: Element): Bearing => {
  const text = `${target.getAttribute('aria-label') ?? ''} ${target.textContent.slice(0, 80)}`;
  if (!target.isConnected) return { way: 'gone', text };
  const { activeElement: focused } = document;
  if (target === focused) return { way: 'here', text };
  const note = focused?.closest('[data-part=editor]')?.querySelector('[data-part=editor-note]');
  if (note?.textContent?.startsWith('Tab indents') === true) return { way: 'out of the editor', text };
  if (focused === null || focused === document.body) return { way: 'Tab', text };
  const isBefore = focused.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING;
  return { way: isBefore === 0 ? 'Tab' : 'Shift+Tab', text };
};

type Found = ElementHandle<HTMLElement | SVGElement>;

async function find(target: Locator): Promise<{ readonly element: Found; readonly text: string }> {
  const element: Found = await target.elementHandle();
  return { element, text: (await element.evaluate(bearingOf)).text };
}

/**
 * Walks with Tab until the target has the focus, back with Shift when it stands before what has it, and checks that the
 * focus shows. Throws when Tab never gets there.
 *
 * A search by role and name reads the whole page, which takes longer than all else at a stop. So the element that was
 * found is kept as long as it stands in the page and says the same, and is found once more at the end.
 */
export async function tabTo(target: Locator): Promise<void> {
  const page = target.page();
  await expect(target).toBeVisible();
  let { element, text } = await find(target);
  let direction: 'Tab' | 'Shift+Tab' | undefined;
  for (let stop = 0; stop < stops; stop += 1) {
    const bearing = await element.evaluate(bearingOf);
    const { way } = bearing;
    const isHere = way === 'here' && (await target.evaluate((one) => one === document.activeElement));
    if (isHere) {
      await expectFocusShown(page);
      return;
    }
    if (way === 'here' || way === 'gone' || bearing.text !== text) {
      ({ element, text } = await find(target));
      continue;
    }
    if (way === 'out of the editor') {
      await page.keyboard.press('Control+m');
      const left = element;
      await expect.poll(async () => (await left.evaluate(bearingOf)).way).not.toBe(way);
    } else direction ??= way;
    await page.keyboard.press(direction ?? 'Tab');
  }
  throw new Error(`Tab does not reach ${String(target)} within ${stops} stops.`);
}

/** Walks down an open menu until an entry has the focus. Throws when the arrow keys never get there. */
export async function arrowTo(entry: Locator): Promise<void> {
  const page = entry.page();
  await expect(entry).toBeVisible();
  let { element, text } = await find(entry);
  for (let step = 0; step < stops; step += 1) {
    const bearing = await element.evaluate(bearingOf);
    if (bearing.way === 'here') return;
    if (bearing.way === 'gone' || bearing.text !== text) {
      ({ element, text } = await find(entry));
      continue;
    }
    await page.keyboard.press('ArrowDown');
    // A menu moves the focus in a timer: without letting it fire, a busy page would be walked past its entries.
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
  }
  throw new Error(`The arrow keys do not reach ${String(entry)}.`);
}

/** Waits until the dialog that an element is in, if any, confirms by keys: that takes a moment after it was painted. */
export async function armed(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect
    .poll(() => target.evaluate((element) => element.closest('[data-dialog]:not([data-armed])') === null))
    .toBe(true);
}

/** Waits until the next key begins anew: one that follows the last at once would be part of a typed text. */
export async function pauseTyping(page: Page): Promise<void> {
  const now = () => page.evaluate(() => performance.now());
  const pressed = await now();
  await expect.poll(now).toBeGreaterThan(pressed + typedGap);
}

/** What `focusShown` says when the page has no focus. */
export const noFocus = 'nothing has the focus';

/** `shown` when something marks what has the focus, an outline or a ring; else what is wrong. */
export async function focusShown(page: Page): Promise<string> {
  return await page.evaluate((nothing) => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return nothing;
    if (!focused.matches(':focus-visible')) return 'the browser sees no reason to show the focus';
    // A field's frame, the line of a list that a link stands for, the active row of a grid or the tab of a view shows it
    // in its stead.
    const byId = (name: string) => document.getElementById(focused.getAttribute(name) ?? '');
    const active = byId('aria-activedescendant');
    const tab = focused.matches('[role=tabpanel]') ? byId('aria-labelledby') : null;
    for (const element of [
      focused,
      focused.parentElement,
      focused.closest('li, tr, [role=row], [data-part=editor]'),
      active,
      tab,
    ]) {
      if (element === null) continue;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      if ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none') return 'shown';
    }
    return `nothing marks the focused ${focused.outerHTML.slice(0, 200)}`;
  }, noFocus);
}

/** Something marks what has the focus. */
export async function expectFocusShown(page: Page): Promise<void> {
  await expect.poll(() => focusShown(page)).toBe('shown');
}

/** Works with the mouse, and types. */
export function pointer(page: Page): Hands {
  return {
    name: 'pointer',
    press: (target) => target.click(),
    tick: (target) => target.click(),
    write: async (field, text) => {
      await armed(field);
      await field.fill(text);
    },
    paste: async (field, text) => {
      if (!(await isEditor(field))) return await field.fill(text);
      await field.focus();
      return await pasteIntoEditor(field, text);
    },
    select: async (field, option) => {
      const box = field.and(page.getByRole('combobox'));
      await box.click();
      await page.getByRole('option', { name: option, exact: true }).click();
      await expect(box).toHaveText(option);
    },
    pick: async (button, entry) => {
      await button.click();
      await page.getByRole('option', { name: wholly(entry) }).click();
    },
    choose: async (button, entry) => {
      await button.click();
      await entryOf(page, entry).click();
    },
  };
}

/** Works with the keyboard alone: Tab to get there, then what the control understands. */
export function keyboard(page: Page): Hands {
  const keys = page.keyboard;
  return {
    name: 'keyboard',
    press: async (target) => {
      await tabTo(target);
      await armed(target);
      await keys.press('Enter');
    },
    tick: async (target) => {
      await tabTo(target);
      await keys.press('Space');
    },
    write: async (field, text) => {
      await tabTo(field);
      await armed(field);
      await keys.press('ControlOrMeta+a');
      if (text === '') await keys.press('Delete');
      else await keys.type(text);
    },
    paste: async (field, text) => {
      await tabTo(field);
      await armed(field);
      if (await isEditor(field)) await pasteIntoEditor(field, text);
      else await keys.insertText(text);
    },
    select: async (field, option) => {
      const box = field.and(page.getByRole('combobox'));
      await tabTo(box);
      // A word on the closed list chooses nothing where a choice is saved at once.
      await keys.press('Enter');
      await keys.type(option);
      await keys.press('Enter');
      await expect(box).toHaveText(option);
      await expect(box).toBeFocused();
    },
    pick: async (button, entry) => {
      await tabTo(button);
      const opener = await button.elementHandle();
      await keys.press('Enter');
      const field = page.getByRole('combobox', { expanded: true });
      await expect(field).toBeFocused();
      await keys.type(entry);
      const option = page.getByRole('option', { name: wholly(entry) });
      await expect(option).toBeVisible();
      const id = (await option.getAttribute('id')) ?? '';
      for (let step = 0; (await field.getAttribute('aria-activedescendant')) !== id; step += 1) {
        if (step > stops) throw new Error(`The arrow keys do not reach ${entry}.`);
        await keys.press('ArrowDown');
      }
      await keys.press('Enter');
      await expect(field).toBeHidden();
      // The button may say something else by now: it is the same element that has the focus again, if it is still there.
      await expect
        .poll(() => opener?.evaluate((element) => !element.isConnected || element === document.activeElement))
        .toBe(true);
    },
    choose: async (button, entry) => {
      await tabTo(button);
      await keys.press('Enter');
      await arrowTo(entryOf(page, entry));
      await keys.press('Enter');
    },
  };
}

/** Both ways to work, for journeys that are walked in each. */
export const bothHands = [pointer, keyboard] as const;
