import { memo } from 'react';
import type { Row } from '../../contract/live.ts';
import { Cell } from './cells/Cell.tsx';
import { isRight } from './columns.ts';
import type { PlacedColumn } from './pipeline.ts';

interface ListRowProps {
  readonly row: Row;
  readonly columns: readonly PlacedColumn[];
  readonly id: string;
  /** Position in the list from 1, the header being row 1. */
  readonly index: number;
  readonly top: number;
  readonly isCursor: boolean;
  readonly isTwoLine: boolean;
  /** The server's clock, ms; changes once a second at most. */
  readonly now: number;
  readonly onPoint: (uid: string) => void;
  readonly onOpen: ((uid: string) => void) | undefined;
}

/** One row, in one line or, in narrow windows, in two. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { row, columns, id, index, top, isCursor, isTwoLine, now, onPoint, onOpen } = props;
  const [uid, cells] = row;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid holds focus; keys are commands
    <div
      role="row"
      id={id}
      tabIndex={-1}
      aria-rowindex={index}
      aria-selected={isCursor}
      className={`r ${isCursor ? 'cur' : ''} ${isTwoLine ? 'two-line' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onPoint(uid)}
      onDoubleClick={onOpen === undefined ? undefined : () => onOpen(uid)}
    >
      {isTwoLine ? (
        <TwoLines columns={columns} cells={cells} now={now} />
      ) : (
        columns.map(({ column, index: at }) => (
          <span
            key={column.id}
            role="gridcell"
            className={`c-${column.format} ${isRight(column.format) ? 'num' : ''} ${column.format === 'name' ? 'name' : ''}`}
          >
            <Cell format={column.format} value={cells[at]} now={now} />
          </span>
        ))
      )}
    </div>
  );
});

/** Name and status above; below what else is worth a glance: namespace, ready, restarts, and the age. */
function TwoLines({
  columns,
  cells,
  now,
}: Pick<ListRowProps, 'columns' | 'now'> & { readonly cells: Row[1] }) {
  const cell = (format: PlacedColumn['column']['format']) => {
    const placed = columns.find(({ column }) => column.format === format);
    return placed === undefined ? null : <Cell format={format} value={cells[placed.index]} now={now} />;
  };
  const value = (format: PlacedColumn['column']['format']) => {
    const placed = columns.find(({ column }) => column.format === format);
    return placed === undefined ? undefined : cells[placed.index];
  };
  const namespace = value('namespace');
  const ratio = value('ratio');
  const restarts = value('restarts');
  const count = Array.isArray(restarts) ? (restarts as readonly unknown[])[0] : undefined;
  const facts = [
    typeof namespace === 'string' && namespace !== '' ? namespace : undefined,
    typeof ratio === 'string' ? `${ratio} ready` : undefined,
  ].filter((fact) => fact !== undefined);
  return (
    <>
      <span role="gridcell" className="name">
        {cell('name')}
      </span>
      <span role="gridcell" className="stt">
        {cell('status')}
      </span>
      <span role="gridcell" className="facts sec">
        {facts.join(' · ')}
        {typeof count === 'number' && count > 0 && (
          <>
            {facts.length > 0 && ' · '}
            <b className="semi">{count === 1 ? '1 restart' : `${count} restarts`}</b>
          </>
        )}
      </span>
      <span role="gridcell" className="age sec">
        {cell('age')}
      </span>
    </>
  );
}
