import { ListFilter, X } from 'lucide-react';
import type { RefObject } from 'react';
import type { KindFacts } from '../../registry/kind-facts.ts';
import { Keys } from '../keyboard/Keys.tsx';
import { lowerFirst } from '../data/live/freshness.ts';
import { NamespacePicker } from '../shell/NamespacePicker.tsx';

interface ListToolsProps {
  readonly kind: KindFacts;
  readonly filter: string;
  readonly shown: number;
  readonly known: number;
  /** How many exist where the server cuts the list off. */
  readonly total: number | undefined;
  readonly isComplete: boolean;
  readonly fieldRef: RefObject<HTMLInputElement | null>;
  readonly onFilter: (text: string) => void;
  /** Done with the field: the rows get the keys. */
  readonly onLeave: () => void;
}

/** The filter, and how many rows pass it. */
export function ListTools({
  kind,
  filter,
  shown,
  known,
  total,
  isComplete,
  fieldRef,
  onFilter,
  onLeave,
}: ListToolsProps) {
  const plural = lowerFirst(kind.title);
  const all =
    total !== undefined && total > known
      ? `first ${known} of ${total} ${plural}`
      : `${known} ${known === 1 ? lowerFirst(kind.kind) : plural}`;
  const count = filter === '' ? all : `${shown} of ${known}`;
  return (
    <div className="tools">
      <div className="input sm filter">
        <ListFilter size={13} strokeWidth={1.75} aria-hidden="true" />
        <input
          ref={fieldRef}
          type="text"
          inputMode="search"
          aria-label={`Filter ${plural}`}
          placeholder={`Filter ${plural}`}
          value={filter}
          onChange={(event) => onFilter(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'ArrowDown') {
              event.preventDefault();
              onLeave();
            }
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {filter === '' ? (
          <Keys keys="/" />
        ) : (
          <button type="button" className="clear" aria-label="Clear filter" onClick={() => onFilter('')}>
            <X size={12} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
      </div>
      <span className="count sec w-only" role="status">
        {isComplete && count}
      </span>
      <span className="grow" />
      <span className="only-n">
        <NamespacePicker />
      </span>
    </div>
  );
}
