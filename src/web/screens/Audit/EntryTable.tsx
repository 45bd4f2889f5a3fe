import { Fragment } from 'react';
import type { AuditEntry } from '../../../contract/audit.ts';
import { cardLook } from '../../kit/card.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { foldingRow, stackingCell, tableLook } from '../../kit/table.ts';
import { TableHead } from '../../kit/TableHead.tsx';
import { stringifySearch } from '../../workspace/search.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { actionPhrase, subjectLine } from './asked.ts';
import { EntryDetail, momentText } from './EntryDetail.tsx';
import { Outcome } from './Outcome.tsx';

const cell = `${stackingCell} md:py-1.5`;

/** Entries, the newest first. The address names the one that shows its detail. */
export function EntryTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const [search] = useViewSearch();
  return (
    <div className={`overflow-hidden ${cardLook}`}>
      <table className={tableLook} aria-label="Audit">
        <TableHead
          columns={[
            { title: 'Action' },
            { title: 'Outcome' },
            { title: 'About' },
            { title: 'Person' },
            { title: 'Time' },
          ]}
        />
        <tbody>
          {entries.map((entry) => {
            const isOpen = search['entry'] === String(entry.id);
            const change = { ...search, entry: isOpen ? undefined : String(entry.id) };
            const about = subjectLine(entry.subject);
            return (
              <Fragment key={entry.id}>
                <tr className={foldingRow}>
                  <td className={`${cell} narrow:order-1`}>
                    <PlaceLink
                      className="font-medium wrap-anywhere text-text underline-offset-2 hover:underline"
                      href={`/settings${stringifySearch(change)}`}
                      aria-expanded={isOpen}
                    >
                      {actionPhrase(entry.action)}
                    </PlaceLink>
                  </td>
                  <td className={`${cell} narrow:order-2 narrow:justify-self-end`}>
                    <Outcome status={entry.status} />
                  </td>
                  <td className={`${cell} wrap-anywhere narrow:order-3 narrow:col-span-2`}>
                    {entry.cluster !== null && (
                      <span className="text-text-2">
                        {about === '' ? entry.cluster : `${entry.cluster}: `}
                      </span>
                    )}
                    {about === '' && entry.cluster === null ? <span className="text-text-3">–</span> : about}
                  </td>
                  <td className={`${cell} wrap-anywhere text-text-2 narrow:order-4 narrow:text-xs`}>
                    {entry.actor}
                  </td>
                  <td
                    className={`${cell} whitespace-nowrap text-text-2 narrow:order-5 narrow:justify-self-end narrow:text-xs`}
                  >
                    <time dateTime={entry.startedAt}>{momentText(entry.startedAt)}</time>
                  </td>
                </tr>
                {isOpen && (
                  <tr className="narrow:block">
                    <td className="border-b border-hairline narrow:block" colSpan={5}>
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
