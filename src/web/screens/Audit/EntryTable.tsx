import { Fragment } from 'react';
import type { AuditEntry } from '../../../contract/audit.ts';
import { cardLook } from '../../kit/card.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { foldingRow, stackingCell, tableLook } from '../../kit/table.ts';
import { TableHead } from '../../kit/TableHead.tsx';
import { stringifySearch } from '../../workspace/search.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { EntryDetail, momentText } from './EntryDetail.tsx';
import { Outcome } from './Outcome.tsx';

const cell = `${stackingCell} md:py-1.5`;

/** Entries, the newest first. The address names the one that shows its detail. */
export function EntryTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const [search] = useViewSearch();
  return (
    <div className={`overflow-hidden ${cardLook}`}>
      <table className={tableLook} aria-label="Audit">
        <TableHead columns={[{ title: 'What happened' }, { title: 'Outcome' }, { title: 'Time' }]} />
        <tbody>
          {entries.map((entry) => {
            const isOpen = search['entry'] === String(entry.id);
            const change = { ...search, entry: isOpen ? undefined : String(entry.id) };
            return (
              <Fragment key={entry.id}>
                <tr className={foldingRow}>
                  <td className={`${cell} narrow:order-1`}>
                    <PlaceLink
                      className="wrap-anywhere text-text underline-offset-2 hover:underline"
                      href={`/settings${stringifySearch(change)}`}
                      aria-expanded={isOpen}
                    >
                      {entry.sentence}
                    </PlaceLink>
                  </td>
                  <td className={`${cell} narrow:order-2 narrow:justify-self-end`}>
                    <Outcome status={entry.status} />
                  </td>
                  <td
                    className={`${cell} whitespace-nowrap text-text-2 narrow:order-3 narrow:col-span-2 narrow:text-xs`}
                  >
                    <time dateTime={entry.startedAt}>{momentText(entry.startedAt)}</time>
                  </td>
                </tr>
                {isOpen && (
                  <tr className="narrow:block">
                    <td className="border-b border-hairline narrow:block" colSpan={3}>
                      <EntryDetail entry={entry} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
