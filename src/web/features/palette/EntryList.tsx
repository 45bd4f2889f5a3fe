import { Command } from 'cmdk';
import { startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RankQuery } from '../../../registry/palette/rank.ts';
import { useStable } from '../../kit/use-stable.ts';
import { EntryLine, entryOfOption, optionId } from './EntryLine.tsx';
import type { Entry } from './entries.ts';

interface EntryListProps {
  /** Prefix of the ids of its lines. */
  readonly id: string;
  readonly label: string;
  /** Entries of one section are neighbours. */
  readonly entries: readonly Entry[];
  /** The query whose matches are underlined in the titles. */
  readonly query: RankQuery;
  readonly selectedId: string | undefined;
  /** Whether the highlighted line is marked. cmdk scrolls to a line that is marked when the list appears: one layout more. */
  readonly isMarked: boolean;
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
    const isBelow = selectedId !== undefined && !seen.some(({ id }) => id === selectedId);
    return rested === query || isBelow ? entries : seen;
  }, [entries, query, rested, selectedId]);
}

/**
 * Drawn apart from the field above it, and on a ground of its own, so that a letter does not draw the list again. The element
 * that cmdk measures has no box: it would write its height into a property that restyles every line.
 */
const listLook = [
  'min-h-0 max-h-150 scroll-p-1.5 overflow-auto px-1.5 pt-1 pb-1.5 data-empty:p-0 narrow:max-h-none',
  'bg-overlay will-change-transform [scrollbar-width:thin] [&>[cmdk-list-sizer]]:contents',
].join(' ');

/**
 * The entries that were found, at most some fifty lines in sections, as the list of cmdk: it gives roles and ids, and says
 * which line is pointed at and which is clicked. Lines are drawn by `useSeen` and reused: a line shows what comes next in
 * its place. Only the first is made anew for each entry, so that a screen reader announces that another one is highlighted.
 */
export function EntryList({ id, label, entries, query, selectedId, isMarked, onChoose }: EntryListProps) {
  const list = useRef<HTMLDivElement>(null);
  /** Asking the element would lay it out. */
  const isScrolled = useRef(false);
  const seen = useSeen(entries, query, selectedId);
  const sections = useMemo(() => sectionsOf(seen), [seen]);
  const isFirst = selectedId === entries[0]?.id;
  useLayoutEffect(() => {
    // cmdk notes here what it selected last itself, and not what is selected now; the field names that.
    list.current?.removeAttribute('aria-activedescendant');
    if (isFirst) {
      if (isScrolled.current) list.current?.scrollTo({ top: 0 });
    } else if (selectedId !== undefined) {
      document.getElementById(optionId(id, selectedId))?.scrollIntoView({ block: 'nearest' });
    }
    // oxlint-disable-next-line react/exhaustive-deps -- other entries above it move the highlighted one
  }, [id, isFirst, selectedId, entries]);
  const choose = useStable((option: string) => {
    const entry = entryOfOption(id, option, entries);
    if (entry !== undefined) onChoose(entry);
  });
  return (
    <Command.List
      ref={list}
      label={label}
      className={listLook}
      data-empty={entries.length === 0 || undefined}
      onScroll={(event) => {
        isScrolled.current = event.currentTarget.scrollTop > 0;
      }}
      // The field keeps the focus, whatever is pressed.
      onMouseDown={(event) => event.preventDefault()}
    >
      {sections.map(([heading, some], place) => (
        <Command.Group
          key={place}
          value={heading}
          heading={<div className="px-2 pt-2 pb-1 text-2xs font-medium text-text-3">{heading}</div>}
        >
          {some.map((entry, at) => (
            <EntryLine
              key={place + at === 0 ? entry.id : at}
              id={optionId(id, entry.id)}
              entry={entry}
              query={query}
              isSelected={isMarked && entry.id === selectedId}
              onChoose={choose}
            />
          ))}
        </Command.Group>
      ))}
    </Command.List>
  );
}
