import { type MouseEvent, type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react';
import type { RankQuery } from '../../registry/rank.ts';
import { EntryLine, optionId } from './EntryLine.tsx';
import type { Entry } from './entries.ts';

interface EntryListProps {
  readonly id: string;
  readonly label: string;
  /** Those of one section stand together. */
  readonly entries: readonly Entry[];
  /** What is underlined in their titles. */
  readonly query: RankQuery;
  readonly selectedId: string | undefined;
  readonly onPick: (id: string) => void;
  readonly onChoose: (entry: Entry) => void;
}

/** Entries by heading, in the order the headings come. */
export function sectionsOf(
  entries: readonly Entry[],
): readonly (readonly [heading: string, entries: readonly Entry[]])[] {
  return [...Map.groupBy(entries, ({ section }) => section)];
}

/**
 * What was found, in sections: at most some fifty lines. They are plain elements and one listener serves them all: each
 * key replaces many of them, and what a library does for each (registering it, asking which one is selected, a second
 * layout) took longer than everything else between key and paint.
 */
export function EntryList({ id, label, entries, query, selectedId, onPick, onChoose }: EntryListProps) {
  const list = useRef<HTMLDivElement>(null);
  /** Asking the element would lay it out. */
  const isScrolled = useRef(false);
  const sections = useMemo(() => sectionsOf(entries), [entries]);
  const isFirst = selectedId === entries[0]?.id;
  useLayoutEffect(() => {
    if (isFirst) {
      if (isScrolled.current) list.current?.scrollTo({ top: 0 });
    } else if (selectedId !== undefined) {
      document.getElementById(optionId(id, selectedId))?.scrollIntoView({ block: 'nearest' });
    }
    // oxlint-disable-next-line react/exhaustive-deps -- other entries above it move the highlighted one
  }, [id, isFirst, selectedId, entries]);
  const entryAt = (event: MouseEvent | PointerEvent) => {
    const line = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=option]') : null;
    return line === null ? undefined : entries.find((entry) => optionId(id, entry.id) === line.id);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above holds focus and keys
    <div
      ref={list}
      id={id}
      className="list"
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      onScroll={(event) => {
        isScrolled.current = event.currentTarget.scrollTop > 0;
      }}
      onPointerMove={(event) => {
        const entry = entryAt(event);
        if (entry !== undefined && entry.id !== selectedId) onPick(entry.id);
      }}
      onClick={(event) => {
        const entry = entryAt(event);
        if (entry !== undefined) onChoose(entry);
      }}
      // The field keeps the focus, whatever is pressed.
      onMouseDown={(event) => event.preventDefault()}
    >
      {sections.map(([heading, some]) => (
        <div key={heading} role="group" aria-label={heading}>
          <div className="pal-heading" aria-hidden="true">
            {heading}
          </div>
          {some.map((entry) => (
            <EntryLine
              key={entry.id}
              id={optionId(id, entry.id)}
              entry={entry}
              query={query}
              isSelected={entry.id === selectedId}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
