import { Search, X } from 'lucide-react';
import type { RefObject } from 'react';

interface LogSearchProps {
  readonly fieldRef: RefObject<HTMLInputElement | null>;
  readonly query: string;
  /** How many matches there are, in words. */
  readonly counted: string;
  readonly onQuery: (text: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  /** Done with the field: the lines get the keys. */
  readonly onLeave: () => void;
}

/** The field that searches a log: Enter goes on to the next match, with Shift to the one before, Esc gives up. */
export function LogSearch({ fieldRef, query, counted, onQuery, onStep, onLeave }: LogSearchProps) {
  return (
    <div className="input sm filter" data-dismissible="">
      <Search size={13} strokeWidth={1.75} aria-hidden="true" />
      <input
        ref={fieldRef}
        type="text"
        inputMode="search"
        aria-label="Search the log"
        placeholder="Search"
        value={query}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            onStep(event.shiftKey ? -1 : 1);
          } else if (event.key === 'Escape') {
            onQuery('');
            onLeave();
          }
        }}
      />
      <span className="sec counted" role="status">
        {counted}
      </span>
      {query !== '' && (
        <button
          type="button"
          className="clear"
          aria-label="Clear the search"
          onClick={() => {
            onQuery('');
            fieldRef.current?.focus();
          }}
        >
          <X size={12} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
