import type { AuditEntry } from '../../../contract/audit.ts';
import { replayHref } from '../Recordings/replay-href.ts';
import { linkLook, PlaceLink } from '../../kit/Link.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { tableCell, tableLook, tableRow } from '../../kit/table.ts';
import { TableHead } from '../../kit/TableHead.tsx';
import { actionPhrase, valueText } from './asked.ts';
import { styledDateTime } from '../../kit/date-time.ts';

/** A moment to the second in the person's own way of writing. */
export const momentText = (at: string): string => styledDateTime(at, 'medium');

/** Everything that is recorded of one entry, with what was before and after. */
export function EntryDetail({ entry }: { readonly entry: AuditEntry }) {
  const { changes, subject, status, finishedAt } = entry;
  return (
    <div className="flex flex-col gap-3 bg-sunken px-3 py-2.5">
      {changes !== null && (
        <table className={tableLook} aria-label="Changes">
          <TableHead columns={[{ title: 'Setting' }, { title: 'Before' }, { title: 'After' }]} />
          <tbody>
            {Object.entries(changes).map(([name, { before, after }]) => (
              <tr key={name} className={tableRow}>
                <th scope="row" className={`${tableCell} text-left font-medium`}>
                  {actionPhrase(name)}
                </th>
                <td className={`${tableCell} wrap-anywhere text-text-2`}>
                  <span className="text-text-3 md:hidden">Before </span>
                  {valueText(name, before)}
                </td>
                <td className={`${tableCell} wrap-anywhere`}>
                  <span className="text-text-3 md:hidden">After </span>
                  {valueText(name, after)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <FactList>
        <Fact name="Person">{entry.actor}</Fact>
        {entry.cluster !== null && <Fact name="Cluster">{entry.cluster}</Fact>}
        {Object.entries(subject)
          .filter(([name]) => name !== 'recording')
          .map(([name, value]) => (
            <Fact key={name} name={actionPhrase(name)} isMono>
              {valueText(name, value)}
            </Fact>
          ))}
        {typeof subject['recording'] === 'string' && (
          <Fact name="Recorded">
            <PlaceLink className={linkLook} href={replayHref(subject['recording'])}>
              Replay what it showed
            </PlaceLink>
          </Fact>
        )}
        <Fact name="Action" isMono>
          {entry.action}
        </Fact>
        <Fact name="Began">{momentText(entry.startedAt)}</Fact>
        <Fact name="Ended">
          {finishedAt === null
            ? 'Not yet, or the server stopped'
            : `${momentText(finishedAt)}, status ${status ?? 'none'}`}
        </Fact>
        <Fact name="Address" isMono>
          {entry.address}
        </Fact>
        <Fact name="Request" isMono>
          {entry.requestId}
        </Fact>
      </FactList>
    </div>
  );
}
