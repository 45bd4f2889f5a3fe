import type { AttentionLine } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { HelpButton } from '../../actions/HelpButton.tsx';
import { placeOf, refIn } from '../../actions/acting.ts';
import { iconOfKind } from '../../kinds/listed.ts';
import { kindLabel } from '../../kinds/names.ts';
import { ObjectLink } from '../../resource/detail/ObjectLink.tsx';
import { Icon } from '../../ui/icons.tsx';
import { MiddleCut } from '../../ui/MiddleCut.tsx';
import { Glyph } from '../../ui/marks.tsx';
import { Card } from './Card.tsx';
import { attentionCounts } from './model.ts';

interface AttentionCardProps {
  readonly clusterId: number;
  readonly lines: readonly AttentionLine[];
  /** Lines there are in all. */
  readonly total: number;
  /** Custom kinds whose trouble is not seen here. */
  readonly unwatchedKinds: number;
  /** The server's clock, ms. */
  readonly now: number;
}

/** What needs attention, worst first, each with the action that helps. */
export function AttentionCard({ clusterId, lines, total, unwatchedKinds, now }: AttentionCardProps) {
  const { bad, warn } = attentionCounts(lines);
  return (
    <Card
      title="Needs attention"
      beside={
        <>
          {bad > 0 && (
            <span className="badge bad">
              <Glyph tone="bad" size={11} />
              {bad}
              <span className="vh"> failing</span>
            </span>
          )}
          {warn > 0 && (
            <span className="badge warn">
              <Glyph tone="warn" size={11} />
              {warn}
              <span className="vh"> degraded</span>
            </span>
          )}
          <span className="muted">{lines.length > 0 && 'worst first'}</span>
        </>
      }
    >
      {lines.length === 0 ? (
        <p className="card-none sec">
          <Glyph tone="ok" size={11} /> Nothing that you may see.
        </p>
      ) : (
        <ul className="attention">
          {lines.map((line) => (
            <li key={line.key}>
              <Glyph tone={line.tone} />
              <span className="sec at-kind" title={line.kindName ?? kindLabel(line.on.kind)}>
                <Icon name={iconOfKind(line.on.kind)} />
                <span className="lbl">{line.kindName ?? kindLabel(line.on.kind)}</span>
              </span>
              <b className="at-where">
                <ObjectLink to={refIn(clusterId, line.on)}>
                  <MiddleCut text={placeOf(line.on)} />
                </ObjectLink>
              </b>
              <p
                className="at-what trunc"
                title={line.detail === null ? line.title : `${line.title}\n${line.detail}`}
              >
                {line.title}
                {line.count > 1 && <b className="semi"> {line.count}×</b>}
                {line.detail !== null && <span className="muted"> {line.detail}</span>}
              </p>
              <span className="at-act">
                {line.action !== null && (
                  <HelpButton action={line.action} clusterId={clusterId} variant="transparent" />
                )}
              </span>
              <span className="at-age num sec">
                {line.since === null ? '–' : formatAge(now / 1000 - line.since)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {total > lines.length && <p className="card-none sec">and {total - lines.length} more</p>}
      {unwatchedKinds > 0 && (
        <p className="card-none sec">
          {unwatchedKinds === 1
            ? '1 custom kind is not watched here: its list shows how its objects do.'
            : `${unwatchedKinds} custom kinds are not watched here: their lists show how their objects do.`}
        </p>
      )}
    </Card>
  );
}
