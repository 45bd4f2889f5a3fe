import { CircleAlert, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FilterProblem, type FilterTerm, withoutTerm } from '../../../registry/filter/parse.ts';

/** Delay before a problem is announced, ms: each key on the way to a value has one. */
const pause = 600;

interface FilterTermsProps {
  readonly filter: string;
  readonly terms: readonly FilterTerm[];
  readonly problem: FilterProblem | undefined;
  readonly fieldRef: RefObject<HTMLInputElement | null>;
  readonly onFilter: (text: string) => void;
}

const isPlain = ({ atoms, isNot }: FilterTerm) => !isNot && atoms.length === 1 && atoms[0]?.by === 'word';

const chipLook = [
  'inline-flex h-5.5 max-w-full min-w-0 items-center gap-1 rounded-sm border border-border bg-raised pl-1.5 narrow:h-8',
  'data-wrong:border-bad data-wrong:text-bad-fg',
].join(' ');

/** The terms of a filter that asks for more than words, each to be taken away; and what is to be said about it. */
export function FilterTerms({ filter, terms, problem, fieldRef, onFilter }: FilterTermsProps) {
  const list = useRef<HTMLUListElement>(null);
  const message = problem?.type === 'open' ? undefined : problem?.text;
  const isShown = terms.some((term) => !isPlain(term)) || message !== undefined;
  const remove = (term: FilterTerm, index: number) => {
    flushSync(() => onFilter(withoutTerm(filter, term)));
    // What follows takes its place, after the last the one before it; without any the field is next.
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    (buttons[Math.min(index, buttons.length - 1)] ?? fieldRef.current)?.focus();
  };
  return (
    <>
      <Announcement text={message ?? ''} />
      {isShown && (
        <div className="flex flex-none flex-wrap items-center gap-1.5 border-b border-hairline px-2 py-1 text-(length:--text-xs)">
          <ul ref={list} aria-label="Filter" className="contents">
            {terms.map((term, index) => {
              const text = filter.slice(term.from, term.to);
              return (
                <li key={index} className={chipLook} data-wrong={term.problem?.type === 'wrong' || undefined}>
                  <span className="mono truncate">{text}</span>
                  <button
                    type="button"
                    className="grid h-full w-5 flex-none place-items-center text-text-3 narrow:w-8"
                    aria-label={`Remove ${text}`}
                    onClick={() => remove(term, index)}
                  >
                    <X size={11} strokeWidth={1.75} aria-hidden="true" />
                  </button>
                </li>
              );
            })}
          </ul>
          {message !== undefined && (
            <span
              // What hangs below the filter says it as well, and lies over a part of this.
              className="flex min-w-0 items-center gap-1 text-text-2 data-wrong:text-bad-fg [[data-tile]:has([data-part=filter-assist])_&]:invisible"
              data-wrong={problem?.type === 'wrong' || undefined}
            >
              <CircleAlert className="flex-none" size={12} strokeWidth={1.75} aria-hidden="true" />
              {message}
            </span>
          )}
        </div>
      )}
    </>
  );
}

/** Says a text to a screen reader once it has stood for a moment. */
function Announcement({ text }: { readonly text: string }) {
  const [said, say] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => say(text), text === '' ? 0 : pause);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className="sr-only" role="status">
      {said === text ? said : ''}
    </span>
  );
}
