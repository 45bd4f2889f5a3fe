import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { AttentionAffected, AttentionLine } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { affectedText, affectedWords } from '../../core/kinds/affected.ts';
import { HelpButton } from '../../features/actions/HelpButton.tsx';
import { qualifiedName, refIn } from '../../features/actions/acting.ts';
import { iconOfKind } from '../../core/kinds/listed.ts';
import { objectPath } from '../../data/object-path.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { cardAside } from '../../kit/card.ts';
import { Icon } from '../../kit/icons.tsx';
import { LinkButton, linkLook, PlaceLink } from '../../kit/Link.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Card, CardNote } from '../../kit/Card.tsx';
import { type ShownLine, useHeldLines } from './held-lines.ts';
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

/** The troubles of a cluster, worst first, each with the action that helps. */
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
          <span className={cardAside}>{lines.length > 0 && 'worst first'}</span>
          <span role="status">
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
          <Glyph tone="ok" size={11} /> Nothing that you can view.
        </CardNote>
      ) : (
        <ul className={list}>
          {shown.map((one) => (
            <Line key={one.line.key} clusterId={clusterId} {...one} now={now} />
          ))}
        </ul>
      )}
      {more > 0 && <CardNote>and {more} more</CardNote>}
      {unwatchedKinds > 0 && (
        <CardNote>
          {unwatchedKinds === 1
            ? '1 custom kind is not watched here: its list shows the status of its objects.'
            : `${unwatchedKinds} custom kinds are not watched here: their lists show the status of their objects.`}
        </CardNote>
      )}
    </Card>
  );
}

/** A row each; in a narrow card the object above, what ails it below, and what helps beside both. */
const list = [
  // The first column holds the padding of the lines as well.
  'grid gap-x-2.5',
  'grid-cols-[1.5rem_max-content_fit-content(18rem)_minmax(8rem,1fr)_max-content_max-content]',
  '@max-[40rem]:grid-cols-[1.5rem_minmax(0,1fr)_max-content_max-content]',
].join(' ');
/**
 * Always as high as one line, two in a narrow card, unless the reader unfolds what waits for the object: a text that
 * changes moves nothing under the reader.
 */
const row = [
  'col-span-full grid min-h-row grid-cols-subgrid items-center border-t border-hairline px-3 hover:bg-row-hover',
  '@max-[40rem]:min-h-12 @max-[40rem]:grid-rows-[1.375rem_auto] @max-[40rem]:content-center',
  '@max-[40rem]:py-[0.1875rem] @max-[40rem]:[&>svg]:row-span-full',
  'has-[>b>:focus-visible]:bg-row-cursor has-[>b>:focus-visible]:outline-2',
  'has-[>b>:focus-visible]:-outline-offset-2 has-[>b>:focus-visible]:outline-focus',
].join(' ');
/** One line: the sentence is cut before the count behind it, and whole in the tip and under “Why”. */
const problemLook = [
  'flex min-w-0 gap-1 whitespace-nowrap',
  '@max-[40rem]:col-[2/4] @max-[40rem]:row-start-2 @max-[40rem]:text-text-2',
].join(' ');
const act = [
  '*:-mx-1 *:px-1 @max-[40rem]:col-start-4 @max-[40rem]:row-span-full',
  '@max-[40rem]:*:mr-[-0.5rem] @max-[40rem]:*:ml-0 @max-[40rem]:*:size-9 @max-[40rem]:*:px-0',
].join(' ');

interface LineProps extends ShownLine {
  readonly clusterId: number;
  readonly now: number;
}

function Line({ clusterId, line, isOver, isActionOver, now }: LineProps) {
  const { also = [], affected } = line;
  const [isOpen, setOpen] = useState(false);
  const kind = line.kindName ?? kindLabel(line.on.kind);
  const whyPath = objectPath(refIn(clusterId, line.on), 'why');
  const words = [
    line.title,
    ...(line.detail === null ? [] : [line.detail]),
    ...also,
    ...(affected === undefined ? [] : [`${affectedText(affected)}.`]),
  ];
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className={`${row} ${isOver ? 'text-text-2' : ''}`}>
      <Glyph tone={isOver ? 'ok' : line.tone} />
      <span
        className="flex items-center gap-1.5 text-text-2 @max-[40rem]:sr-only [&>svg]:text-text-3"
        title={kind}
      >
        <Icon name={iconOfKind(line.on.kind)} />
        <span className="@max-[60rem]:sr-only">{kind}</span>
      </span>
      <b className="min-w-0 font-medium @max-[40rem]:col-start-2">
        {/* The whole line says where the cursor is. */}
        <ObjectLink to={refIn(clusterId, line.on)} isPlain className="block focus-visible:outline-none">
          <MiddleCut text={qualifiedName(line.on)} />
        </ObjectLink>
      </b>
      <p className={problemLook} title={isOver ? undefined : words.join('\n')}>
        {isOver ? (
          'Resolved.'
        ) : (
          <>
            <span className="min-w-0 truncate">
              {line.title}
              {line.detail !== null && <span className="text-text-3"> {line.detail}</span>}
            </span>
            {line.count > 1 && <b className="font-semibold"> {line.count}×</b>}
            {also.length > 0 && <b className="font-semibold"> and {also.length} more</b>}
            {affected !== undefined && (
              <LinkButton
                aria-expanded={isOpen}
                className="flex flex-none items-center"
                onClick={() => setOpen(!isOpen)}
              >
                <Chevron size={12} strokeWidth={2} aria-hidden="true" />
                <AffectedCount affected={affected} />
              </LinkButton>
            )}
          </>
        )}
      </p>
      <span className={`${act} flex items-center gap-1.5`}>
        {whyPath !== undefined && (
          <PlaceLink
            className={`${linkLook} grid place-items-center`}
            href={whyPath}
            aria-label={`Why is ${qualifiedName(line.on)} unhealthy?`}
          >
            Why
          </PlaceLink>
        )}
        {line.action !== null && (
          <HelpButton
            action={line.action}
            keepsFocus={isActionOver}
            clusterId={clusterId}
            variant="transparent"
            labelClass="@max-[40rem]:sr-only"
          />
        )}
      </span>
      <span className="text-right text-text-2 @max-[40rem]:col-start-3 @max-[40rem]:row-start-1">
        {line.since === null ? '–' : formatAge(now / 1000 - line.since)}
      </span>
      {affected !== undefined && isOpen && !isOver && <Affected clusterId={clusterId} affected={affected} />}
    </li>
  );
}

/** The number of objects that wait for that of a line, short in a narrow card: the sentence beside it stays whole. */
function AffectedCount({ affected }: Pick<AffectedProps, 'affected'>) {
  const { noun, verb } = affectedWords(affected);
  return (
    <span>
      {affected.count}
      <span className="@max-[40rem]:sr-only"> {noun}</span> {verb}
      <span className="@max-[40rem]:sr-only"> for it</span>
    </span>
  );
}

interface AffectedProps {
  readonly clusterId: number;
  readonly affected: AttentionAffected;
}

/** The objects that wait for that of a line. */
function Affected({ clusterId, affected }: AffectedProps) {
  const { objects, count } = affected;
  return (
    <ul
      className="col-[2/-1] flex flex-wrap gap-x-3 pt-0.5 pb-1.5 @max-[40rem]:row-start-3"
      aria-label={affectedText(affected)}
    >
      {objects.map((one) => (
        <li key={`${one.kind} ${qualifiedName(one)}`} className="flex min-h-6 min-w-0 items-center gap-1.5">
          <span className="text-text-3" title={kindLabel(one.kind)}>
            <Icon name={iconOfKind(one.kind)} />
            <span className="sr-only">{kindLabel(one.kind)}</span>
          </span>
          <ObjectLink to={refIn(clusterId, one)}>
            <MiddleCut text={qualifiedName(one)} />
          </ObjectLink>
        </li>
      ))}
      {count > objects.length && (
        <li className="flex min-h-6 items-center text-text-2">and {count - objects.length} more</li>
      )}
    </ul>
  );
}
