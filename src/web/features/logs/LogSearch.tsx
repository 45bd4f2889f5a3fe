import { Search, X } from 'lucide-react';
import type { RefObject } from 'react';
import { Input, InputBox } from '../../kit/input.tsx';

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

/**
 * The field that searches a log. What is typed leads to the nearest match above, unless the log is followed; Enter leaves
 * for the lines, where keys walk from match to match, with Shift by way of the one before; Esc gives up.
 */
export function LogSearch({ fieldRef, query, counted, onQuery, onStep, onLeave }: LogSearchProps) {
  return (
    <InputBox
      size="sm"
      className="max-w-96 min-w-32 flex-[1_1_14rem] narrow:max-w-none narrow:flex-[1_0_14rem]"
      data-dismissible=""
    >
      <Search className="text-text-3" size={13} strokeWidth={1.75} aria-hidden="true" />
      <Input
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
            if (event.shiftKey) onStep(-1);
            onLeave();
          } else if (event.key === 'Escape') {
            onQuery('');
            onLeave();
          }
        }}
      />
      <span className="whitespace-nowrap text-text-2" role="status">
        {counted}
      </span>
      {query !== '' && (
        <button
          type="button"
          className="grid size-4.5 place-items-center rounded-[3px] text-text-3"
          aria-label="Clear the search"
          onClick={() => {
            onQuery('');
            fieldRef.current?.focus();
          }}
        >
          <X size={12} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
    </InputBox>
  );
}
