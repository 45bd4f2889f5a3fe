import type { AttentionLine } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { affectedCount, affectedText } from '../../core/kinds/affected.ts';
import { iconOfKind } from '../../core/kinds/listed.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { qualifiedName, refIn } from '../../features/actions/acting.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { Card, CardNote } from '../../kit/Card.tsx';
import { cardAside } from '../../kit/card.ts';
import { Icon } from '../../kit/icons.tsx';
import { Flag, Glyph } from '../../kit/marks.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { FailingClusters } from './FailingClusters.tsx';
import type { FailingCluster, FleetLine } from './fleet.ts';

interface AttentionAnywhereProps {
  readonly lines: readonly FleetLine[];
  /** Number of lines on all clusters. */
  readonly total: number;
  /** Number of lines that last for more than a day, or are acknowledged. */
  readonly folded: number;
  /** Number of clusters that are still being read. */
  readonly unread: number;
  /** Number of clusters that do not answer, of which nothing is known. */
  readonly unreached: number;
  /** Clusters of which only numbers are known, and whose objects fail. */
  readonly failing: readonly FailingCluster[];
  /** The server's clock, ms. */
  readonly now: number;
}

const tipOf = ({ title, detail, affected }: AttentionLine) =>
  [detail ?? title, ...(affected === undefined ? [] : [`${affectedText(affected)}.`])].join('\n');

/** What needs attention on any cluster, worst first, each with its object and its cluster. */
export function AttentionAnywhere({
  lines,
  total,
  folded,
  unread,
  unreached,
  failing,
  now,
}: AttentionAnywhereProps) {
  const isEmpty = lines.length === 0 && failing.length === 0;
  return (
    <Card title="Needs attention anywhere" beside={<span className={cardAside}>worst first</span>}>
      {isEmpty && unread === 0 && unreached === 0 && (
        <CardNote>
          <Glyph tone="ok" size={11} /> Nothing that you can view.
        </CardNote>
      )}
      {lines.length > 0 && (
        <ul>
          {lines.map(({ cluster, line, isNew }) => (
            <li
              data-trouble=""
              key={`${cluster.id} ${line.key}`}
              className="flex min-h-row items-center gap-2 border-t border-hairline px-3 py-1 hover:bg-row-hover narrow:min-h-row-touch"
            >
              <Glyph tone={line.tone} />
              <span className="text-text-3" title={line.kindName ?? kindLabel(line.on.kind)}>
                <Icon name={iconOfKind(line.on.kind)} />
              </span>
              <span className="flex min-w-0 flex-1 flex-col leading-4">
                <span className="flex min-w-0 items-baseline gap-2">
                  <b className="min-w-0 font-medium">
                    <ObjectLink to={refIn(cluster.id, line.on)} isPlain>
                      <MiddleCut text={qualifiedName(line.on)} />
                    </ObjectLink>
                  </b>
                  {isNew && <Badge tone="info">New</Badge>}
                  <span className="ml-auto flex min-w-0 flex-none items-center gap-1.5 text-xs text-text-2">
                    <Flag colour={cluster.colour} size={11} />
                    <span className="max-w-32 truncate">{cluster.name}</span>
                    <span className="w-10 text-right text-text-3">
                      {line.isSinceLatest === true && '>'}
                      {line.since === null ? '–' : formatAge(now / 1000 - line.since)}
                    </span>
                  </span>
                </span>
                <span className="truncate text-xs text-text-2" title={tipOf(line)}>
                  {line.title}
                  {line.count > 1 && <b className="font-semibold"> {line.count}×</b>}
                  {line.affected !== undefined && ` ${affectedCount(line.affected)}.`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {failing.length > 0 && <FailingClusters failing={failing} />}
      {unread > 0 && (
        <CardNote>
          <Glyph tone="idle" size={11} /> Still reading {unread === 1 ? '1 cluster' : `${unread} clusters`}.
        </CardNote>
      )}
      {unreached > 0 && (
        <CardNote>
          <Glyph tone="bad" size={11} />{' '}
          {unreached === 1 ? '1 cluster does not answer' : `${unreached} clusters do not answer`}: nothing is
          known about its contents.
        </CardNote>
      )}
      {folded > 0 && (
        <CardNote>
          {folded === 1
            ? '1 more has lasted for over a day, or you acknowledged it.'
            : `${folded} more have lasted for over a day, or you acknowledged them.`}
        </CardNote>
      )}
      {total > lines.length && (
        <CardNote>and {total - lines.length} more on the clusters’ own pages</CardNote>
      )}
    </Card>
  );
}
