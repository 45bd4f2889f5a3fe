import { ListFilter, X } from 'lucide-react';
import { type KeyboardEvent, memo, type RefObject, Suspense, useId, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Completion, ValueCounts } from '../../../registry/filter/complete.ts';
import type { FilterFields } from '../../../registry/filter/fields.ts';
import type { FilterProblem } from '../../../registry/filter/parse.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { Input, InputBox } from '../../kit/input.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';
import { completionId } from './completion-id.ts';
import { type CompletionCode, useCompletion } from './use-completion.ts';

const FilterAssist = lazyPart(async () => (await import('./FilterAssist.tsx')).FilterAssist);

export interface FilterFieldProps {
  /** What is listed, in lower case. */
  readonly plural: string;
  readonly filter: string;
  /** What is to be said about the filter. */
  readonly problem: FilterProblem | undefined;
  /** What it can ask for by name. */
  readonly fields: FilterFields;
  readonly valuesOf: ValueCounts;
  readonly fieldRef: RefObject<HTMLInputElement | null>;
  readonly onFilter: (text: string) => void;
  /** The field took the keys, or gave them up. */
  readonly onTyping: (isTyping: boolean) => void;
  /** Done with the field: the rows get the keys. */
  readonly onLeave: () => void;
  /** Explains how filters are written. */
  readonly onHelp: () => void;
}

/** In a very narrow tile it has what place there is. */
const filterLook =
  'relative flex max-w-82.5 min-w-24 flex-[1_1_8rem] @max-[18rem]:min-w-16 narrow:max-w-none narrow:min-w-32';

/** What is offered for a filter as it was typed, and which of it is marked; -1 for none. */
interface Offer {
  readonly filter: string;
  readonly complete: (code: CompletionCode) => readonly Completion[];
  readonly at: number;
}
const emptyOffer: Offer = { filter: '', complete: () => [], at: -1 };

/** Whether a text is another with one question mark more, which stands alone. */
function asksForHelp(text: string, before: string, caret: number): boolean {
  const rest = text.slice(0, caret - 1) + text.slice(caret);
  return rest === before && /(?:^|\s)\?$/.test(text.slice(0, caret)) && /^(?:\s|$)/.test(text.slice(caret));
}

/**
 * The field of a list's filter. It offers how to go on while somebody types: the arrows choose, Tab takes the first or the
 * one that is chosen, Enter only the latter; without a choice Enter leaves for the rows, as ever.
 */
export const FilterField = memo(function FilterField(props: FilterFieldProps) {
  const { plural, filter, problem, fields, valuesOf, fieldRef, onFilter, onTyping, onLeave, onHelp } = props;
  const id = useId();
  const [isFocused, setFocused] = useState(false);
  const [last, setOffer] = useState(emptyOffer);
  const offer = isFocused && last.filter === filter ? last : emptyOffer;
  const { complete, at } = offer;
  const code = useCompletion(isFocused);
  const completions = useMemo(() => (code === undefined ? [] : complete(code)), [code, complete]);
  const isOpen = completions.length > 0;

  const offerAt = (text: string, caret: number) =>
    setOffer({
      filter: text,
      complete: ({ completionsAt }) => completionsAt(text, caret, fields, valuesOf),
      at: -1,
    });
  const type = (text: string, caret: number) => {
    if (asksForHelp(text, filter, caret)) return onHelp();
    offerAt(text, caret);
    onFilter(text);
  };
  const take = (completion: Completion | undefined) => {
    if (code === undefined || completion === undefined) return;
    const next = code.completed(filter, completion);
    flushSync(() => {
      offerAt(next.text, next.caret);
      onFilter(next.text);
    });
    fieldRef.current?.setSelectionRange(next.caret, next.caret);
  };
  const press = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.nativeEvent.isComposing) return;
    if (isOpen && key === 'ArrowDown' && at < completions.length - 1) setOffer({ ...offer, at: at + 1 });
    else if (isOpen && key === 'ArrowUp') setOffer({ ...offer, at: Math.max(-1, at - 1) });
    else if (isOpen && key === 'Tab' && !event.shiftKey) take(completions[Math.max(0, at)]);
    else if (key === 'Enter' && at >= 0) take(completions[at]);
    else if (key === 'Enter' || key === 'ArrowDown') onLeave();
    else return;
    event.preventDefault();
  };
  return (
    <span className={filterLook} data-part="filter">
      <InputBox size="sm" className="flex-1" isInvalid={problem?.type === 'wrong'}>
        <ListFilter className="text-text-3" size={13} strokeWidth={1.75} aria-hidden="true" />
        <Input
          ref={fieldRef}
          type="text"
          inputMode="search"
          role="combobox"
          aria-label={`Filter ${plural}`}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-activedescendant={at < 0 ? undefined : completionId(id, at)}
          aria-describedby={isFocused ? `${id}help` : undefined}
          aria-invalid={problem?.type === 'wrong' || undefined}
          placeholder={`Filter ${plural}`}
          value={filter}
          onChange={({ target }) => type(target.value, target.selectionStart ?? target.value.length)}
          onFocus={() => {
            setFocused(true);
            onTyping(true);
          }}
          onBlur={() => {
            setFocused(false);
            setOffer(emptyOffer);
            onTyping(false);
          }}
          onKeyDown={press}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {filter === '' ? (
          <span className="@max-[18rem]:hidden narrow:hidden" aria-hidden="true">
            <KeysOf id="table.filter" />
          </span>
        ) : (
          <button
            type="button"
            className="grid size-4.5 place-items-center rounded-[3px] text-text-3"
            aria-label="Clear filter"
            onClick={() => onFilter('')}
          >
            <X size={12} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
      </InputBox>
      {isFocused && (
        <Suspense>
          <FilterAssist id={id} completions={completions} at={at} problem={problem} onTake={take} />
        </Suspense>
      )}
    </span>
  );
});
