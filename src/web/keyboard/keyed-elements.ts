import { isChord } from '../../registry/keys/keys.ts';

const editable =
  'input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable], [role=textbox], [role=searchbox], [role=combobox]';
/** Elements that Space ticks: nothing is typed into them. */
const tickable = 'input:is([type=radio], [type=checkbox])';
/** Where a shell takes every key. */
const terminal = '[data-keys=terminal]';
/** Where a shell has ended: keys go nowhere, as its last ones may still be typed, but Esc leaves. */
const endedTerminal = '[data-keys=ended]';
/** Elements that handle plain keys themselves while they have the focus. */
const ownKeys = '[data-keys=own]';
/** Elements whose own meaning of Enter and Space comes first. */
const pressable =
  'button, a[href], summary, [role=menuitem], [role=option], [role=tab], [role=checkbox], [role=separator], [role=treeitem]';
/** Elements that Esc closes before it means anything else. */
const dismissible = '[data-dismissible]';
/** Elements that arrow keys move by themselves, and those keys. */
const movable =
  'input:is([type=radio], [type=range]), [role=separator], [role=slider], [role=radio], [role=treeitem], [role=listbox], [role=tab]';
const movingKeys = /^(?:shift\+)?(?:left|right|up|down|home|end)$/;

/** Keys that write nothing: in a text field they pass to commands that allow it. */
const functionKeys = /^(?:shift\+)?(?:esc|enter|up|down|left|right|home|end|pageup|pagedown|f\d+)$/;
/** Keys that write a character. */
const characterKeys = /^(?:shift\+)?(?:.|space)$/u;

const isInside = (element: Element | null, selector: string): boolean => element?.closest(selector) != null;

export const isField = (element: Element | null): boolean => isInside(element, editable);
/** The terminal that an element is in. */
export const terminalOf = (element: Element | null): Element | null => element?.closest(terminal) ?? null;
/** Whether no command has a key while an element has the focus: it is a shell's, or was meant for one. */
export const isTerminalKey = (element: Element | null, stroke: string): boolean =>
  terminalOf(element) !== null || (stroke !== 'esc' && isInside(element, endedTerminal));
/** Whether Enter or Space presses an element. */
export const isPressable = (element: Element | null): boolean => isInside(element, pressable);
export const writesCharacter = (stroke: string): boolean => characterKeys.test(stroke);
/** Whether a key only edits the text of a field that has the focus. */
export const editsText = (stroke: string): boolean => !isChord(stroke) && !functionKeys.test(stroke);

/** Whether an element, or one around it, takes Esc before it closes anything else. */
export const takesEscape = (element: Element | null): boolean => isInside(element, dismissible);

/** Whether an element, or one around it, handles a key itself. */
export function handlesKey(element: Element | null, stroke: string): boolean {
  if (!isChord(stroke) && isInside(element, ownKeys)) return true;
  if (stroke === 'space' && isInside(element, tickable)) return true;
  if (stroke === 'enter' || stroke === 'space') return isPressable(element);
  if (stroke === 'esc') return takesEscape(element);
  return movingKeys.test(stroke) && isInside(element, movable);
}

/**
 * Whether a key presses a plain button, or ticks what may be saved at once. Menus, tabs and lists of choices are searched by
 * typing, and choose by Enter.
 */
export const pressesButton = (element: Element | null, stroke: string): boolean =>
  ((stroke === 'enter' || stroke === 'space') && element?.matches('button:not([role])') === true) ||
  (stroke === 'space' && element?.matches(tickable) === true);

/** Whether an element is a button that a key presses only if it was pressed alone: the page asks before it acts. */
export const isAsking = (element: Element | null): boolean => isInside(element, '[data-keys=asking]');

/**
 * Whether a key clicks an element, so that a click can do later what the key would do now. Of those that do something else
 * at it, such as the parts of a tree, none is a click.
 */
export function clicks(element: Element | null, stroke: string): boolean {
  if (stroke === 'space' && isInside(element, tickable)) return true;
  const isClick = stroke === 'enter' || (stroke === 'space' && !isInside(element, 'a[href]'));
  return (
    isClick && isPressable(element) && !isInside(element, `${ownKeys}, [role=separator], [role=treeitem]`)
  );
}

/** The editing command, as `execCommand` names it, of a key that edits text; undefined for any other key. */
export function editCommandOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Backspace') return 'delete';
  if (key === 'Delete') return 'forwardDelete';
  return /^.$/u.test(key) ? 'insertText' : undefined;
}
