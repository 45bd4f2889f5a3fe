import {
  armDialog,
  type Arming,
  type DialogEvent,
  type DialogPlace,
  graceTime,
  unseen,
  unseenByText,
} from './dialog-arming.ts';
import { addGuard, characterBefore, dialogArrived, type OpenGuard } from './open-guards.ts';

/** Texts of several lines, an editor's among them. */
const multilineFields = 'textarea, [aria-multiline=true], [data-monaco]';
const fields =
  'input:not([type=radio], [type=checkbox], [type=range], [type=file]), [contenteditable], [role=textbox], [role=searchbox]';
/** Controls that Space ticks, and whose Enter sends their form. */
const ticks = 'input:is([type=radio], [type=checkbox])';
/** What does what the dialog asks about, also where its author did not say that it `acts`. */
const acts = '[data-acts], [data-choice], button[type=submit], [data-variant=danger]';
/** The button that leaves a dialog. */
export const leaving = 'footer button:not([data-acts], [data-variant=transparent])';
/** The field for the name that confirms. */
export const confirmingName = '[data-dialog-body] [data-confirms]:enabled';
const pressable = 'button, a[href], summary, [role=option], [role=menuitem], [role=tab], [role=treeitem]';
const movingKeys = /^(?:Tab|Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown)$/;

/** Whether the keys of a dialog confirm now. */
export type ArmedState = 'opening' | 'armed' | 'disarmed';

interface GuardParts {
  readonly dialog: HTMLElement;
  /** What the fields hold is shown in full before it is confirmed. */
  readonly isReviewed: () => boolean;
  /** It was opened by a key of a typed text. */
  readonly isByText: boolean;
  /** Another dialog will take its place: keys wait for that one. */
  readonly isWaiting: boolean;
  readonly onChange: (state: ArmedState) => void;
}

/** Holds the keys of one dialog to the rules of `armDialog`: gives it its events and does what they come to. */
export class DialogGuard implements OpenGuard {
  readonly #parts: GuardParts;
  #state: Arming;
  /** The last key or press may move the focus. */
  #isMoving = false;
  /** `timeStamp` of the key that is handled now. */
  #keyAt: number | undefined;
  /** The Space that is down was pressed in this dialog, and not in vain. */
  #isSpaceTaken = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether no other dialog lies over this one. */
  #isTopmost = () => true;

  constructor(parts: GuardParts) {
    this.#parts = parts;
    this.#state = { ...(parts.isByText ? unseenByText : unseen), textAt: characterBefore() };
  }

  /** Guards the dialog until the returned function is called. */
  install(): () => void {
    const { isTopmost, end } = addGuard(this);
    this.#isTopmost = isTopmost;
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    window.addEventListener('keyup', (event) => this.#release(event), options);
    window.addEventListener('pointerdown', () => this.#mayMove(), options);
    const { dialog } = this.#parts;
    dialog.addEventListener('focusin', ({ timeStamp }) => this.#focused(timeStamp), options);
    dialog.addEventListener('input', ({ timeStamp }) => this.#edited(timeStamp), options);
    // It shows with the frame after the next, and was seen no sooner.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (stop.signal.aborted) return;
        this.shown();
        if (!this.#parts.isWaiting) dialogArrived();
      }),
    );
    return () => {
      stop.abort();
      clearTimeout(this.#timer);
      end();
    };
  }

  /** The dialog shows, or something new in it that Enter would confirm: that was not seen before. */
  shown(): void {
    this.#happens({ type: 'painted', at: performance.now() });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#report(), graceTime + 20);
  }

  /** Whether a key does nothing; moves the focus where it does that instead. */
  refuses(event: KeyboardEvent): boolean {
    const { key, timeStamp: at } = event;
    this.#isMoving = movingKeys.test(key);
    this.#keyAt = at;
    setTimeout(() => (this.#keyAt = undefined));
    const element = document.activeElement;
    const isChord = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
    const isWritten = element?.closest(`${multilineFields}, ${fields}`) != null;
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      if (element?.matches('[role=spinbutton]') === true) this.#happens({ type: 'edited', at });
      return false;
    }
    if (key === 'Enter') return this.#presses(event, isChord ? 'submit' : 'enter');
    if (isChord) return false;
    if (key === ' ' && element?.closest(`${pressable}, ${ticks}`) != null) {
      const isRefused = this.#presses(event, 'space');
      this.#isSpaceTaken = !isRefused;
      return isRefused;
    }
    const isCharacter = /^.$/u.test(key) || key === 'Dead' || key === 'Process' || event.isComposing;
    if (isCharacter && !isWritten) this.#happens({ type: 'character', at });
    // An editor that has its text from the browser's edit context fires no `input`.
    if (isCharacter && element?.closest(multilineFields) != null) this.#happens({ type: 'edited', at });
    return false;
  }

  /** Whether a command may confirm at a time (ms); moves the focus on to the act where that comes first. */
  confirms(at: number): boolean {
    const outcome = this.#happens({
      type: 'submit',
      at,
      isRepeat: false,
      place: this.#place('submit'),
      isReviewed: this.#parts.isReviewed(),
    });
    if (outcome === 'move') this.#move();
    return outcome === 'confirm';
  }

  #presses({ timeStamp: at, repeat: isRepeat }: KeyboardEvent, type: 'enter' | 'space' | 'submit'): boolean {
    // A command that says why the act cannot be done now confirms nothing.
    if (type === 'submit' && !isRepeat && this.#act()?.disabled === true) return false;
    const isReviewed = this.#parts.isReviewed();
    const outcome = this.#happens({ type, at, isRepeat, place: this.#place(type), isReviewed });
    if (outcome === 'move') this.#move();
    return outcome === 'move' || outcome === 'ignore';
  }

  #act(): HTMLButtonElement | null {
    return this.#parts.dialog.querySelector<HTMLButtonElement>('footer [data-acts]');
  }

  /** Moves the focus on to the act, or to the name that it waits for. */
  #move(): void {
    const act = this.#act();
    if (act?.disabled === false) act.focus();
    else this.#parts.dialog.querySelector<HTMLElement>(confirmingName)?.focus();
  }

  #place(type: 'enter' | 'space' | 'submit'): DialogPlace {
    const element = document.activeElement;
    if (element === null || !this.#parts.dialog.contains(element)) return 'other';
    if (element.matches('[data-confirms]')) return 'name';
    if (element.closest(multilineFields) !== null) return 'text';
    if (element.closest(fields) !== null) return 'field';
    if (element.matches(ticks)) return type === 'space' ? 'other' : 'act';
    if (element.closest(acts) !== null) return 'act';
    return element.matches(leaving) ? 'leave' : 'other';
  }

  #mayMove(): void {
    this.#isMoving = true;
  }

  #focused(at: number): void {
    if (this.#isMoving) this.#happens({ type: 'moved', at });
  }

  #edited(at: number): void {
    this.#happens({ type: 'edited', at: this.#keyAt ?? at });
  }

  /** A button is pressed when Space is released: one that was pressed elsewhere, or in vain, presses none. */
  #release(event: KeyboardEvent): void {
    if (event.key !== ' ' || !this.#isTopmost()) return;
    const isTaken = this.#isSpaceTaken;
    this.#isSpaceTaken = false;
    if (isTaken || document.activeElement?.closest('button') == null) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #happens(event: DialogEvent) {
    const { state, outcome } = armDialog(this.#state, event);
    this.#state = state;
    this.#report();
    return outcome;
  }

  #report(): void {
    const { paintedAt, isDisarmed } = this.#state;
    const isSeen = paintedAt !== undefined && performance.now() - paintedAt >= graceTime;
    this.#parts.onChange(isDisarmed ? 'disarmed' : isSeen ? 'armed' : 'opening');
  }
}
