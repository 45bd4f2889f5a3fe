import { useEffect, useRef, useState } from 'react';
import type { ComparedObject } from '../../../contract/compare.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { objectPath } from '../../data/object-path.ts';
import { Button } from '../../kit/Button.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { headCell, tableCell, tableLook, tableRow } from '../../kit/table.ts';
import { formatOther, type Place } from './other.ts';
import { stateText, stateTones } from './StateFilter.tsx';

/** Lines that are drawn at first, and more of them at a time. */
const pageSize = 300;

interface ComparedTableProps {
  /** Id of the kind, or the name of one without a file. */
  readonly name: string;
  readonly objects: readonly ComparedObject[];
  readonly left: Place;
  readonly right: Place;
  readonly titles: readonly [left: string, right: string];
  /** The line that was gone to, from 0; -1 for none. */
  readonly current: number;
}

/** The object of one line on one side. */
const refAt = (kind: string, place: Place, { namespace, name }: ComparedObject): ObjectRef => {
  const own = place.namespace ?? namespace ?? undefined;
  return { cluster: place.cluster, kind, ...(own === undefined ? {} : { namespace: own }), name };
};

/** Where a line leads: to the comparison of the two objects, or to the only one. */
function hrefOf(kind: string, one: ComparedObject, left: Place, right: Place): string | undefined {
  if (one.state === 'right') return objectPath(refAt(kind, right, one));
  const ref = refAt(kind, left, one);
  if (one.state === 'left') return objectPath(ref);
  const path = objectPath(ref, 'compare');
  return path === undefined
    ? undefined
    : `${path}&to=${encodeURIComponent(formatOther(refAt(kind, right, one)))}`;
}

/** Objects of two places, one line each: how it stands, and what differs. */
export function ComparedTable({ name, objects, left, right, titles, current }: ComparedTableProps) {
  const [most, setMost] = useState(pageSize);
  const body = useRef<HTMLTableSectionElement>(null);
  const drawn = Math.max(most, current + 1);
  useEffect(() => {
    const line = body.current?.rows[current]?.querySelector('a');
    line?.scrollIntoView({ block: 'nearest' });
    line?.focus({ preventScroll: true });
  }, [current]);
  const hasNamespaces = objects.some(({ namespace }) => namespace !== null);
  if (objects.length === 0) return <p role="status">There are no such objects.</p>;
  return (
    <>
      <div className="overflow-x-auto">
        <table className={tableLook}>
          <thead>
            <tr>
              {hasNamespaces && (
                <th scope="col" className={headCell()}>
                  Namespace
                </th>
              )}
              <th scope="col" className={headCell()}>
                Name
              </th>
              <th scope="col" className={headCell()}>
                State
              </th>
              <th scope="col" className={headCell()}>
                What differs
              </th>
            </tr>
          </thead>
          <tbody ref={body}>
            {objects.slice(0, drawn).map((one) => {
              const href = hrefOf(name, one, left, right);
              return (
                <tr key={`${one.namespace ?? ''}/${one.name}`} className={tableRow}>
                  {hasNamespaces && <td className={tableCell}>{one.namespace}</td>}
                  <td className={`wrap-anywhere ${tableCell}`}>
                    {href === undefined ? one.name : <PlaceLink href={href}>{one.name}</PlaceLink>}
                  </td>
                  <td className={tableCell}>
                    <StatusText tone={stateTones[one.state]} label={stateText(one.state, titles)} />
                  </td>
                  <td className={`mono ${tableCell}`}>
                    <span className="flex flex-wrap gap-x-3">
                      {one.parts.map((part) => (
                        <span key={part} className="wrap-anywhere">
                          {part}
                        </span>
                      ))}
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {drawn < objects.length && (
        <Button size="sm" variant="secondary" onClick={() => setMost(drawn + pageSize)}>
          Show {Math.min(pageSize, objects.length - drawn)} more of {objects.length}
        </Button>
      )}
    </>
  );
}
