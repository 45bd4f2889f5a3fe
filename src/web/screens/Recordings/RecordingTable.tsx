import type { Recording } from '../../../contract/recordings.ts';
import { cardLook } from '../../kit/card.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { foldingRow, stackingCell, tableLook } from '../../kit/table.ts';
import { TableHead } from '../../kit/TableHead.tsx';
import { clockTime } from '../../features/terminal/clock-time.ts';
import { momentText } from '../Audit/EntryDetail.tsx';
import { replayHref } from './replay-href.ts';

const cell = `${stackingCell} md:py-1.5`;

/** Recorded shells, the newest first; each leads to its replay. */
export function RecordingTable({ recordings }: { readonly recordings: readonly Recording[] }) {
  return (
    <div className={`overflow-hidden ${cardLook}`}>
      <table className={tableLook} aria-label="Recorded shells">
        <TableHead
          columns={[
            { title: 'Shell' },
            { title: 'Cluster' },
            { title: 'Person' },
            { title: 'Time' },
            { title: 'Lasted' },
            { title: 'End' },
          ]}
        />
        <tbody>
          {recordings.map((one) => (
            <tr key={one.id} className={foldingRow}>
              <td className={`${cell} narrow:order-1 narrow:col-span-2`}>
                <PlaceLink
                  className="font-medium wrap-anywhere text-text underline-offset-2 hover:underline"
                  href={replayHref(one.id)}
                >
                  {`${one.namespace}/${one.name}`}
                </PlaceLink>
                <span className="text-text-2">
                  {one.container === null ? '' : ` ${one.container}`}
                  {one.mode === 'attach' ? ' (attached)' : ''}
                </span>
              </td>
              <td className={`${cell} wrap-anywhere md:min-w-28 narrow:order-2 narrow:text-xs`}>
                {one.cluster}
              </td>
              <td className={`${cell} wrap-anywhere text-text-2 md:min-w-40 narrow:order-4 narrow:text-xs`}>
                {one.actor}
              </td>
              <td
                className={`${cell} whitespace-nowrap text-text-2 narrow:order-3 narrow:justify-self-end narrow:text-xs`}
              >
                <time dateTime={one.startedAt}>{momentText(one.startedAt)}</time>
              </td>
              <td
                className={`${cell} whitespace-nowrap narrow:order-5 narrow:justify-self-end narrow:text-xs`}
              >
                {clockTime(one.duration)}
              </td>
              <td
                className={`${cell} wrap-anywhere text-text-2 narrow:order-6 narrow:col-span-2 narrow:text-xs`}
              >
                {one.ending ?? 'Still open, or the server stopped'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
