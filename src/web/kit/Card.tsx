import { type ReactNode, type TdHTMLAttributes, useId } from 'react';
import { cardAside, cardLook, cardTitle } from './card.ts';

interface CardProps {
  readonly title: string;
  /** Content beside the title, in its line. */
  readonly beside?: ReactNode;
  /** In a narrow window, content that is too wide to fit beside the title moves below it. */
  readonly wraps?: boolean;
  readonly children: ReactNode;
}

/** One part of the dashboard: a region by its title. */
export function Card({ title, beside, wraps = false, children }: CardProps) {
  const id = useId();
  return (
    <section className={`@container pb-1 ${cardLook}`} aria-labelledby={id}>
      <header className={`min-w-0 ${cardTitle} ${wraps ? 'narrow:flex-wrap' : ''}`}>
        <h2 id={id}>{title}</h2>
        {beside}
      </header>
      {children}
    </section>
  );
}

/** A line of words in a card. */
export function CardNote({ children }: { readonly children: ReactNode }) {
  return <p className="flex items-center gap-1.5 px-3 pt-1 pb-2 text-text-2">{children}</p>;
}

interface LegendProps {
  readonly className?: string;
  /** Each mark, followed by its word. */
  readonly children: ReactNode;
}

/** The legend of a card, in its head. */
export function Legend({ className = '', children }: LegendProps) {
  return (
    <span
      className={`inline-flex items-center gap-1.25 [&>:is(svg,i,a):not(:first-child)]:ml-1.5 ${cardAside} ${className}`}
    >
      {children}
    </span>
  );
}

/** Room beside what a cell holds: beside a name of some length many columns are tight. */
const sides = {
  roomy: 'px-2 first:pl-3 last:pr-3',
  tight: 'px-1.25 first:pr-2 first:pl-3 last:pr-3 last:pl-2',
} as const;

interface CardTableProps {
  readonly className?: string;
  /** The content of the table, if its card does not say it. */
  readonly label?: string;
  readonly columns: readonly {
    readonly label: string;
    readonly isNumber?: true;
    readonly className?: string;
  }[];
  readonly room?: keyof typeof sides;
  readonly headClass?: string;
  /** Its rows. */
  readonly children: ReactNode;
}

/** A table in a card. */
export function CardTable({
  className = '',
  label,
  columns,
  room = 'roomy',
  headClass,
  children,
}: CardTableProps) {
  return (
    <div className="scroll-shade overflow-x-auto">
      <table className={`w-full border-collapse ${className}`} aria-label={label}>
        <thead className={headClass}>
          <tr>
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                className={[
                  'h-thead truncate border-b border-border bg-raised',
                  'text-(length:--text-2xs) font-medium text-text-3',
                  sides[room],
                  column.isNumber === true ? 'text-right' : 'text-left',
                  column.className ?? '',
                ].join(' ')}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&>tr:last-child>td]:border-b-0">{children}</tbody>
      </table>
    </div>
  );
}

/** The look of a row of a card's table. */
export const cardRow = 'hover:bg-row-hover';

interface CardCellProps extends TdHTMLAttributes<HTMLTableCellElement> {
  readonly isNumber?: boolean;
  readonly room?: keyof typeof sides;
  /** In the middle of a row of which another cell has two lines. */
  readonly isMiddle?: boolean;
}

/** A cell of a card's table. */
export function CardCell({
  isNumber = false,
  room = 'roomy',
  isMiddle = false,
  className = '',
  ...rest
}: CardCellProps) {
  return (
    <td
      {...rest}
      className={[
        'h-row border-b border-hairline py-[0.1875rem] whitespace-nowrap',
        isMiddle ? 'align-middle' : 'align-top',
        sides[room],
        isNumber ? 'text-right' : '',
        className,
      ].join(' ')}
    />
  );
}
