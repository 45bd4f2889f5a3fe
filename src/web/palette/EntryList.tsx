import {
  type MouseEvent,
  type PointerEvent,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
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

/** Lines that are seen without scrolling, at most. */
const linesSeen = 20;
/** How long after a key the lines below those are drawn: when somebody pauses (ms). */
const pause = 120;

/** The entries to be drawn: at first those that are seen, the others once nothing was typed for a while. */
function useSeen(
  entries: readonly Entry[],
  query: RankQuery,
  selectedId: string | undefined,
): readonly Entry[] {
  const [rested, rest] = useState<RankQuery>();
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => rest(query)), pause);
    return () => clearTimeout(timer);
  }, [query]);
  return useMemo(() => {
    const seen = entries.slice(0, linesSeen);
    return rested === query || !seen.some(({ id }) => id === selectedId) ? entries : seen;
  }, [entries, query, rested, selectedId]);
}

/**
 * What was found, in sections: at most some fifty lines. They are plain elements and one listener serves them all: each
 * key replaces many of them, and what a library does for each (registering it, asking which one is selected, a second
 * layout) took longer than everything else between key and paint. A line is used again for what stands in its place next;
 * the first alone is made anew for each entry, so that a screen reader hears another one highlighted.
 */
export function EntryList({ id, label, entries, query, selectedId, onPick, onChoose }: EntryListProps) {
  const list = useRef<HTMLDivElement>(null);
  /** Asking the element would lay it out. */
  const isScrolled = useRef(false);
  const seen = useSeen(entries, query, selectedId);
  const sections = useMemo(() => sectionsOf(seen), [seen]);
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
      {sections.map(([heading, some], place) => (
        <div key={place} role="group" aria-label={heading}>
          <div className="pal-heading" aria-hidden="true">
            {heading}
          </div>
          {some.map((entry, at) => (
            <EntryLine
              key={place + at === 0 ? entry.id : at}
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
