import type { DashboardEvent, EventMinute } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { fillPath } from '../../../registry/path.ts';
import { kindById } from '../../kinds/declared.ts';
import { ObjectLink } from '../../resource/detail/ObjectLink.tsx';
import { PlaceLink } from '../../ui/Link.tsx';
import { Glyph } from '../../ui/marks.tsx';
import { MiddleCut } from '../../ui/MiddleCut.tsx';
import { Card, CardTable } from './Card.tsx';
import { EventHistogram } from './EventHistogram.tsx';
import { histogramOf } from './model.ts';

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
  return (
    <Card
      title="Events, last hour"
      beside={
        <span className="muted legend">
          <i className="swatch normal" /> normal
          <i className="swatch warning" />{' '}
          {histogram.peak > 0 ? `warning, peak ${histogram.peak} a minute` : 'warning'}
          {list !== undefined && (
            <PlaceLink className="link" href={fillPath(list, { clusterId: cluster })}>
              All events
            </PlaceLink>
          )}
        </span>
      }
    >
      <EventHistogram histogram={histogram} now={now} />
      {events.length === 0 ? (
        <p className="card-none sec">No warning in what the cluster still keeps.</p>
      ) : (
        <CardTable
          className="warnings"
          label="Recent warnings"
          columns={[
            { label: 'Reason' },
            { label: 'Object' },
            { label: 'Message' },
            { label: 'Count', isNumber: true },
            { label: 'Last', isNumber: true },
          ]}
        >
          {events.map((event) => (
            <tr key={event.uid}>
              <td className="hot">
                <span className="row">
                  <Glyph tone="warn" size={11} />
                  <span className="trunc" title={event.reason}>
                    <ObjectLink to={{ cluster, kind: 'event', namespace: event.namespace, name: event.name }}>
                      {event.reason}
                    </ObjectLink>
                  </span>
                </span>
              </td>
              <td title={event.object.join(' ')}>
                <MiddleCut text={`${event.namespace}/${event.object[1]}`} />
              </td>
              <td title={event.message}>{event.message}</td>
              <td className="num">{event.count}</td>
              <td className="num sec">
                {event.lastSeen === null ? '–' : formatAge(now / 1000 - event.lastSeen)}
              </td>
            </tr>
          ))}
        </CardTable>
      )}
    </Card>
  );
}
