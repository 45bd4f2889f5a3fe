import type { CSSProperties } from 'react';
import type { ToneCounts } from '../../../contract/dashboard.ts';
import { fillPath } from '../../../registry/path.ts';
import { kindIcon } from '../../../registry/kind-commands.ts';
import { kindById } from '../../kinds/declared.ts';
import { Icon } from '../../ui/icons.tsx';
import { PlaceLink } from '../../ui/Link.tsx';
import { Glyph } from '../../ui/marks.tsx';
import { Card } from './Card.tsx';
import { countsText, segmentsOf } from './model.ts';

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
        <span className="muted legend">
          <Glyph tone="bad" size={10} /> failing
          <Glyph tone="warn" size={10} /> degraded
          <Glyph tone="ok" size={10} /> healthy
        </span>
      }
    >
      <ul className="kinds">
        {lines.map(({ kind, counts }) => (
          <li key={kind.id}>
            <PlaceLink
              className="kind-line inset"
              href={fillPath(kind.paths.list, { clusterId: String(clusterId) })}
            >
              <Icon name={kindIcon(kind)} />
              <span className="trunc">{kind.title}</span>
              <span className="seg" role="img" aria-label={countsText(counts)}>
                {segmentsOf(counts).map(({ tone, width }) => (
                  <i key={tone} className={tone} style={{ '--v': `${width * 100}%` } as CSSProperties} />
                ))}
              </span>
              <span className="num">{counts.total}</span>
              <span className="fails">
                {counts.bad > 0 && (
                  <b className="row">
                    <Glyph tone="bad" size={11} />
                    {counts.bad}
                  </b>
                )}
              </span>
              <span className="fails">
                {counts.warn > 0 && (
                  <b className="row">
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
