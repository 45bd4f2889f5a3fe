import { useMemo, useState } from 'react';
import type { CellValue, Row } from '../../../contract/live.ts';
import { formatAge } from '../../../kube/age.ts';
import { useData } from '../../data/port.ts';
import { useLive } from '../../data/live/use-live.ts';
import { useDataTime } from '../../data/live/use-data-time.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { useCell } from '../../core/state/state.ts';
import { CheckLine, Input, InputBox } from '../../kit/input.tsx';
import { LinkButton } from '../../kit/Link.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { useView } from '../../workspace/view.ts';
import { placeColumns } from '../../data/rows/placed.ts';
import { type EventLine, shownEvents } from './event-lines.ts';
import { Section } from '../../kit/Section.tsx';

/** Events on a page. */
const page = 25;
/** Fewer events are read faster than they are filtered. */
const worthFiltering = 6;

interface EventsProps {
  readonly clusterId: number;
  readonly namespace: string | undefined;
  /** Uid of the object they are about. */
  readonly about: string;
}

/** The events of an object, newest first, live: filtered, and a page at a time. */
export function Events({ clusterId, namespace, about }: EventsProps) {
  const { live } = useData();
  const { isVisible } = useView();
  const kind = kindById('event');
  const list = useLive(
    { clusterId, kind: 'event', namespace, where: { about }, window: kind?.window },
    isVisible,
  );
  const order = useCell(live.connection, (connection) => connection.columns['event']);
  const now = useDataTime(list, clusterId);
  const [query, setQuery] = useState('');
  const [isWarnings, setWarnings] = useState(false);
  const [most, setMost] = useState(page);
  const rows = list?.rows;
  const lines = useMemo(() => {
    const columns = kind === undefined ? [] : placeColumns(kind, order);
    const at = new Map(columns.map(({ column, index }) => [column.id, index]));
    const cell = (row: Row, id: string): CellValue => row[1][at.get(id) ?? -1] ?? null;
    return shownEvents(rows?.values() ?? [], cell, { query, isWarnings });
  }, [rows, kind, order, query, isWarnings]);
  const known = rows?.size ?? 0;
  const isComplete = list?.complete === true;
  const problem = list?.ended?.title ?? (isComplete ? undefined : list?.state.message);
  const left = lines.length - most;
  const total = list?.total ?? known;
  const isFiltered = query.trim() !== '' || isWarnings;
  const filter = (change: () => void) => {
    setMost(page);
    change();
  };
  return (
    <Section
      title="Events"
      about={!isComplete ? undefined : isFiltered ? `${lines.length} of ${known}` : known}
    >
      {problem !== undefined && <p className="text-text-2">{problem}</p>}
      {isComplete && known === 0 && (
        <p className="text-text-2">None. Clusters keep events for about an hour.</p>
      )}
      {known >= worthFiltering && (
        <div className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <InputBox size="sm" className="max-w-80 flex-[1_1_10rem]">
            <Input
              type="search"
              aria-label="Filter events"
              placeholder="Filter events"
              value={query}
              onChange={(event) => filter(() => setQuery(event.target.value))}
            />
          </InputBox>
          <CheckLine
            checked={isWarnings}
            onChange={(event) => filter(() => setWarnings(event.target.checked))}
          >
            Warnings only
          </CheckLine>
        </div>
      )}
      {isComplete && total > known && (
        <p className="text-text-2">
          The newest {known.toLocaleString('en')} of {total.toLocaleString('en')}.
        </p>
      )}
      {isComplete && isFiltered && lines.length === 0 && known > 0 && (
        <p className="text-text-2">No event matches.</p>
      )}
      <ul>
        {lines.slice(0, most).map((line) => (
          <EventItem key={line.uid} line={line} now={now} />
        ))}
      </ul>
      {left > 0 && (
        <LinkButton onClick={() => setMost(most + page)}>
          Show {Math.min(page, left)} older ones{left > page ? ` of ${left}` : ''}
        </LinkButton>
      )}
    </Section>
  );
}

function EventItem({ line, now }: { readonly line: EventLine; readonly now: number }) {
  const { status, reason, message, count, seen } = line;
  return (
    <li className="grid grid-cols-[0.75rem_auto_minmax(0,1fr)_auto_3rem] items-center gap-x-1.5 border-hairline py-1.25 not-first:border-t">
      <Glyph tone={status?.tone ?? 'idle'} />
      <span className={status?.tone === 'warn' ? 'font-semibold text-warn-fg' : undefined}>
        {reason}
        <span className="sr-only">, {status?.label}</span>
      </span>
      <span className="min-w-0 flex-1" />
      <span className="text-text-2">{count > 1 && `×${count}`}</span>
      <span className="text-right text-text-2">
        {seen === undefined ? '–' : formatAge(now / 1000 - seen)}
      </span>
      <p className="col-[2/-1] wrap-anywhere text-text-2">{message}</p>
    </li>
  );
}
