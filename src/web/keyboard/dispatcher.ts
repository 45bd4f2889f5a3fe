import type { Command } from '../../registry/command.ts';
import { type Binding, leaderCommand, resolveKeys } from '../../registry/keymap.ts';
import { isChord, strokeOf } from '../../registry/keys.ts';
import { holds, type May } from '../../registry/registry.ts';
import type { ContextKeys } from '../../registry/when.ts';
import type { WhyNot } from '../../registry/why-not.ts';
import type { PendingKeys } from './port.ts';
import { createHeldKeys } from './held-keys.ts';

/** How long a first key waits for its second (ms). */
const patience = 2_000;
/** How long it is said why a key does nothing (ms). */
const reading = 5_000;
const editable =
  'input, textarea, select, [contenteditable], [role=textbox], [role=searchbox], [role=combobox]';
/** Where every key is a shell's. */
const terminal = '[data-keys=terminal]';
/** What understands plain keys itself while it has the focus. */
const ownKeys = '[data-keys=own]';
/** Elements whose own meaning of Enter and Space comes first. */
const pressable =
  'button, a[href], summary, [role=menuitem], [role=option], [role=tab], [role=checkbox], [role=separator], [role=treeitem]';

/** Elements that Esc takes away before it means anything else. */
const dismissible = '[data-dismissible]';

/** What arrows move by itself, and the keys that do. */
const movable = '[role=separator], [role=slider], [role=radio], [role=treeitem], [role=listbox], [role=tab]';
const movingKeys = /^(?:shift\+)?(?:left|right|up|down|home|end)$/;

/** Keys that write nothing: in a text field they pass where a command says so. */
const namedKeys = /^(?:shift\+)?(?:esc|enter|up|down|left|right|home|end|pageup|pagedown|f\d+)$/;

/** What writes a character. */
const printable = /^(?:shift\+)?(?:.|space)$/u;
/** So long after a character a field that is gone by itself is still meant by the next one (ms). */
const burst = 700;

/** What the dispatcher needs of the app. */
export interface DispatcherParts {
  /** The bindings of this moment: a person may change theirs. */
  readonly bindings: () => readonly Binding[];
  readonly isMac: boolean;
  /** The context of this moment; `focus` is that of the focused view. */
  readonly context: () => ContextKeys;
  readonly may: () => May;
  /** Loads what keys may mean that is not known yet: commands, and whether they are allowed; undefined once all of it is. */
  readonly whole?: () => Promise<unknown> | undefined;
  readonly run: (command: Command) => void;
  /** Why keys that are bound do nothing in a context; undefined where they mean nothing anyway. */
  readonly whyNot: (strokes: readonly string[], context: ContextKeys) => WhyNot | undefined;
  /** Takes a key that is typed into a palette or an editor which is not there yet; false where there is none. */
  readonly typeAhead: (key: string, at: Element | null) => boolean;
  readonly setPending: (pending: PendingKeys | undefined) => void;
}

/**
 * The one listener for keys, in the capture phase so that nothing swallows them first. Answers how to remove it.
 * In text fields only chords and commands that say `focus: input` pass; in a terminal only the leader, which gives
 * what is pressed next to the console.
 */
export function installDispatcher(target: Window, parts: DispatcherParts): () => void {
  let strokes: readonly string[] = [];
  let isLed = false;
  let isExplaining = false;
  /** When the last character was typed into a field; `event.timeStamp`. */
  let typedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const reset = () => {
    clearTimeout(timer);
    if (strokes.length === 0 && !isLed && timer === undefined) return;
    timer = undefined;
    strokes = [];
    isLed = false;
    isExplaining = false;
    parts.setPending(undefined);
  };
  const wait = (pending: PendingKeys, time: number = patience) => {
    parts.setPending(pending);
    clearTimeout(timer);
    timer = setTimeout(reset, time);
  };

  /** What keys mean by the commands that are known, and allowed, now. */
  const resolve = (pressed: readonly string[], context: ContextKeys) => {
    const may = parts.may();
    const allowed = parts.bindings().filter((one) => holds(one.command.needs, may));
    return resolveKeys(allowed, pressed, context);
  };

  const isFirstOfAll = () => strokes.length === 0 && !isLed;

  /** Keys that were pressed while commands are loading. */
  const held = createHeldKeys<KeyboardEvent>({
    write: (event) => {
      const command = editOf(event);
      if (command === undefined || document.activeElement?.closest(editable) == null) return false;
      // The one way to write into any field as typing does, with its events and what it can undo.
      document.execCommand(command, false, event.key);
      return true;
    },
    take: (event) => {
      const focused = document.activeElement;
      const isPress = strokeOf(event, parts.isMac) === 'enter' && isPressable(focused);
      if (isPress && focused instanceof HTMLElement) focused.click();
      else take(event, focused);
    },
    settled: () => new Promise((done) => setTimeout(done)),
  });

  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    if (event.getModifierState('AltGraph')) return;
    if (!held.isHolding()) {
      take(event, event.target);
      return;
    }
    const stroke = strokeOf(event, parts.isMac);
    const element = event.target instanceof Element ? event.target : null;
    const isField = element?.closest(editable) != null;
    if (stroke === undefined) return;
    // A key that follows on held ones into their field comes after them: texts keep their order.
    const isBehind = isField && !held.catchUp() && editOf(event) !== undefined;
    // What has the focus understands the key by itself: that is what is meant, whatever is still coming.
    if (/^(?:shift\+)?tab$/.test(stroke)) return;
    const isText = isField && (printable.test(stroke) || editOf(event) !== undefined);
    if (!isBehind && (isText || understands(element, stroke))) return;
    if (!isField || isBehind) {
      event.preventDefault();
      event.stopPropagation();
    }
    held.hold(event);
  };

  const take = (event: KeyboardEvent, at: EventTarget | null) => {
    const stroke = strokeOf(event, parts.isMac);
    if (stroke === undefined) return;
    const swallow = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    const element = at instanceof Element ? at : null;
    if (!isChord(stroke) && parts.typeAhead(event.key, element)) {
      swallow();
      return;
    }
    const isInTerminal = !isLed && element?.closest(terminal) != null;
    const isTyping = !isLed && !isInTerminal && element?.closest(editable) != null;
    const isText = printable.test(stroke) && !isInTerminal;
    const isLate = isText && !isTyping && isFirstOfAll() && event.timeStamp - typedAt < burst;
    typedAt = isText && (isTyping || isLate) ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (isLate) {
      // The field went while somebody typed (the session ended, a dialog was answered elsewhere): no letter of theirs is a command.
      swallow();
      return;
    }
    // What writes into a field is asked for nothing more: it is echoed at once.
    if (isTyping && isFirstOfAll() && !isChord(stroke) && !namedKeys.test(stroke)) return;
    const base = parts.context();
    const context: ContextKeys = isInTerminal
      ? { ...base, focus: 'terminal' }
      : isTyping
        ? { ...base, focus: 'input' }
        : base;
    if (event.repeat && context.overlay === 'dialog' && stroke.endsWith('enter') && !isManyLines(element)) {
      // Still the press that opened the dialog, which was not one on the act it asks about.
      swallow();
      return;
    }
    const isFirst = strokes.length === 0;
    if (isFirst && !isLed && understands(element, stroke)) return;
    if ((!isFirst || isLed || isExplaining) && stroke === 'esc') {
      swallow();
      reset();
      return;
    }

    const pressed = [...strokes, stroke];
    const found = resolve(pressed, context);
    const loading = found.type === 'none' ? parts.whole?.() : undefined;
    if (loading !== undefined) {
      // What it means may not be there yet: it is looked at once more when it is. Who loads tells of a failure.
      held.hold(event);
      if (isText) swallow();
      loading.then(held.replay, held.drop);
      return;
    }
    if (found.type === 'none') {
      const reason = event.repeat ? undefined : parts.whyNot(pressed, context);
      if (isFirst && !isLed && reason === undefined) return;
      swallow();
      reset();
      if (reason === undefined)
        wait({ strokes: pressed.slice(0, 1), next: [], unknown: stroke, isLeader: isFirst });
      else {
        isExplaining = true;
        wait({ strokes: reason.strokes, next: [], reason: reason.text }, reading);
      }
      return;
    }
    swallow();
    if (found.type === 'pending') {
      strokes = pressed;
      const rest = parts.whole?.();
      wait(
        { strokes: pressed, next: continuations(found.bindings, pressed.length) },
        rest === undefined ? patience : reading,
      );
      // What may follow is told once more when all of it is there, unless the next key came. Who loads tells of a failure.
      rest?.then(
        () => {
          const all = resolve(pressed, context);
          if (strokes === pressed && all.type === 'pending')
            wait({ strokes: pressed, next: continuations(all.bindings, pressed.length) });
        },
        () => undefined,
      );
      return;
    }
    reset();
    if (found.command.id === leaderCommand) {
      isLed = true;
      wait({ strokes: pressed, next: [], isLeader: true });
    } else parts.run(found.command);
  };

  target.addEventListener('keydown', listen, { capture: true });
  target.addEventListener('blur', reset);
  return () => {
    reset();
    target.removeEventListener('keydown', listen, { capture: true });
    target.removeEventListener('blur', reset);
  };
}

/** Whether an element, or what it stands in, makes something of a key by itself. */
function understands(element: Element | null, stroke: string): boolean {
  if (!isChord(stroke) && element?.closest(ownKeys) != null) return true;
  if (stroke === 'enter' || stroke === 'space') return isPressable(element);
  if (stroke === 'esc') return element?.closest(dismissible) != null;
  return movingKeys.test(stroke) && element?.closest(movable) != null;
}

/** How a key that only edits a text does so, as the browser calls it; undefined for any other key. */
function editOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Backspace') return 'delete';
  if (key === 'Delete') return 'forwardDelete';
  return /^.$/u.test(key) ? 'insertText' : undefined;
}

/** Whether Enter begins a line in an element. */
const isManyLines = (element: Element | null): boolean =>
  element?.closest('textarea, [aria-multiline=true]') != null;

function isPressable(element: Element | null): boolean {
  return element?.closest(pressable) != null;
}

function continuations(bindings: readonly Binding[], at: number): PendingKeys['next'] {
  return bindings.map((one) => ({ stroke: one.strokes[at] ?? '', command: one.command }));
}
