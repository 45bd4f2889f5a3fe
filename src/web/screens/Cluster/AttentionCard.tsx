import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import { useData } from '../../data/port.ts';
import { judgeLine } from '../../features/attention/acknowledged.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { Card, CardNote } from '../../kit/Card.tsx';
import { cardAside } from '../../kit/card.ts';
import { LinkButton } from '../../kit/Link.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { AttentionRow } from './AttentionRow.tsx';
import { type ShownLine, useHeldLines } from './held-lines.ts';
import { attentionCounts } from './model.ts';

interface AttentionCardProps {
  readonly clusterId: number;
  readonly lines: readonly AttentionLine[];
  /** Lines there are in all. */
  readonly total: number;
  /** The custom kinds whose trouble is not seen here. */
  readonly unwatched: ReactNode;
  /** The cluster's clock, ms. */
  readonly now: number;
  /** The server's clock, ms. */
  readonly serverNow: number;
  /** Somebody reads it: nothing of it moves. */
  readonly isReading: boolean;
}

/** The troubles of a cluster, worst first, each with the action that helps; chronic and acknowledged ones are folded. */
export function AttentionCard({
  clusterId,
  lines,
  total,
  unwatched,
  now,
  serverNow,
  isReading,
}: AttentionCardProps) {
  const { queries } = useData();
  const acknowledgements = useQuery(queries.acknowledgements).data ?? [];
  const times = { cluster: now, server: serverNow };
  const judged = lines.map((line) => judgeLine(line, clusterId, acknowledgements, times));
  const { shown, more, fresh, chronic, acknowledged, renew } = useHeldLines(
    { lines: judged, total },
    isReading,
  );
  const { bad, warn } = attentionCounts(lines);
  const news = judged.filter(({ isNew }) => isNew).length;
  const rows = (some: readonly ShownLine[]) =>
    some.map((one) => <AttentionRow key={one.line.key} clusterId={clusterId} {...one} now={now} />);
  return (
    <Card
      title="Needs attention"
      beside={
        <>
          {bad > 0 && (
            <Badge tone="bad">
              <Glyph tone="bad" size={11} />
              {bad}
              <span className="sr-only"> failing</span>
            </Badge>
          )}
          {warn > 0 && (
            <Badge tone="warn">
              <Glyph tone="warn" size={11} />
              {warn}
              <span className="sr-only"> degraded</span>
            </Badge>
          )}
          <span className={cardAside}>{lines.length > 0 && 'worst first, then newest'}</span>
          <span role="status" className="flex items-center gap-1.5">
            {news > 0 && <span className="sr-only">{news} new</span>}
            {fresh > 0 && (
              // As high as the line it stands in: it comes and goes under the reader.
              <Button className="-my-1" size="sm" variant="transparent" onClick={renew}>
                Show {fresh} new
              </Button>
            )}
          </span>
        </>
      }
    >
      {shown.length === 0 ? (
        <CardNote>
          <Glyph tone="ok" size={11} />{' '}
          {chronic.length + acknowledged.length > 0
            ? 'Nothing else that you can view.'
            : 'Nothing that you can view.'}
        </CardNote>
      ) : (
        <ul className={list}>{rows(shown)}</ul>
      )}
      <Fold count={chronic.length} about="for more than a day">
        {rows(chronic)}
      </Fold>
      <Fold count={acknowledged.length} about="acknowledged by you">
        {rows(acknowledged)}
      </Fold>
      {more > 0 && <CardNote>and {more} more</CardNote>}
      {unwatched}
    </Card>
  );
}

/** The marks and kinds of all lines are as wide as the widest. */
const list = 'grid grid-cols-[1.5rem_max-content_minmax(0,1fr)] gap-x-2.5 @max-[40rem]:block';

interface FoldProps {
  readonly count: number;
  /** The property that the lines share, as it follows their number. */
  readonly about: string;
  readonly children: ReactNode;
}

/** Lines under their number; nothing without lines. */
function Fold({ count, about, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  if (count === 0) return null;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <div className="border-t border-hairline px-3">
        <LinkButton
          aria-expanded={isOpen}
          className="flex min-h-row items-center gap-1.5 narrow:min-h-row-touch"
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={12} strokeWidth={2} aria-hidden="true" />
          {count} {about}
        </LinkButton>
      </div>
      {isOpen && (
        <ul className={list} aria-label={`Needs attention, ${about}`}>
          {children}
        </ul>
      )}
    </>
  );
}
