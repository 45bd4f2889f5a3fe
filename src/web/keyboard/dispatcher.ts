import type { Command } from '../../registry/command.ts';
import { type Binding, bindingsOf, resolveKeys } from '../../registry/keymap.ts';
import { isChord, strokeOf } from '../../registry/keys.ts';
import { holds, type May } from '../../registry/registry.ts';
import type { ContextKeys } from '../../registry/when.ts';
import type { PendingKeys } from '../app/context.ts';

/** How long a first key waits for its second (ms). */
const patience = 2_000;
const editable =
  'input, textarea, select, [contenteditable], [role=textbox], [role=searchbox], [role=combobox]';
/** Elements whose own meaning of Enter and Space comes first. */
const pressable = 'button, a[href], summary, [role=menuitem], [role=option], [role=tab], [role=checkbox]';
/** Elements that Esc takes away before it means anything else. */
const dismissible = '[data-dismissible]';

/** What the dispatcher needs of the app. */
export interface DispatcherParts {
  readonly commands: readonly Command[];
  readonly isMac: boolean;
  /** The context of this moment; `focus` is that of the focused view. */
  readonly context: () => ContextKeys;
  readonly may: () => May;
  readonly run: (command: Command) => void;
  readonly setPending: (pending: PendingKeys | undefined) => void;
}

/**
 * The one listener for keys, in the capture phase so that nothing swallows them first. Answers how to remove it.
 * In text fields only chords and commands that say `focus: input` pass.
 */
export function installDispatcher(target: Window, parts: DispatcherParts): () => void {
  const bindings = bindingsOf(parts.commands);
  let strokes: readonly string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const reset = () => {
    clearTimeout(timer);
    strokes = [];
    parts.setPending(undefined);
  };

  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    if (event.getModifierState('AltGraph')) return;
    const stroke = strokeOf(event, parts.isMac);
    if (stroke === undefined) return;
    const element = event.target instanceof Element ? event.target : null;
    const isTyping = element?.closest(editable) !== null && element !== null;
    const base = parts.context();
    const context: ContextKeys = isTyping ? { ...base, focus: 'input' } : base;
    if (strokes.length === 0 && (stroke === 'enter' || stroke === 'space') && isPressable(element)) return;
    if (strokes.length === 0 && stroke === 'esc' && element?.closest(dismissible) != null) return;
    if (strokes.length > 0 && stroke === 'esc') {
      event.preventDefault();
      event.stopPropagation();
      reset();
      return;
    }

    const may = parts.may();
    const allowed = bindings.filter((one) => holds(one.command.needs, may));
    const pressed = [...strokes, stroke];
    const found = resolveKeys(allowed, pressed, context);
    if (found.type === 'none') {
      if (strokes.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      reset();
      parts.setPending({ strokes: pressed.slice(0, 1), next: [], unknown: stroke });
      timer = setTimeout(reset, patience);
      return;
    }
    if (isTyping && !isChord(stroke) && stroke !== 'esc') return;
    event.preventDefault();
    event.stopPropagation();
    if (found.type === 'run') {
      reset();
      parts.run(found.command);
      return;
    }
    strokes = pressed;
    parts.setPending({ strokes: pressed, next: continuations(found.bindings, pressed.length) });
    clearTimeout(timer);
    timer = setTimeout(reset, patience);
  };

  target.addEventListener('keydown', listen, { capture: true });
  target.addEventListener('blur', reset);
  return () => {
    reset();
    target.removeEventListener('keydown', listen, { capture: true });
    target.removeEventListener('blur', reset);
  };
}

function isPressable(element: Element | null): boolean {
  return element?.closest(pressable) != null;
}

function continuations(bindings: readonly Binding[], at: number): PendingKeys['next'] {
  return bindings.map((one) => ({ stroke: one.strokes[at] ?? '', command: one.command }));
}
