import type { ReactNode } from 'react';
import type { DashboardEvent, EventMinute } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { fillPath } from '../../../registry/path.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { useCellHref } from '../../data/cell-links.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { PlaceLink, quietLink } from '../../kit/Link.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { Card, CardCell, CardNote, CardTable, cardRow, Legend } from '../../kit/Card.tsx';
import { EventHistogram, Swatch } from './EventHistogram.tsx';
import { histogramOf } from './model.ts';

/** As narrow as a telephone: what happened and how often above, to what below. */
const narrowest = {
  head: '@max-[23.5rem]:sr-only',
  row: [
    '@max-[23.5rem]:grid @max-[23.5rem]:grid-cols-[minmax(0,1fr)_max-content_max-content]',
    '@max-[23.5rem]:gap-x-3 @max-[23.5rem]:border-b @max-[23.5rem]:border-hairline',
    '@max-[23.5rem]:px-3 @max-[23.5rem]:py-1 @max-[23.5rem]:last:border-b-0',
  ].join(' '),
  cell: [
    'truncate @max-[23.5rem]:h-auto @max-[23.5rem]:border-0 @max-[23.5rem]:p-0',
    '@max-[23.5rem]:first:pl-0 @max-[23.5rem]:last:pr-0',
  ].join(' '),
} as const;

interface EventsCardProps {
  readonly clusterId: number;
  readonly events: readonly DashboardEvent[];
  readonly minutes: readonly EventMinute[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** How many events there were in the last hour, and the newest warnings. */
export function EventsCard({ clusterId, events, minutes, now }: EventsCardProps) {
  const list = kindById('event')?.paths.list;
  const cluster = String(clusterId);
  const histogram = histogramOf(minutes, now);
  const objectTo = useCellHref(cluster)({ to: 'object' });
  return (
    <Card
      title="Events, last hour"
      wraps
      beside={
        <Legend>
          <Swatch of="normal" /> normal
          <Swatch of="warning" />{' '}
          {histogram.peak > 0 ? `warning, peak ${histogram.peak} a minute` : 'warning'}
          {list !== undefined && (
            <PlaceLink href={fillPath(list, { clusterId: cluster })}>All events</PlaceLink>
          )}
        </Legend>
      }
    >
      <EventHistogram histogram={histogram} now={now} />
      {events.length === 0 ? (
        <CardNote>No warnings in the events that the cluster still keeps.</CardNote>
      ) : (
        <CardTable
          className="table-fixed"
          headClass={narrowest.head}
          label="Recent warnings"
          columns={[
            { label: 'Reason', className: 'w-[10.5rem]' },
            { label: 'Object', className: 'w-[34%] @max-[40rem]:w-auto' },
            { label: 'Message', className: '@max-[40rem]:hidden' },
            { label: 'Count', isNumber: true, className: 'w-14' },
            { label: 'Last', isNumber: true, className: 'w-16' },
          ]}
        >
          {events.map((event) => (
            <tr key={event.uid} className={`${cardRow} ${narrowest.row}`}>
              <CardCell className={`font-semibold text-warn-fg ${narrowest.cell}`}>
                <span className="flex min-w-0 items-center gap-1.5">
                  <Glyph tone="warn" size={11} />
                  <span className="min-w-0 truncate" title={event.reason}>
                    <ObjectLink
                      isPlain
                      to={{ cluster, kind: 'event', namespace: event.namespace, name: event.name }}
                    >
                      {event.reason}
                    </ObjectLink>
                  </span>
                </span>
              </CardCell>
              <CardCell
                className={`${narrowest.cell} @max-[23.5rem]:[grid-area:2/1/auto/-1]`}
                title={event.object.join(' ')}
              >
                <NamedLink to={objectTo(event.object, event.namespace)}>
                  <MiddleCut text={`${event.namespace}/${event.object[1]}`} />
                </NamedLink>
              </CardCell>
              <CardCell className={`${narrowest.cell} @max-[40rem]:hidden`} title={event.message}>
                {event.message}
              </CardCell>
              <CardCell isNumber className={narrowest.cell}>
                {event.count}
              </CardCell>
              <CardCell isNumber className={`text-text-2 ${narrowest.cell}`}>
                {event.lastSeen === null ? '–' : formatAge(now / 1000 - event.lastSeen)}
              </CardCell>
            </tr>
          ))}
        </CardTable>
      )}
    </Card>
  );
}

/** The object of an event, out of the tab order: the event's own page, which is in it, leads there too. */
function NamedLink({ to, children }: { readonly to: string | undefined; readonly children: ReactNode }) {
  return to === undefined ? (
    children
  ) : (
    <PlaceLink href={to} tabIndex={-1} className={`block w-fit max-w-full text-inherit ${quietLink}`}>
      {children}
    </PlaceLink>
  );
}
