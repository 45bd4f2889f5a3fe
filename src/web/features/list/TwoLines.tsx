import { Fragment } from 'react';
import type { Row } from '../../../contract/live.ts';
import { usageWords } from '../metrics/usage-words.ts';
import { usageText } from '../cells/BriefUsage.tsx';
import { Cell } from '../cells/Cell.tsx';
import { isRestartRecent } from '../cells/row-times.ts';
import type { PlacedColumn } from '../../data/rows/placed.ts';
import { namespaceIn, type RowLinks } from '../../data/cell-links.ts';
import { cutCell } from './row-look.ts';

interface TwoLinesProps {
  readonly columns: readonly PlacedColumn[];
  readonly cells: Row[1];
  readonly links: RowLinks;
  /** The server's clock, ms. */
  readonly now: number;
}

const nameLook = 'min-w-0 px-1.25 font-medium whitespace-nowrap text-text md:col-start-2';
const statusLook = `${cutCell} text-(length:--text-xs) narrow:text-right md:col-start-2 md:group-data-telling/grid:col-start-3`;
/** In a narrow tile only what tells of things by a message says it here too. */
const secondLineLook = `${cutCell} text-(length:--text-xs) text-text-2 md:hidden md:group-data-telling/grid:block`;
const factsLook = `${secondLineLook} col-start-2`;
const ageLook = `${secondLineLook} text-right`;

/** Texts that stand for what a kind has none of. */
const maxTexts = 2;

const textsOf = (columns: readonly PlacedColumn[], cells: Row[1]): readonly string[] =>
  columns
    .filter(({ column }) => column.format === 'text' && column.wide !== true)
    .map(({ index }) => cells[index])
    .filter((value) => typeof value === 'string' && value !== '')
    .slice(0, maxTexts) as readonly string[];

/** Name and status above; below what else is worth a glance: namespace, ready, restarts, and the age. */
export function TwoLines({ columns, cells, links, now }: TwoLinesProps) {
  // Of several columns of a format the one that is called by it: definitions have dates besides the age.
  const placedAs = (format: PlacedColumn['column']['format']) =>
    columns.find(({ column }) => column.id === format && column.format === format) ??
    columns.find(({ column }) => column.format === format);
  const cell = (format: PlacedColumn['column']['format']) => {
    const placed = placedAs(format);
    if (placed === undefined) return null;
    const href = links.hrefs[columns.indexOf(placed)];
    return (
      <Cell
        format={format}
        value={cells[placed.index]}
        now={now}
        href={href}
        namespace={namespaceIn(cells, links)}
      />
    );
  };
  const value = (format: PlacedColumn['column']['format']) => {
    const placed = placedAs(format);
    return placed === undefined ? undefined : cells[placed.index];
  };
  const namespace = value('namespace');
  const ratio = value('ratio');
  const restarts = value('restarts');
  const count = Array.isArray(restarts) ? (restarts as readonly unknown[])[0] : undefined;
  const message = value('message');
  const hasOwnName = columns.some(({ column }) => column.format === 'name' && column.wide !== true);
  const known = [
    typeof message === 'string' ? message : undefined,
    typeof namespace === 'string' && namespace !== '' ? namespace : undefined,
    typeof ratio === 'string'
      ? `${ratio} ${placedAs('ratio')?.column.label.toLowerCase() ?? 'ready'}`
      : undefined,
  ].filter((fact) => fact !== undefined);
  // A node is of no namespace and counts nothing: its roles and its version are worth a glance.
  const facts = known.length > 0 ? known : textsOf(columns, cells);
  const alarms = [
    ...columns.flatMap(({ column, index }) => {
      if (column.join !== 'metrics') return [];
      const words = usageWords(cells[index], usageText(column.format));
      const name = column.format === 'bytes' ? 'memory' : 'CPU';
      return words === undefined || words.tone === ''
        ? []
        : [
            {
              text: `${name} ${words.share}`,
              className: words.tone === 'bad' ? 'font-semibold text-bad-fg' : 'font-semibold text-warn-fg',
            },
          ];
    }),
    ...(typeof count === 'number' && count > 0
      ? [
          {
            text: count === 1 ? '1 restart' : `${count} restarts`,
            className: isRestartRecent(restarts, now) ? 'font-semibold text-bad-fg' : 'font-semibold',
          },
        ]
      : []),
  ];
  return (
    <>
      <span role="gridcell" className={nameLook}>
        {hasOwnName ? cell('name') : cell('object')}
      </span>
      <span role="gridcell" className={statusLook}>
        {cell('status')}
      </span>
      <span role="gridcell" className={factsLook}>
        {facts.join(' · ')}
        {alarms.map(({ text, className }, index) => (
          <Fragment key={text}>
            {(facts.length > 0 || index > 0) && ' · '}
            <b className={className}>{text}</b>
          </Fragment>
        ))}
      </span>
      <span role="gridcell" className={ageLook}>
        {cell('age')}
      </span>
    </>
  );
}
