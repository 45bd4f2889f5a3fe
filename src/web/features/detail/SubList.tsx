import { useMemo, useState } from 'react';
import type { Row } from '../../../contract/live.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useData } from '../../data/port.ts';
import { lowerFirst } from '../../data/live/freshness.ts';
import type { ListTarget } from '../../data/live/targets.ts';
import { useLive } from '../../data/live/use-live.ts';
import { useDataTime } from '../../data/live/use-data-time.ts';
import { type PlacedColumn, placeColumns } from '../../data/rows/placed.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { useCell } from '../../core/state/state.ts';
import { useCommands } from '../../core/commands.ts';
import { hrefsOf, namespaceIn, type RowLinks, useLinkedPlace } from '../../data/cell-links.ts';
import { namePlaces } from '../../data/rows/sort-key.ts';
import { LinkButton, takeClick } from '../../kit/Link.tsx';
import { useView } from '../../workspace/view.ts';
import { Cell } from '../cells/Cell.tsx';
import { fittingColumns, tracksOf } from '../list/columns.ts';
import { cutCellLooks, headRow } from '../list/row-look.ts';
import { refOfRow } from '../list/row-ref.ts';
import { useRowView } from '../list/use-arranged.ts';
import { useMeasure } from '../../kit/use-measure.ts';
import { useSized } from '../list/use-sized.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Section } from '../../kit/Section.tsx';

const subRow = 'grid grid-cols-(--cols) items-center border-b';
/** The whole row says where the cursor is: its name cuts off what is drawn around the link. */
const objectRow = [
  'h-row border-hairline narrow:h-9 has-[[data-part=name]_:focus-visible]:bg-row-cursor',
  'has-[[data-part=name]_:focus-visible]:outline-2 has-[[data-part=name]_:focus-visible]:-outline-offset-2',
  'has-[[data-part=name]_:focus-visible]:outline-focus',
].join(' ');

/** Rows shown before one asks for all. */
const initialRows = 30;

interface SubListProps {
  readonly target: ListTarget;
  readonly title: string;
  /** Nothing at all where the list is empty, or may not be seen. */
  readonly isOptional?: boolean;
}

/** A live list inside a detail page, worst first: pods of a workload, what an object owns. */
export function SubList({ target, title, isOptional = false }: SubListProps) {
  const { live } = useData();
  const { isVisible } = useView();
  const kind = kindById(target.kind);
  const list = useLive(target, isVisible);
  const now = useDataTime(list, target.clusterId);
  const order = useCell(live.connection, (connection) => connection.columns[target.kind]);
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const { width, rootSize } = useMeasure(element);
  const [isWhole, setWhole] = useState(false);
  const placed = useMemo(() => (kind === undefined ? [] : placeColumns(kind, order)), [kind, order]);
  const columns = useSized(placed, list);
  const sorted = useRowView(list, { columns: placed });
  const linkedPlace = useLinkedPlace(String(target.clusterId));
  const { workspace } = useCommands().services;
  if (kind === undefined) return null;
  if (isOptional && sorted.size === 0) return null;
  const shown = sorted.range(0, isWhole ? sorted.size : initialRows);
  const room = (width * 16) / rootSize;
  const fitting = fittingColumns(
    columns.filter(({ column }) => column.format !== 'namespace' || target.namespace === undefined),
    room,
  );
  const looks = cutCellLooks(fitting);
  const links: RowLinks = {
    hrefs: hrefsOf(kind, fitting, linkedPlace),
    namespaceAt: namePlaces(placed).namespaceAt,
  };
  const problem = list?.ended?.title ?? (list?.complete === true ? undefined : list?.state.message);
  return (
    <Section title={title} about={list?.complete === true ? sorted.size : undefined}>
      {problem !== undefined && <p className="text-text-2">{problem}</p>}
      {list?.complete === true && sorted.size === 0 && (
        <p className="text-text-2">No {lowerFirst(kind.title)}.</p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- clicks on its links, which keys press as well */}
      <div
        ref={setElement}
        className="flex-none font-stretch-93%"
        role="table"
        aria-label={title}
        onClick={(event) => {
          const href = takeClick(event);
          if (href !== undefined) workspace.open(href);
        }}
        aria-busy={list?.complete !== true && problem === undefined}
        style={{ '--cols': tracksOf(fitting, room) } as React.CSSProperties}
      >
        {shown.length > 0 && (
          <div role="row" className={`${subRow} ${headRow}`}>
            {fitting.map(({ column }, at) => (
              <span key={column.id} role="columnheader" className={looks[at]}>
                {column.label}
              </span>
            ))}
          </div>
        )}
        {shown.map((row) => (
          <SubRow
            key={row[0]}
            row={row}
            columns={fitting}
            cellClasses={looks}
            to={refOfRow(row, columns, kind.id, target.clusterId)}
            links={links}
            now={now}
          />
        ))}
      </div>
      {sorted.size > shown.length && (
        <LinkButton onClick={() => setWhole(true)}>Show all {sorted.size}</LinkButton>
      )}
    </Section>
  );
}

interface SubRowProps {
  readonly row: Row;
  readonly columns: readonly PlacedColumn[];
  /** The classes of its cells, by column. */
  readonly cellClasses: readonly string[];
  readonly to: ObjectRef | undefined;
  readonly links: RowLinks;
  readonly now: number;
}

function SubRow({ row, columns, cellClasses, to, links, now }: SubRowProps) {
  return (
    <div role="row" className={`${subRow} ${objectRow}`}>
      {columns.map(({ column, index }, at) => {
        const cell = (
          <Cell
            format={column.format}
            value={row[1][index]}
            now={now}
            href={column.format === 'name' ? undefined : links.hrefs[at]}
            namespace={namespaceIn(row[1], links)}
          />
        );
        return (
          <span
            key={column.id}
            role="cell"
            data-part={column.format === 'name' ? 'name' : undefined}
            className={
              column.format === 'name' ? `${cellClasses[at]} font-medium text-text` : cellClasses[at]
            }
          >
            {column.format === 'name' ? (
              <ObjectLink to={to} isPlain className="focus-visible:outline-none">
                {cell}
              </ObjectLink>
            ) : (
              cell
            )}
          </span>
        );
      })}
    </div>
  );
}
