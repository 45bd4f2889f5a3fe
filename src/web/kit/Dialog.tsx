import { X } from 'lucide-react';
import { cva, type VariantProps } from 'class-variance-authority';
import { Dialog as Radix } from 'radix-ui';
import {
  type CSSProperties,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type ArmedState, confirmingName, DialogGuard, leaving } from './dialog-guard.ts';
import { useOverlays } from './overlays.ts';
import { focusedView, focusShownView } from './focus.ts';
import { useFocusReturn } from './use-focus-return.ts';
import { IconButton } from './Button.tsx';
import { scrim } from './menu.ts';
import { tipsToLeft } from './tip.ts';

/**
 * Where Enter acts, in the order it is looked for: a line or text to fill in, one of several to choose, what copies a text
 * that is shown only now, the act itself.
 */
const placesOfEnter = [
  '[data-dialog-body] :is(textarea, [role=textbox], input:not([type=file], [type=radio], [type=checkbox], [type=hidden]))',
  '[data-dialog-body] :is(input[type=radio], [data-choice]):enabled',
  '[data-dialog-body] [data-part=copies] button:enabled',
  'footer [data-acts]:enabled',
];

const isField = (element: Element | null | undefined): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.type !== 'radio';

/** Puts the focus where Enter acts; false where there is no such place yet. */
function focusWhereEnterActs(dialog: HTMLElement): boolean {
  // An editor that is still loading will be a text to fill in.
  const isEditorLoading =
    dialog.querySelector('[data-part=editor]') !== null &&
    dialog.querySelector(placesOfEnter[0] ?? '') === null;
  // So is what is to be chosen from, while it is read.
  const isChoiceLoading = dialog.querySelector('[data-dialog-body] [data-part=choices-loading]') !== null;
  if (isEditorLoading || isChoiceLoading) return false;
  for (const place of placesOfEnter) {
    const found = dialog.querySelector<HTMLElement>(place);
    if (found === null) continue;
    found.focus();
    // As after Tab: what is typed replaces what stands there.
    if (isField(found)) found.select();
    return true;
  }
  return false;
}

const dialogBox = cva(
  [
    'fixed z-dialog flex max-h-[calc(100dvh-2rem)] max-w-[calc(100vw-2rem)] flex-col',
    'rounded-lg bg-overlay shadow-overlay outline-0',
    'narrow:inset-0 narrow:max-h-none narrow:w-auto narrow:max-w-none narrow:rounded-none',
    tipsToLeft,
  ],
  {
    variants: {
      width: {
        usual: 'md:top-1/2 md:left-1/2 md:w-120 md:-translate-1/2',
        form: 'md:top-1/2 md:left-1/2 md:w-144 md:-translate-1/2',
        wide: 'md:top-1/2 md:left-1/2 md:w-168 md:-translate-1/2',
        /** As high whatever it finds, so that nothing moves while somebody types. */
        sheet: 'md:top-1/2 md:left-1/2 md:h-160 md:w-240 md:-translate-1/2',
        /** Placed without a transform: an editor's own boxes are placed by the window. */
        editor: 'md:inset-0 md:m-auto md:h-fit md:w-265',
      },
      /** In the frame of the cluster that `style` names. */
      isProtected: { true: 'border-2 border-cluster', false: 'border border-border' },
    },
    defaultVariants: { width: 'usual', isProtected: false },
  },
);

interface DialogProps {
  /** Names the act. */
  readonly title: string;
  /** Stands before the title. */
  readonly icon?: ReactNode;
  /** An element: the library puts what names it onto it. */
  readonly description?: ReactElement | undefined;
  readonly footer: ReactNode;
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly style?: CSSProperties;
  readonly className?: string;
  readonly width?: NonNullable<VariantProps<typeof dialogBox>['width']>;
  /** It is about a protected cluster, whose colours `style` has. */
  readonly isProtected?: boolean;
  /**
   * It asks before something is destroyed or a right is taken away: the focus begins on the button that leaves it, or in
   * the field for the name that confirms.
   */
  readonly isDangerous?: boolean;
  /** What its fields hold is shown in full before it is confirmed: their Enter moves on to the act. */
  readonly isReviewed?: boolean;
  /** It was opened by a key of a text that was meant for a field: its keys confirm nothing until the focus is moved. */
  readonly isByText?: boolean;
  /** Another dialog takes its place once something is read: keys that are typed meanwhile are kept for that one. */
  readonly isWaiting?: boolean;
  readonly role?: 'dialog' | 'alertdialog';
  /** Nothing outside closes it: something typed would be lost. */
  readonly isSticky?: boolean;
  /** The element that gets the focus back; by default the one that has it when the dialog opens. */
  readonly opener?: Element | null;
}

/**
 * Keeps the focus on the dialog as such until there is a place where Enter acts: what it needs is still being read. Ends
 * as soon as the person puts the focus elsewhere.
 */
function awaitEnter(
  dialog: HTMLElement,
  watch: RefObject<MutationObserver | undefined>,
  onFocused: () => void,
): void {
  dialog.focus();
  const observer = new MutationObserver(() => {
    const isLeft = document.activeElement !== dialog;
    if (!isLeft && !focusWhereEnterActs(dialog)) return;
    observer.disconnect();
    if (!isLeft) onFocused();
  });
  observer.observe(dialog, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  watch.current = observer;
}

/** Keeps the focus in the dialog when the button that has it is disabled: the page would get it, which is inert. */
function keepFocus(dialog: HTMLElement): MutationObserver {
  const observer = new MutationObserver(() => {
    // A disabled button loses the focus only with the next frame.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches(':disabled') === true) dialog.focus();
  });
  observer.observe(dialog, { subtree: true, attributeFilter: ['disabled'] });
  return observer;
}

/** The focus of a dialog that destroys: what Enter does there by itself destroys nothing. False where there is no such place. */
function focusSafely(dialog: HTMLElement): boolean {
  const place =
    dialog.querySelector<HTMLElement>(confirmingName) ?? dialog.querySelector<HTMLElement>(leaving);
  place?.focus();
  return place !== null;
}

/** Gives the focus back; where what had it is gone, to the rows or the view that show now, not to the page. */
function giveBack(opener: Element | null): void {
  if (opener instanceof HTMLElement && opener.isConnected) {
    opener.focus();
    return;
  }
  // What in the view has the focus already keeps it.
  if (focusedView()?.contains(document.activeElement) !== true) focusShownView();
}

interface Guarded {
  readonly state: ArmedState;
  readonly guard: RefObject<DialogGuard | undefined>;
  /** Ties the guard to the element of the dialog. */
  readonly ref: (dialog: HTMLElement | null) => (() => void) | undefined;
}

/** Guards a dialog's keys, see `armDialog`. */
function useGuard({
  isReviewed,
  isByText,
  isWaiting,
}: Required<Pick<DialogProps, 'isReviewed' | 'isByText' | 'isWaiting'>>): Guarded {
  const [state, setState] = useState<ArmedState>('opening');
  const guard = useRef<DialogGuard>(undefined);
  const reviewed = useRef(isReviewed);
  useEffect(() => {
    reviewed.current = isReviewed;
  }, [isReviewed]);
  const ref = useCallback(
    (dialog: HTMLElement | null) => {
      if (dialog === null) return undefined;
      const made = new DialogGuard({
        dialog,
        isReviewed: () => reviewed.current,
        isByText,
        isWaiting,
        onChange: setState,
      });
      guard.current = made;
      return made.install();
    },
    [isByText, isWaiting],
  );
  return { state, guard, ref };
}

/** Says below what a dialog asks that its keys confirm nothing now, and what turns them on again. */
function DisarmedHint({ isShown }: { readonly isShown: boolean }) {
  return (
    <div
      aria-live="polite"
      data-part="disarmed"
      className={isShown ? 'flex-none px-4 pb-2.5 text-warn-fg' : 'sr-only'}
    >
      {isShown && 'You typed, so Enter and Space do nothing here. Press Tab to turn them on again.'}
    </div>
  );
}

/**
 * A modal dialog: focus begins where Enter acts, or where it destroys nothing, is trapped and returned; mod+Enter presses
 * the button that `acts`, Esc closes. No key confirms by accident: see `armDialog`. The scrim is our own element: the library's would write
 * a style sheet into the page, which the content security policy forbids.
 */
export function Dialog({
  title,
  icon,
  description,
  footer,
  children,
  onClose,
  style,
  className,
  width,
  isProtected = false,
  isDangerous = false,
  role = 'dialog',
  isSticky = false,
  isReviewed = false,
  isByText = false,
  isWaiting = false,
  opener: given,
}: DialogProps) {
  const overlays = useOverlays();
  const returning = useFocusReturn();
  // The element that had the focus before, read before the page becomes inert. The library would only know its own
  // trigger.
  const [focused] = useState(() => document.activeElement);
  const opener = given ?? focused;
  const watch = useRef<MutationObserver>(undefined);
  const keeping = useRef<MutationObserver>(undefined);
  const { state, guard, ref } = useGuard({ isReviewed, isByText, isWaiting });
  useEffect(
    () => () => {
      watch.current?.disconnect();
      keeping.current?.disconnect();
    },
    [],
  );
  useEffect(() => {
    overlays.update((open) => ({ ...open, dialog: open.dialog + 1 }));
    // The library hides the page from assistive technology; this keeps focus out of it as well.
    const page = document.querySelector('[data-app]');
    page?.setAttribute('inert', '');
    return () => {
      overlays.update((open) => ({ ...open, dialog: open.dialog - 1 }));
      // One dialog may stand over another, as the plans over what a limit refused.
      if (overlays.get().dialog === 0) page?.removeAttribute('inert');
    };
  }, [overlays]);
  return (
    <Radix.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Radix.Portal>
        <div className={scrim} />
        <Radix.Content
          ref={ref}
          data-dialog=""
          data-armed={state === 'armed' || undefined}
          className={dialogBox({ width, isProtected, className })}
          data-protected={isProtected || undefined}
          style={style}
          role={role}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const dialog = event.target as HTMLElement;
            keeping.current = keepFocus(dialog);
            if (isDangerous && focusSafely(dialog)) return;
            if (!focusWhereEnterActs(dialog)) awaitEnter(dialog, watch, () => guard.current?.shown());
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returning(() => giveBack(opener));
          }}
          onEscapeKeyDown={(event) => {
            // In the editor it takes away what the editor shows; a text is not left by a slip of it.
            if (event.target instanceof Element && event.target.closest('[data-monaco]') !== null)
              event.preventDefault();
          }}
          onInteractOutside={(event) => {
            if (isSticky) event.preventDefault();
          }}
        >
          <header className="flex min-h-12 flex-none items-center gap-2 border-b border-border py-2 pr-2.5 pl-4 low:min-h-10">
            {isDangerous ? <span className="text-bad-fg">{icon}</span> : icon}
            {/* Names the act whole: what is confirmed is not guessed. */}
            <Radix.Title className="min-w-0 overflow-hidden text-lg font-semibold wrap-anywhere text-ellipsis whitespace-normal">
              {title}
            </Radix.Title>
            <span className="min-w-0 flex-1" />
            <IconButton label="Close" onClick={onClose}>
              <X size={16} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          </header>
          <div
            data-dialog-body=""
            className={`flex min-h-0 flex-col gap-3 overflow-auto px-4 py-3.5 narrow:flex-1 ${width === 'sheet' ? 'flex-1' : ''}`}
          >
            {description !== undefined && <Radix.Description asChild>{description}</Radix.Description>}
            {children}
          </div>
          <DisarmedHint isShown={state === 'disarmed'} />
          <footer className="flex min-h-13 flex-none items-center gap-2 rounded-b-lg border-t border-border bg-raised px-4 narrow:flex-wrap narrow:rounded-none narrow:py-2 low:min-h-11 narrow:[&_button]:min-w-0 narrow:[&_button]:px-2">
            {footer}
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
