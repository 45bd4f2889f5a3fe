import { useMemo } from 'react';
import type { CellValue, Row } from '../../../contract/live.ts';
import { formatAge } from '../../../kube/age.ts';
import { useApp } from '../../app/context.ts';
import { useLive } from '../../data/live/use-live.ts';
import { useTold } from '../../data/live/use-told.ts';
import { kindById } from '../../kinds/declared.ts';
import { useCell } from '../../state/state.ts';
import { Glyph } from '../../ui/marks.tsx';
import { useView } from '../../workspace/view.ts';
import { placeColumns } from '../pipeline.ts';
import { statusOf } from '../tones.ts';
import { Section } from './Section.tsx';

const none: ReadonlyMap<string, Row> = new Map<string, Row>();
/** Events shown. */
const most = 50;

interface EventsProps {
  readonly clusterId: number;
  readonly namespace: string | undefined;
  /** Uid of the object they are about. */
  readonly about: string;
}

/** What happened to an object, newest first, live. */
export function Events({ clusterId, namespace, about }: EventsProps) {
  const { live } = useApp();
  const { isVisible } = useView();
  const kind = kindById('event');
  const list = useLive(
    { clusterId, kind: 'event', namespace, where: { about }, window: kind?.window },
    isVisible,
  );
  const order = useCell(live.connection, (connection) => connection.columns['event']);
  const now = useTold(list);
  const rows = list?.rows ?? none;
  const cells = useMemo(() => {
    const columns = kind === undefined ? [] : placeColumns(kind, order);
    const at = (id: string) => columns.find(({ column }) => column.id === id)?.index ?? -1;
    const seen = at('last-seen');
    const read = (row: Row, id: string): CellValue => row[1][at(id)] ?? null;
    return [...rows.values()]
      .sort((a, b) => Number(b[1][seen] ?? 0) - Number(a[1][seen] ?? 0))
      .slice(0, most)
      .map((row) => ({
        uid: row[0],
        status: statusOf(read(row, 'status')),
        reason: read(row, 'reason'),
        message: read(row, 'message'),
        count: read(row, 'count'),
        seen: read(row, 'last-seen'),
      }));
  }, [rows, kind, order]);
  const problem = list?.ended?.title ?? (list?.complete === true ? undefined : list?.state.message);
  return (
    <Section title="Events" about={list?.complete === true ? rows.size : undefined}>
      {problem !== undefined && <p className="sec">{problem}</p>}
      {list?.complete === true && rows.size === 0 && (
        <p className="sec">None. The cluster keeps events for an hour or so.</p>
      )}
      <ul className="events">
        {cells.map(({ uid, status, reason, message, count, seen }) => (
          <li key={uid}>
            <Glyph tone={status?.tone ?? 'idle'} />
            <span className={status?.tone === 'warn' ? 'hot' : ''}>
              {String(reason ?? '')}
              <span className="vh">, {status?.label}</span>
            </span>
            <span className="grow" />
            <span className="sec">{typeof count === 'number' && count > 1 && `×${count}`}</span>
            <span className="sec ago">{typeof seen === 'number' ? formatAge(now / 1000 - seen) : '–'}</span>
            <p>{String(message ?? '')}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
