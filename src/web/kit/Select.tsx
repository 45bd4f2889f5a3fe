import { Check, ChevronDown, LoaderCircle } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Field, type FieldText, noteOf } from './fields.tsx';
import { InputBox } from './input.tsx';
import { menuBox, menuItem, menuTick } from './menu.ts';
import { typedGap } from './typed-gap.ts';

/** One thing to choose. */
export interface SelectOption {
  readonly value: string;
  readonly label: string;
  /** Muted behind the label. */
  readonly about?: string;
}

/** An option in words, as it is shown and as it is typed. */
const wordsOf = ({ label, about }: SelectOption): string =>
  about === undefined ? label : `${label} ${about}`;

interface SelectProps extends FieldText {
  readonly options: readonly SelectOption[];
  /** Shows the placeholder where no option has it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** A spinner replaces the chevron and nothing can be chosen. */
  readonly isLoading?: boolean;
  readonly placeholder?: string;
  /** An icon before the chosen value. */
  readonly icon?: ReactNode;
  /** The label is for screen readers alone: what it is about stands beside it. */
  readonly hidesLabel?: boolean;
  /** A choice is saved at once: a word that is typed on the closed list and ended by Enter or Tab chooses nothing. */
  readonly isSavedAtOnce?: boolean;
}

function OptionText({ option }: { readonly option: SelectOption }) {
  const { label, about } = option;
  if (about === undefined) return label;
  return (
    <>
      {label} <span className="text-xs text-text-3">{about}</span>
    </>
  );
}

/** The chevron of the button, or the spinner in its place. */
function EndMark({ isLoading }: { readonly isLoading: boolean }) {
  const look = 'pointer-events-none ml-auto flex-none text-text-3';
  return isLoading ? (
    <LoaderCircle data-part="spinner" className={`${look} animate-spin`} size={13} aria-hidden="true" />
  ) : (
    <ChevronDown className={look} size={13} aria-hidden="true" />
  );
}

const wordsStart = (option: SelectOption | undefined, text: string): boolean =>
  option !== undefined && wordsOf(option).toLowerCase().startsWith(text);

/** How long letters that follow each other are one word to look for (ms). */
const wordTime = 700;
/** How far Page Up and Page Down go. */
const page = 10;

/** Where a key leads from an option; undefined for a key that leads nowhere. */
function stepOf(key: string, at: number, last: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.min(Math.max(step, 0), last);
}

/** The option that typed letters mean, from the one behind `at` on when one letter is typed again and again. */
function optionTyped(options: readonly SelectOption[], word: string, at: number): number {
  const isRepeated = word.length > 1 && word === (word[0] ?? '').repeat(word.length);
  const text = (isRepeated ? (word[0] ?? '') : word).toLowerCase();
  const from = at + (word.length === 1 || isRepeated ? 1 : 0);
  const order = options.map((_, index) => (from + index) % options.length);
  return order.find((index) => wordsStart(options[index], text)) ?? at;
}

/** The letters that were typed last on a select. */
interface TypedWord {
  readonly word: string;
  /** When the last of them was typed, ms of `performance.now`. */
  readonly at: number;
  /** They opened its list. */
  hasOpened: boolean;
}

/** Whether a key ends a word that was typed on the closed list: it may have been meant for something else. */
const endsTypedWord = ({ at, hasOpened }: TypedWord): boolean =>
  hasOpened && performance.now() - at < typedGap;

/**
 * The labelled dropdown select. The focus stays on its button while the list is open, as ARIA's select-only combobox has
 * it: arrows and letters move, Enter and Space choose, Tab chooses and goes on, Esc closes.
 */
export function Select({
  label,
  error,
  help,
  options,
  value,
  onChange,
  required = false,
  disabled = false,
  isLoading = false,
  placeholder,
  icon,
  hidesLabel = false,
  isSavedAtOnce = false,
}: SelectProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [cursor, setCursor] = useState(0);
  const typed = useRef<TypedWord>({ word: '', at: 0, hasOpened: false });
  const chosen = options.findIndex((one) => one.value === value);
  const at = Math.min(cursor, options.length - 1);
  useEffect(() => {
    if (isOpen) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, isOpen, at]);

  const open = (from = Math.max(0, chosen)) => {
    typed.current.hasOpened = false;
    setCursor(from);
    setOpen(true);
  };
  const choose = (index: number) => {
    setOpen(false);
    const option = options[index];
    if (option !== undefined && option.value !== value) onChange(option.value);
  };
  const find = (key: string) => {
    const { word, at: since, hasOpened } = typed.current;
    const now = performance.now();
    typed.current = { word: (now - since < wordTime ? word : '') + key, at: now, hasOpened };
    const found = optionTyped(options, typed.current.word, isOpen ? at : chosen);
    if (isOpen) return setCursor(found);
    open(Math.max(0, found));
    typed.current.hasOpened = true;
  };
  const endsWord = () => isSavedAtOnce && endsTypedWord(typed.current);
  const press = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || (event.altKey && key !== 'ArrowDown' && key !== 'ArrowUp')) return;
    const isTyping = performance.now() - typed.current.at < wordTime && typed.current.word !== '';
    if (key === 'Tab') {
      if (endsWord()) setOpen(false);
      else if (isOpen) choose(at);
      return;
    }
    if (key === 'Enter' || (key === ' ' && !isTyping)) {
      if (!isOpen) open();
      else if (!endsWord()) choose(at);
    } else if (/^.$/u.test(key)) find(key);
    else if (isOpen && key === 'Escape') setOpen(false);
    else if (isOpen) {
      const next = stepOf(key, at, options.length - 1);
      if (next === undefined) return;
      setCursor(next);
    } else if (key === 'ArrowDown' || key === 'ArrowUp') open();
    else return;
    event.preventDefault();
  };

  return (
    <Field id={id} label={label} required={required} error={error} help={help} hidesLabel={hidesLabel}>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Anchor asChild>
          <InputBox isInvalid={error !== undefined} aria-busy={isLoading || undefined}>
            {icon}
            <button
              ref={button}
              type="button"
              id={id}
              role="combobox"
              className="flex h-full min-w-0 flex-1 items-center justify-between gap-1.5 border-0 bg-transparent p-0 text-start outline-0 enabled:data-none:text-text-3"
              data-none={chosen < 0 || undefined}
              // From the moment it is open Esc closes it, and is no command's.
              data-dismissible={isOpen || undefined}
              disabled={disabled || isLoading}
              aria-haspopup="listbox"
              aria-expanded={isOpen}
              aria-controls={`${id}-list`}
              aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
              aria-required={required || undefined}
              aria-invalid={error !== undefined || undefined}
              aria-describedby={noteOf(id, error, help)}
              onClick={() => (isOpen ? setOpen(false) : open())}
              onKeyDown={press}
            >
              <span className="min-w-0 truncate">
                {options[chosen] === undefined ? placeholder : <OptionText option={options[chosen]} />}
              </span>
              <EndMark isLoading={isLoading} />
            </button>
          </InputBox>
        </Popover.Anchor>
        <Popover.Portal>
          <Popover.Content
            className={`${menuBox} max-h-[min(20rem,var(--radix-popper-available-height))] max-w-[calc(100vw-0.5rem)] min-w-(--radix-popper-anchor-width) scrollbar-thin overflow-auto`}
            role="listbox"
            id={`${id}-list`}
            aria-label={typeof label === 'string' ? label : undefined}
            align="start"
            sideOffset={4}
            collisionPadding={4}
            onOpenAutoFocus={(event) => event.preventDefault()}
            onCloseAutoFocus={(event) => event.preventDefault()}
            onInteractOutside={(event) => {
              // The button closes the menu itself.
              if (button.current?.contains(event.target as Node) === true) event.preventDefault();
            }}
          >
            {options.map((option, index) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the button holds focus and keys
              <div
                key={option.value}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                data-highlighted={index === at || undefined}
                className={menuItem()}
                onPointerMove={() => setCursor(index)}
                // The focus stays on the button.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(index)}
              >
                <span className="min-w-0 flex-1">
                  <OptionText option={option} />
                </span>
                {index === chosen && (
                  <Check className={menuTick} size={15} strokeWidth={1.75} aria-hidden="true" />
                )}
              </div>
            ))}
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </Field>
  );
}
