import { ChevronDown, ChevronRight, Ellipsis } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import type { AttentionLine } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { affectedText } from '../../core/kinds/affected.ts';
import { iconOfKind } from '../../core/kinds/listed.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { objectPath } from '../../data/object-path.ts';
import { ObjectHelpButtons } from '../../features/actions/FindingHelp.tsx';
import { HelpButton } from '../../features/actions/HelpButton.tsx';
import { qualifiedName, refIn } from '../../features/actions/acting.ts';
import { untilText } from '../../features/attention/acknowledged.ts';
import { hasObjectHelp } from '../../features/actions/help.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { IconButton } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { LinkButton, linkLook, PlaceLink } from '../../kit/Link.tsx';
import { type MenuPlace, placeBelow } from '../../kit/menu-place.ts';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { AffectedCount, AffectedList } from './Affected.tsx';
import type { ShownLine } from './held-lines.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const ActsMenu = lazyPart(async () => (await import('../../features/organisation/ActsMenu.tsx')).ActsMenu);

/**
 * Always as high as one line, two in a narrow card, unless the reader unfolds what waits for the object: a text that
 * changes moves nothing under the reader.
 */
const row = [
  'col-span-full grid grid-cols-subgrid border-t border-hairline px-3 hover:bg-row-hover',
  '@max-[40rem]:min-h-12 @max-[40rem]:grid-cols-[1.5rem_minmax(0,1fr)_max-content_max-content]',
  '@max-[40rem]:grid-rows-[1.375rem_auto] @max-[40rem]:items-center @max-[40rem]:content-center',
  '@max-[40rem]:gap-x-2.5 @max-[40rem]:py-[0.1875rem]',
  'has-[b>:focus-visible]:bg-row-cursor has-[b>:focus-visible]:outline-2',
  'has-[b>:focus-visible]:-outline-offset-2 has-[b>:focus-visible]:outline-focus',
].join(' ');
/** As high as the first line of a row, also where the row has more. */
const firstLine = 'flex min-h-row items-center @max-[40rem]:min-h-0';
/** What follows the kind: each row shares its room out by itself, so that nothing is cut beside what it does not need. */
const restLook = [
  'grid min-w-0 grid-cols-[minmax(0,1fr)_max-content_minmax(2.25rem,max-content)] gap-x-2.5',
  '@max-[40rem]:contents',
].join(' ');
const wordsLook = `${firstLine} col-start-1 row-start-1 min-w-0 gap-2.5 @max-[40rem]:contents`;
/** A hair less than it takes, and a name would lose letters to an ellipsis: it shrinks only where the sentence cannot. */
const nameLook = [
  'flex flex-none items-center gap-1.5',
  '@max-[40rem]:col-start-2 @max-[40rem]:row-start-1 @max-[40rem]:max-w-full @max-[40rem]:min-w-0',
].join(' ');
/** One line: the sentence is cut before the count behind it, and whole in the tip and under “Why”. */
const problemLook = [
  'flex min-w-0 items-center gap-1 whitespace-nowrap',
  '@max-[40rem]:col-[2/4] @max-[40rem]:row-start-2 @max-[40rem]:text-text-2',
].join(' ');
const actsLook = [
  `${firstLine} col-start-2 row-start-1 gap-1.5 *:-mx-1 *:px-1 @max-[40rem]:col-start-4 @max-[40rem]:row-[1/3]`,
  '@max-[40rem]:*:mr-[-0.5rem] @max-[40rem]:*:ml-0 @max-[40rem]:*:size-9 @max-[40rem]:*:px-0',
].join(' ');

interface AttentionRowProps extends ShownLine {
  readonly clusterId: number;
  /** The cluster's clock, ms. */
  readonly now: number;
}

/** One trouble: the object, what is wrong with it, and what helps. */
export function AttentionRow({ clusterId, line, isOver, isNew, acknowledgedUntil, now }: AttentionRowProps) {
  const { affected, on } = line;
  const [isOpen, setOpen] = useState(false);
  const [menu, setMenu] = useState<MenuPlace>();
  const kind = line.kindName ?? kindLabel(on.kind);
  const name = qualifiedName(on);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const whyPath = objectPath(refIn(clusterId, on), 'why');
  return (
    <li className={`${row} ${isOver ? 'text-text-2' : ''}`} data-trouble="">
      <span className={`${firstLine} self-start @max-[40rem]:row-span-2 @max-[40rem]:self-center`}>
        <Glyph tone={isOver ? 'ok' : line.tone} />
      </span>
      <span
        className={`${firstLine} gap-1.5 self-start text-text-2 @max-[40rem]:sr-only [&>svg]:text-text-3`}
        title={kind}
      >
        <Icon name={iconOfKind(on.kind)} />
        <span className="@max-[60rem]:sr-only">{kind}</span>
      </span>
      <div className={restLook}>
        <div className={wordsLook}>
          {/* A sentence with a count says the cause of several: it has more room. */}
          <span
            className={`${nameLook} ${affected === undefined ? 'max-w-[calc(100%-9rem)]' : 'max-w-[calc(100%-18rem)]'}`}
          >
            <b className="min-w-0 font-medium">
              {/* The whole line says where the cursor is. */}
              <ObjectLink to={refIn(clusterId, on)} isPlain className="block focus-visible:outline-none">
                <MiddleCut text={name} />
              </ObjectLink>
            </b>
            {isNew && !isOver && <Badge tone="info">New</Badge>}
          </span>
          <p className={problemLook} title={isOver ? undefined : tipOf(line)}>
            {isOver ? (
              'Resolved.'
            ) : (
              <ProblemText line={line} acknowledgedUntil={acknowledgedUntil} now={now} />
            )}
            {affected !== undefined && !isOver && (
              <LinkButton
                aria-expanded={isOpen}
                className="flex flex-none items-center"
                onClick={() => setOpen(!isOpen)}
              >
                <Chevron size={12} strokeWidth={2} aria-hidden="true" />
                <AffectedCount affected={affected} />
              </LinkButton>
            )}
          </p>
        </div>
        {/* Beside its button in the order of Tab, below the whole line on screen. */}
        {affected !== undefined && isOpen && !isOver && (
          <AffectedList clusterId={clusterId} affected={affected} />
        )}
        <span className={actsLook}>
          {whyPath !== undefined && (
            <PlaceLink
              className={`${linkLook} grid place-items-center`}
              href={whyPath}
              aria-label={`Why is ${name} unhealthy?`}
            >
              Why
            </PlaceLink>
          )}
          {line.help !== undefined && hasObjectHelp(line) && (
            <ObjectHelpButtons
              clusterId={clusterId}
              help={line.help}
              variant="transparent"
              labelClass="@max-[40rem]:sr-only"
            />
          )}
          {/* Of what helps the cause and what helps one object, the first has the room. */}
          {line.action !== null && !hasObjectHelp(line) && (
            <HelpButton
              action={line.action}
              clusterId={clusterId}
              variant="transparent"
              labelClass="@max-[40rem]:sr-only"
            />
          )}
          <IconButton
            size="sm"
            variant="transparent"
            label={`More for ${name}`}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => setMenu(placeBelow(currentTarget))}
          >
            <Ellipsis size={13} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </span>
        <Since line={line} now={now} />
      </div>
      {menu !== undefined && (
        <Suspense>
          <ActsMenu
            of="trouble"
            args={{ trouble: refIn(clusterId, on) }}
            label={`Actions on the problem of ${name}`}
            place={menu}
            onClose={() => setMenu(undefined)}
          />
        </Suspense>
      )}
    </li>
  );
}

/** All that is wrong, a line each. */
const tipOf = ({ title, detail, also = [], affected }: AttentionLine): string =>
  [
    title,
    ...(detail === null ? [] : [detail]),
    ...also,
    ...(affected === undefined ? [] : [`${affectedText(affected)}.`]),
  ].join('\n');

interface ProblemTextProps {
  readonly line: AttentionLine;
  readonly acknowledgedUntil: string | undefined;
  readonly now: number;
}

/** What is wrong, with the numbers behind it. */
function ProblemText({ line, acknowledgedUntil, now }: ProblemTextProps): ReactNode {
  const { title, detail, count, also = [] } = line;
  return (
    <>
      <span className="min-w-0 truncate">
        {title}
        {detail !== null && <span className="text-text-3"> {detail}</span>}
      </span>
      {count > 1 && <b className="flex-none font-semibold"> {count}×</b>}
      {also.length > 0 && <b className="flex-none font-semibold"> and {also.length} more</b>}
      {acknowledgedUntil !== undefined && (
        <span className="flex-none text-text-2">
          Acknowledged {untilText(acknowledgedUntil, new Date(now))}.
        </span>
      )}
    </>
  );
}

/** Since when it lasts. */
function Since({ line: { since, isSinceLatest }, now }: Pick<ProblemTextProps, 'line' | 'now'>) {
  const age = since === null ? '–' : formatAge(now / 1000 - since);
  const isLonger = since !== null && isSinceLatest === true;
  return (
    <span
      className={`${firstLine} col-start-3 row-start-1 justify-end text-text-2 @max-[40rem]:col-start-3`}
      title={isLonger ? `For ${age} or longer: the cluster does not record when it began.` : undefined}
    >
      {isLonger && (
        <>
          <span aria-hidden="true">&gt;</span>
          <span className="sr-only">at least </span>
        </>
      )}
      {age}
    </span>
  );
}
