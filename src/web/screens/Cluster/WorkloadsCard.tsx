import type { CSSProperties } from 'react';
import type { ToneCounts } from '../../../contract/dashboard.ts';
import { fillPath } from '../../../registry/path.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { Icon } from '../../kit/icons.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { segmentSurface } from '../../kit/segments.ts';
import { Card, Legend } from '../../kit/Card.tsx';
import { countsText, segmentsOf } from './model.ts';

const line = [
  'grid h-row grid-cols-[0.875rem_minmax(6rem,8rem)_minmax(3rem,1fr)_2.5rem_2.25rem_2.25rem] items-center gap-2',
  'rounded-sm text-text-2 hover:bg-row-hover focus-visible:-outline-offset-2 [&>svg]:text-text-3',
].join(' ');

interface WorkloadsCardProps {
  readonly clusterId: number;
  readonly workloads: Readonly<Record<string, ToneCounts>>;
}

/** How the objects of each kind do; every line leads to its list. */
export function WorkloadsCard({ clusterId, workloads }: WorkloadsCardProps) {
  const lines = Object.entries(workloads).flatMap(([kindId, counts]) => {
    const kind = kindById(kindId);
    return kind === undefined ? [] : [{ kind, counts }];
  });
  if (lines.length === 0) return null;
  return (
    <Card
      title="Workloads"
      beside={
        <Legend className="@max-[40rem]:hidden">
          <Glyph tone="bad" size={10} /> failing
          <Glyph tone="warn" size={10} /> degraded
          <Glyph tone="ok" size={10} /> healthy
        </Legend>
      }
    >
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(20rem,1fr))] gap-x-4 px-3 pb-1 @max-[40rem]:grid-cols-1">
        {lines.map(({ kind, counts }) => (
          <li key={kind.id}>
            <PlaceLink className={line} href={fillPath(kind.paths.list, { clusterId: String(clusterId) })}>
              <Icon name={kind.icon} />
              <span className="min-w-0 truncate">{kind.title}</span>
              <span
                className="flex h-1.25 gap-px overflow-hidden rounded-[1px] bg-chart-track forced-color-adjust-none"
                role="img"
                aria-label={countsText(counts)}
              >
                {segmentsOf(counts).map(({ tone, width }) => (
                  <i
                    key={tone}
                    className={`w-(--v) ${segmentSurface[tone]}`}
                    style={{ '--v': `${width * 100}%` } as CSSProperties}
                  />
                ))}
              </span>
              <span className="text-right">{counts.total}</span>
              <span>
                {counts.bad > 0 && (
                  <b className="flex min-w-0 items-center gap-1.5 font-semibold text-text">
                    <Glyph tone="bad" size={11} />
                    {counts.bad}
                  </b>
                )}
              </span>
              <span>
                {counts.warn > 0 && (
                  <b className="flex min-w-0 items-center gap-1.5 font-semibold text-text">
                    <Glyph tone="warn" size={11} />
                    {counts.warn}
                  </b>
                )}
              </span>
            </PlaceLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
