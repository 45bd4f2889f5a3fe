import { Ban } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { matchRanges, type RankQuery } from '../../registry/rank.ts';
import type { Tone } from '../../registry/tone.ts';
import { Keys } from '../keyboard/Keys.tsx';
import { Icon } from '../ui/icons.tsx';
import { Flag, StatusText } from '../ui/marks.tsx';
import type { Entry } from './entries.ts';

const tones: ReadonlySet<string> = new Set(['ok', 'warn', 'bad', 'info', 'idle']);
const isTone = (text: string): text is Tone => tones.has(text);

/** A line's icon, which typing leaves as it is. */
const LineIcon = memo(Icon);

interface EntryLineProps {
  /** Of its element. */
  readonly id: string;
  readonly entry: Entry;
  readonly query: RankQuery;
  readonly isSelected: boolean;
}

/** The id of an entry's element: ids that others refer to have no spaces. */
export const optionId = (list: string, entry: string): string => `${list}-${encodeURIComponent(entry)}`;

/** A title with the parts that were found underlined. */
function Marked({ title, query }: { readonly title: string; readonly query: RankQuery }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of matchRanges(title, query)) {
    if (from > at) parts.push(title.slice(at, from));
    parts.push(<mark key={from}>{title.slice(from, to)}</mark>);
    at = to;
  }
  parts.push(title.slice(at));
  return <span className="t trunc">{parts}</span>;
}

/** What of an entry shows: an entry made anew with the same of it is the same line. */
function isSameEntry(a: Entry, b: Entry): boolean {
  return (
    a === b ||
    (a.title === b.title &&
      a.note === b.note &&
      a.icon === b.icon &&
      a.namespace === b.namespace &&
      a.cluster === b.cluster &&
      a.keys === b.keys &&
      a.reason === b.reason &&
      a.status?.[0] === b.status?.[0] &&
      a.status?.[1] === b.status?.[1])
  );
}

/** Everything of a line that typing leaves as it is. */
const Rest = memo(
  function Rest({ entry: { note, status, namespace, cluster, keys, reason } }: { readonly entry: Entry }) {
    const [label = '', tone = ''] = status ?? [];
    return (
      <>
        {reason === undefined ? (
          note !== undefined && note !== '' && <span className="m trunc">{note}</span>
        ) : (
          <span className="m why trunc">
            <Ban size={12} strokeWidth={1.75} aria-hidden="true" />
            {reason}
          </span>
        )}
        <span className="end">
          {status !== undefined && isTone(tone) && <StatusText tone={tone} label={label} />}
          {namespace !== undefined && namespace !== '' && <span className="m trunc ns">{namespace}</span>}
          {cluster !== undefined && (
            <span className="m row where">
              <Flag colour={cluster.colour} />
              <span className="trunc">{cluster.name}</span>
            </span>
          )}
          {keys !== undefined && <Keys keys={keys} />}
        </span>
      </>
    );
  },
  (before, after) => isSameEntry(before.entry, after.entry),
);

/** One line: icon, title, kind or reason; status, namespace, cluster and keys at its end. */
export const EntryLine = memo(
  function EntryLine({ id, entry, query, isSelected }: EntryLineProps) {
    return (
      // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the field of the palette holds the focus
      <div
        id={id}
        className={entry.act.type === 'text' ? 'pi typed' : 'pi'}
        role="option"
        aria-selected={isSelected}
        aria-disabled={entry.reason !== undefined}
        data-on={isSelected}
      >
        <span className="ic">
          <LineIcon name={entry.icon} size={15} />
        </span>
        <Marked title={entry.title} query={query} />
        <Rest entry={entry} />
      </div>
    );
  },
  (before, after) =>
    before.id === after.id &&
    before.isSelected === after.isSelected &&
    before.query === after.query &&
    isSameEntry(before.entry, after.entry),
);
