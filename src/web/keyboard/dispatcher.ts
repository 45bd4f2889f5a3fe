import type { Command } from '../../registry/commands/command.ts';
import { type Binding, leaderCommand, resolveKeys } from '../../registry/keys/keymap.ts';
import { isByAltGr, isChord, showsOtherScript, strokeOf } from '../../registry/keys/keys.ts';
import { isAllowed, type May } from '../../registry/commands/registry.ts';
import type { ContextKeys } from '../../registry/commands/when.ts';
import type { WhyNot } from '../../registry/keys/why-not.ts';
import { KeyQueue } from './key-queue.ts';
import { KeySequence } from './key-sequence.ts';
import {
  clicks,
  editCommandOf,
  editsText,
  handlesKey,
  isAsking,
  isField,
  isTerminalKey,
  pressesButton,
  terminalOf,
  writesCharacter,
} from './keyed-elements.ts';
import type { PendingKeys } from './port.ts';
import { TerminalGate } from './terminal-gate.ts';
import type { TypedRun } from './typed-run.ts';

/** How long a first key waits for its second (ms). */
const sequenceTimeout = 2_000;
/** How long the reason shows why a key does nothing, and how long a first key waits while commands load (ms). */
const readingTimeout = 5_000;
/** How long after a character in a field the next one still belongs to it, although the field is gone (ms). */
const burstTimeout = 700;

/** Commands whose keys people press in quick succession with others: those that move the cursor or the focus, and undo. */
const quickCommands: ReadonlySet<string> = new Set([
  'table.up',
  'table.down',
  'table.first',
  'table.last',
  'workspace.focusLeft',
  'workspace.focusDown',
  'workspace.focusUp',
  'workspace.focusRight',
  'workspace.nextTile',
  'changes.undo',
]);

/** Parts of the app that the dispatcher needs. */
export interface DispatcherParts {
  /** The bindings of this moment: a person may change theirs. */
  readonly bindings: () => readonly Binding[];
  readonly isMac: boolean;
  /** Keys outside of fields, by which a typed text is told from a key that acts. */
  readonly typedRun: TypedRun;
  /** The context of this moment; `focus` is that of the focused view. */
  readonly context: () => ContextKeys;
  readonly may: () => May;
  /** Loads the commands and permissions that keys may mean; undefined once all of them are loaded. */
  readonly whole?: () => Promise<unknown> | undefined;
  readonly run: (command: Command) => void;
  /** Why keys that are bound do nothing in a context; undefined where they mean nothing anyway. */
  readonly whyNot: (strokes: readonly string[], context: ContextKeys) => WhyNot | undefined;
  /** Whether an open dialog lets a key do nothing: it would confirm what nobody has read. */
  readonly refuses: (event: KeyboardEvent) => boolean;
  /** Resolves once what the last keys asked for is there, or does not come; undefined where they asked for nothing. */
  readonly comingView?: () => Promise<void> | undefined;
  /** Takes a key that is typed into a palette or an editor which is still loading; false where there is none. */
  readonly typeAhead: (key: string, at: Element | null) => boolean;
  readonly setPending: (pending: PendingKeys | undefined) => void;
}

/** One key press where it is handled. */
interface Press {
  readonly event: KeyboardEvent;
  readonly stroke: string;
  readonly element: Element | null;
  readonly isInTerminal: boolean;
  /** In a text field. */
  readonly isTyping: boolean;
  /** Writes a character wherever characters can be written. */
  readonly isText: boolean;
}

/**
 * The one listener for keys, in the capture phase so that nothing swallows them first. In text fields only chords and
 * commands that say `focus: input` pass; in a terminal only the leader, after which one key goes to the console.
 */
export class KeyDispatcher {
  readonly #parts: DispatcherParts;
  readonly #queue: KeyQueue<KeyboardEvent>;
  readonly #sequence = new KeySequence();
  readonly #gate = new TerminalGate();
  /** The dialog or page that keys are kept for. */
  #coming: Promise<void> | undefined;
  /** The reason why a key does nothing shows. */
  #isExplaining = false;
  /** `event.timeStamp` of the last character that was typed into a field. */
  #typedAt = Number.NEGATIVE_INFINITY;
  /** Whether the layout of the last letter has no Latin letters; undefined before the first one. */
  #isOtherScript: boolean | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#queue = new KeyQueue({
      write: (event) => {
        if (editCommandOf(event) === undefined || !isField(document.activeElement)) return false;
        // A dialog goes by when a key was pressed.
        return this.#parts.refuses(event) || writeIntoField(event);
      },
      take: (event) => {
        if (this.#waitsForView(event)) {
          this.#queue.wait(event);
          return;
        }
        // The dialog that is open now may be one that a key before this one has opened.
        if (!isUsed(event) && !this.#parts.refuses(event)) this.#take(event, document.activeElement, true);
      },
      settled: () => new Promise((done) => setTimeout(done)),
    });
  }

  /** Listens to a window; returns how to stop. */
  install(target: Window): () => void {
    const listen = (event: KeyboardEvent) => this.#listen(event);
    // Keys that wait for their commands keep the key that they were pressed after.
    const leave = () => {
      if (!this.#queue.isActive) this.#reset();
    };
    target.addEventListener('keydown', listen, { capture: true });
    target.addEventListener('blur', leave);
    return () => {
      this.#reset();
      target.removeEventListener('keydown', listen, { capture: true });
      target.removeEventListener('blur', leave);
    };
  }

  #listen(event: KeyboardEvent): void {
    // Code 229 is a key that an input method takes.
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    if (this.#parts.refuses(event)) {
      swallow(event);
      return;
    }
    if (isByAltGr(event, this.#parts.isMac) && this.#strokeOf(event) === undefined) {
      // It writes a character, which may belong to a palette that is still loading.
      if (this.#parts.typeAhead(event.key, event.target instanceof Element ? event.target : null))
        swallow(event);
      return;
    }
    this.#isOtherScript = showsOtherScript(event) ?? this.#isOtherScript;
    // A key that something else has used, as a dialog does that Esc closes, holds back none of those after it.
    if (this.#queue.drop(isUsed)) this.#reset();
    // Esc ends the wait, and the queue with it.
    if (this.#waitsForView(event) || this.#queue.isActive) this.#enqueue(event);
    else this.#take(event, event.target);
  }

  /** Whether a key is kept for a dialog or page that is on its way. Esc is for what is there. */
  #waitsForView(event: KeyboardEvent): boolean {
    const coming = this.#parts.comingView?.();
    if (coming === undefined) return false;
    if (event.key === 'Escape') {
      this.#queue.clear();
      return false;
    }
    if (this.#coming !== coming) {
      this.#coming = coming;
      void coming.then(() => this.#queue.replay());
    }
    return true;
  }

  #strokeOf(event: KeyboardEvent): string | undefined {
    return strokeOf(event, this.#parts.isMac, this.#isOtherScript);
  }

  /** Queues a key behind those that wait for their commands, unless the focused element handles it at once. */
  #enqueue(event: KeyboardEvent): void {
    const stroke = this.#strokeOf(event);
    if (stroke === undefined) return;
    const element = event.target instanceof Element ? event.target : null;
    const isInField = isField(element);
    const edits = editCommandOf(event) !== undefined;
    // Text that follows queued text into the same field waits behind it, so that it keeps its order.
    const isBehind = isInField && !this.#queue.catchUp() && edits;
    if (/^(?:shift\+)?tab$/.test(stroke)) return;
    const isText = isInField && (writesCharacter(stroke) || edits);
    // A button is not pressed before the keys that came first: one of them may open a field, whose text this key is.
    const isHandled = handlesKey(element, stroke) && !clicks(element, stroke);
    if (!isBehind && (isText || isHandled)) return;
    if (!isInField || isBehind) swallow(event);
    this.#queue.add(event);
  }

  /** @param isReplayed the element cannot have the key itself any more: what the key does to it is done here */
  #take(event: KeyboardEvent, at: EventTarget | null, isReplayed = false): void {
    this.#sequence.expire(event.timeStamp);
    const press = this.#read(event, at);
    if (press === undefined) return;
    const { stroke, element } = press;
    if (!isChord(stroke) && this.#parts.typeAhead(event.key, element)) {
      swallow(event);
      return;
    }
    const isLate = this.#isLate(press);
    this.#typedAt = press.isText && (press.isTyping || isLate) ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (isLate) {
      swallow(event);
      return;
    }
    const isBeginning = this.#sequence.isEmpty;
    const shell = press.isInTerminal ? terminalOf(element) : null;
    if (shell === null) this.#gate.note(event.timeStamp);
    else if (isBeginning && this.#isHeldBack(press, shell)) {
      swallow(event);
      this.#parts.typedRun.add(stroke, event.timeStamp);
      const reason = 'You typed before this terminal was open, so this was not sent. Pause, then type again.';
      this.#show({ strokes: [stroke], next: [], reason }, readingTimeout);
      return;
    }
    // Text of a field is not resolved, so that it shows at once. Nor is that of a shell: a key that waited for the
    // commands to load would be written a second time.
    if ((press.isTyping || press.isInTerminal) && isBeginning && editsText(stroke)) {
      // When a shell ends, what is typed on presses no button at its end.
      if (press.isInTerminal) this.#parts.typedRun.add(stroke, event.timeStamp);
      return;
    }
    const context = this.#contextOf(press);
    if (isBeginning && handlesKey(element, stroke)) {
      this.#parts.typedRun.add(stroke, event.timeStamp);
      const menu = menuOf(element);
      if (menu !== null) this.#parts.typedRun.choose(menu);
      if (pressesButton(element, stroke) && this.#isByText(event, element)) {
        this.#refuseAfterWord(event, stroke);
        return;
      }
      if (isReplayed && clicks(element, stroke) && element instanceof HTMLElement) element.click();
      return;
    }
    if (stroke === 'esc' && (!isBeginning || this.#isExplaining)) {
      this.#reset();
      // What lies over the view is closed by Esc, whatever is explained behind it.
      if (isBeginning && context.overlay !== 'none') return;
      swallow(event);
      return;
    }
    this.#resolve(press, context);
  }

  #read(event: KeyboardEvent, at: EventTarget | null): Press | undefined {
    const stroke = this.#strokeOf(event);
    if (stroke === undefined) return undefined;
    const element = at instanceof Element ? at : null;
    const { isLed } = this.#sequence;
    const isInTerminal = !isLed && isTerminalKey(element, stroke);
    const isTyping = !isLed && !isInTerminal && isField(element);
    return {
      event,
      stroke,
      element,
      isInTerminal,
      isTyping,
      isText: writesCharacter(stroke) && !isInTerminal,
    };
  }

  /**
   * Whether a character was meant for a field that went while somebody typed: the session ended, or a dialog was
   * answered elsewhere. No letter of that text is a command.
   */
  #isLate({ event, isText, isTyping }: Press): boolean {
    return isText && !isTyping && this.#sequence.isEmpty && event.timeStamp - this.#typedAt < burstTimeout;
  }

  /** Whether a key goes on with a text whose beginning opened the terminal that it is pressed in. */
  #isHeldBack({ event, stroke }: Press, shell: Element): boolean {
    const isInput = !isChord(stroke) || stroke.endsWith('+enter');
    return isInput && this.#gate.holdsBack(shell, event.timeStamp);
  }

  /** Whether a key that presses a button ends a text that was typed outside of fields. */
  #isByText({ repeat }: KeyboardEvent, button: Element | null): boolean {
    const { typedRun } = this.#parts;
    return (
      typedRun.endsWord || typedRun.isAfterWord(button) || (isAsking(button) && (repeat || typedRun.isText))
    );
  }

  #contextOf({ isInTerminal, isTyping }: Press): ContextKeys {
    const context = this.#parts.context();
    if (isInTerminal) return { ...context, focus: 'terminal' };
    return isTyping ? { ...context, focus: 'input' } : context;
  }

  #resolve({ event, stroke, element, isText }: Press, context: ContextKeys): void {
    const pressed = [...this.#sequence.strokes, stroke];
    const meaning = this.#meaningOf(pressed, context);
    const loading = meaning.type === 'none' ? this.#parts.whole?.() : undefined;
    // A key that waits for its command is added once it is handled; the second key of a sequence belongs to the first.
    const isQuick = meaning.type === 'run' && quickCommands.has(meaning.command.id);
    if (loading === undefined) {
      if (this.#sequence.isEmpty) this.#parts.typedRun.add(stroke, event.timeStamp, !isQuick);
      else if (isQuick) this.#parts.typedRun.takeBack();
    }
    if (meaning.type === 'none') {
      if (loading === undefined) {
        this.#parts.typedRun.miss(stroke, menuOf(element) ?? element);
        this.#explain(event, pressed, context);
      } else {
        // The key is handled again once its command may be there, and a first key waits with it, however long that takes.
        this.#queue.wait(event);
        if (!this.#sequence.isEmpty) {
          clearTimeout(this.#timer);
          this.#sequence.hold();
        }
        if (isText) swallow(event);
        loading.then(
          () => this.#queue.replay(),
          // What loads reports its own failure.
          () => {
            this.#queue.clear();
            this.#reset();
          },
        );
      }
      return;
    }
    swallow(event);
    if (meaning.type === 'pending') {
      this.#await(pressed, meaning.bindings, context);
      return;
    }
    this.#reset();
    if (meaning.command.id === leaderCommand) {
      this.#sequence.lead();
      this.#show({ strokes: pressed, next: [], isLeader: true });
    } else this.#parts.run(meaning.command);
  }

  /** The meaning of keys among the commands that are loaded and allowed now. */
  #meaningOf(pressed: readonly string[], context: ContextKeys) {
    const may = this.#parts.may();
    const allowed = this.#parts.bindings().filter((one) => isAllowed(one.command, context, may));
    return resolveKeys(allowed, pressed, context);
  }

  /** Says why keys do nothing; a first key that means nothing anywhere is left to the page. */
  #explain(event: KeyboardEvent, pressed: readonly string[], context: ContextKeys): void {
    const isFirst = this.#sequence.strokes.length === 0;
    const reason = event.repeat ? undefined : this.#parts.whyNot(pressed, context);
    if (this.#sequence.isEmpty && reason === undefined) return;
    swallow(event);
    this.#reset();
    if (reason === undefined) {
      const unknown = pressed.at(-1) ?? '';
      this.#show({ strokes: pressed.slice(0, 1), next: [], unknown, isLeader: isFirst });
    } else {
      this.#isExplaining = true;
      this.#show({ strokes: reason.strokes, next: [], reason: reason.text }, readingTimeout);
    }
  }

  /** Waits for the next key of a sequence and shows what may follow. */
  #await(pressed: readonly string[], bindings: readonly Binding[], context: ContextKeys): void {
    this.#sequence.begin(pressed);
    const loading = this.#parts.whole?.();
    const next = continuationsOf(bindings, pressed.length);
    this.#show({ strokes: pressed, next }, loading === undefined ? sequenceTimeout : readingTimeout);
    loading?.then(
      () => {
        // Shown again with the commands that came, unless the next key was pressed first.
        const all = this.#meaningOf(pressed, context);
        const isShown = this.#timer !== undefined && this.#sequence.strokes === pressed;
        if (isShown && all.type === 'pending')
          this.#show({ strokes: pressed, next: continuationsOf(all.bindings, pressed.length) });
      },
      // The loader reports its own failure.
      () => undefined,
    );
  }

  /** Presses no button by the key that ends a word typed outside of fields, and says so. */
  #refuseAfterWord(event: KeyboardEvent, stroke: string): void {
    swallow(event);
    this.#parts.typedRun.forgetWord();
    // Some browsers press a button when Space is released.
    if (stroke === 'space')
      event.target?.addEventListener('keyup', (released) => released.preventDefault(), { once: true });
    this.#isExplaining = true;
    const isTick = event.target instanceof Element && event.target.matches('input');
    const reason = `You typed outside of a field, so this ${isTick ? 'ticked nothing' : 'pressed no button'}. Press it again.`;
    this.#show({ strokes: [stroke], next: [], reason }, readingTimeout);
  }

  #show(pending: PendingKeys, time: number = sequenceTimeout): void {
    this.#parts.setPending(pending);
    clearTimeout(this.#timer);
    this.#sequence.waitUntil(performance.now() + time);
    this.#timer = setTimeout(() => this.#hide(), time);
  }

  /** Hides what may follow. A key that was pressed before and is handled later still follows. */
  #hide(): void {
    this.#timer = undefined;
    this.#isExplaining = false;
    this.#parts.setPending(undefined);
  }

  #reset(): void {
    clearTimeout(this.#timer);
    this.#sequence.clear();
    this.#hide();
  }
}

/** Keys that the dispatcher kept from the page; of others `defaultPrevented` says that the page has used them. */
const swallowed = new WeakSet<KeyboardEvent>();

function swallow(event: KeyboardEvent): void {
  swallowed.add(event);
  event.preventDefault();
  event.stopPropagation();
}

/** Whether the element that a key was pressed in, or what is around it, has done something with it: it is no command besides. */
const isUsed = (event: KeyboardEvent): boolean => event.defaultPrevented && !swallowed.has(event);

/** The menu that an element is an entry of. */
const menuOf = (element: Element | null): Element | null => element?.closest('[role=menu]') ?? null;

/** Does what a key does to the text of the focused field; false for any other key, and without a field. */
function writeIntoField(event: KeyboardEvent): boolean {
  const command = editCommandOf(event);
  if (command === undefined || !isField(document.activeElement)) return false;
  // The one way to write into any field as typing does, with its events and its undo.
  document.execCommand(command, false, event.key);
  return true;
}

function continuationsOf(bindings: readonly Binding[], at: number): PendingKeys['next'] {
  return bindings.map((one) => ({ stroke: one.strokes[at] ?? '', command: one.command }));
}
