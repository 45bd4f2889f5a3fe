import { Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { FieldGroup } from './FieldGroup.tsx';
import { CheckLine, Input, InputBox } from './input.tsx';
import type { PickerEntry } from './PickerMenu.tsx';

/** Entries that show at a time; a search finds the others. */
const shownLimit = 100;
/** From this number of entries on they can be searched. */
const searchedFrom = 7;

interface PickManyProps {
  readonly label: string;
  /** Of the search. */
  readonly placeholder: string;
  /** Said when nothing is there or nothing matches. */
  readonly emptyText: string;
  readonly entries: readonly PickerEntry[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Several of a list, each with a box to check, and a search above many. Enter in the search checks the first that it finds. */
export function PickMany({ label, placeholder, emptyText, entries, chosen, onChoose }: PickManyProps) {
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const found = entries.filter(({ text }) => text.toLowerCase().includes(wanted));
  const shown = found.slice(0, shownLimit);
  const toggle = (id: string) =>
    onChoose(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]));
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [first] = shown;
    if (first === undefined || wanted === '') return;
    toggle(first.id);
    setQuery('');
  };
  return (
    <FieldGroup label={label}>
      {entries.length >= searchedFrom && (
        <InputBox>
          <Search className="text-text-3" size={13} strokeWidth={1.75} aria-hidden="true" />
          <Input
            type="search"
            aria-label={placeholder}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            onKeyDown={press}
          />
        </InputBox>
      )}
      {shown.length === 0 ? (
        <p role="status" className="text-text-2">
          {emptyText}
        </p>
      ) : (
        <div className="flex max-h-56 flex-col gap-0.5 overflow-y-auto rounded-sm border border-border px-2 py-1">
          {shown.map(({ id, content }) => (
            <CheckLine
              key={id}
              className="flex-none narrow:min-h-9"
              checked={chosen.has(id)}
              onChange={() => toggle(id)}
            >
              <span className="flex min-w-0 items-center gap-1.5 wrap-anywhere whitespace-normal">
                {content}
              </span>
            </CheckLine>
          ))}
        </div>
      )}
      <p role="status" className="text-xs text-text-3">
        {chosen.size} chosen
        {found.length > shown.length && ` · ${found.length - shown.length} more: type to find them`}
      </p>
    </FieldGroup>
  );
}
