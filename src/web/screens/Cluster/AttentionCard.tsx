import type { AttentionLine } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { HelpButton } from '../../actions/HelpButton.tsx';
import { placeOf, refIn } from '../../actions/acting.ts';
import { iconOfKind } from '../../kinds/listed.ts';
import { kindLabel } from '../../kinds/names.ts';
import { ObjectLink } from '../../resource/detail/ObjectLink.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { MiddleCut } from '../../ui/MiddleCut.tsx';
import { Glyph } from '../../ui/marks.tsx';
import { Card } from './Card.tsx';
import { useHeldLines } from './held-lines.ts';
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
  /** Somebody reads it: nothing of it moves. */
  readonly isReading: boolean;
}

/** What needs attention, worst first, each with the action that helps. */
export function AttentionCard({
  clusterId,
  lines,
  total,
  unwatchedKinds,
  now,
  isReading,
}: AttentionCardProps) {
  const { bad, warn } = attentionCounts(lines);
  const { shown, more, fresh, renew } = useHeldLines({ lines, total }, isReading);
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
          <span role="status" className="at-fresh">
            {fresh > 0 && (
              <Button size="sm" variant="transparent" onClick={renew}>
                Show {fresh} new
              </Button>
            )}
          </span>
        </>
      }
    >
      {shown.length === 0 ? (
        <p className="card-none sec">
          <Glyph tone="ok" size={11} /> Nothing that you may see.
        </p>
      ) : (
        <ul className="attention">
          {shown.map(({ line, isOver }) => (
            <Line key={line.key} clusterId={clusterId} line={line} isOver={isOver} now={now} />
          ))}
        </ul>
      )}
      {more > 0 && <p className="card-none sec">and {more} more</p>}
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

interface LineProps {
  readonly clusterId: number;
  readonly line: AttentionLine;
  readonly isOver: boolean;
  readonly now: number;
}

function Line({ clusterId, line, isOver, now }: LineProps) {
  const { also = [] } = line;
  const kind = line.kindName ?? kindLabel(line.on.kind);
  const words = [line.title, ...(line.detail === null ? [] : [line.detail]), ...also];
  return (
    <li className={isOver ? 'over' : undefined}>
      <Glyph tone={isOver ? 'ok' : line.tone} />
      <span className="sec at-kind" title={kind}>
        <Icon name={iconOfKind(line.on.kind)} />
        <span className="lbl">{kind}</span>
      </span>
      <b className="at-where">
        <ObjectLink to={refIn(clusterId, line.on)}>
          <MiddleCut text={placeOf(line.on)} />
        </ObjectLink>
      </b>
      <p className="at-what trunc" title={isOver ? undefined : words.join('\n')}>
        {isOver ? (
          'It is over.'
        ) : (
          <>
            {line.title}
            {line.count > 1 && <b className="semi"> {line.count}×</b>}
            {also.length > 0 && <b className="semi"> and {also.length} more</b>}
            {line.detail !== null && <span className="muted"> {line.detail}</span>}
          </>
        )}
      </p>
      <span className="at-act">
        {line.action !== null && (
          <HelpButton
            action={isOver ? { ...line.action, reason: 'The trouble is over.' } : line.action}
            clusterId={clusterId}
            variant="transparent"
          />
        )}
      </span>
      <span className="at-age num sec">{line.since === null ? '–' : formatAge(now / 1000 - line.since)}</span>
    </li>
  );
}
