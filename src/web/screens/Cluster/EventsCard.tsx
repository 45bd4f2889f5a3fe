import { useId } from 'react';
import type { DashboardEvent } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { fillPath } from '../../../registry/path.ts';
import { kindById } from '../../kinds/declared.ts';
import { ObjectLink } from '../../resource/detail/ObjectLink.tsx';
import { PlaceLink } from '../../ui/Link.tsx';
import { Glyph } from '../../ui/marks.tsx';
import { MiddleCut } from '../../ui/MiddleCut.tsx';

interface EventsCardProps {
  readonly clusterId: number;
  readonly events: readonly DashboardEvent[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** Recent warnings, newest first. */
export function EventsCard({ clusterId, events, now }: EventsCardProps) {
  const id = useId();
  const list = kindById('event')?.paths.list;
  const cluster = String(clusterId);
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id} className="row">
        Recent warnings
        <span className="muted">
          {list !== undefined && (
            <PlaceLink className="link" href={fillPath(list, { clusterId: cluster })}>
              All events
            </PlaceLink>
          )}
        </span>
      </h2>
      {events.length === 0 ? (
        <p className="card-none sec">None in what the cluster still keeps.</p>
      ) : (
        <div className="table-scroll scroll-x">
          <table className="plain warnings">
            <thead>
              <tr>
                <th scope="col">Reason</th>
                <th scope="col">Object</th>
                <th scope="col">Message</th>
                <th scope="col" className="num">
                  Count
                </th>
                <th scope="col" className="num">
                  Last
                </th>
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <tr key={event.uid}>
                  <td className="hot">
                    <span className="row">
                      <Glyph tone="warn" size={11} />
                      <span className="trunc" title={event.reason}>
                        <ObjectLink
                          to={{ cluster, kind: 'event', namespace: event.namespace, name: event.name }}
                        >
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
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
