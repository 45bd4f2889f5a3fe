import { type ReactNode, useId } from 'react';

interface CardProps {
  readonly title: string;
  /** What stands beside the title, in its line. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** One part of the dashboard: a region by its title. */
export function Card({ title, beside, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header className="card-head row">
        <h2 id={id}>{title}</h2>
        {beside}
      </header>
      {children}
    </section>
  );
}

interface CardTableProps {
  readonly className: string;
  /** What the table holds, where its card does not say it. */
  readonly label?: string;
  readonly columns: readonly { readonly label: string; readonly isNumber?: true }[];
  /** Its rows. */
  readonly children: ReactNode;
}

/** A table in a card. */
export function CardTable({ className, label, columns, children }: CardTableProps) {
  return (
    <div className="table-scroll scroll-x">
      <table className={`plain ${className}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={column.isNumber === true ? 'num' : undefined}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
