import { Command } from 'cmdk';
import { Ban } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { matchRanges, type RankQuery } from '../../../registry/palette/rank.ts';
import type { Tone } from '../../../registry/tone.ts';
import { Keys } from '../../keyboard/Keys.tsx';
import { Icon } from '../../kit/icons.tsx';
import { Flag, StatusText } from '../../kit/marks.tsx';
import type { Entry } from './entries.ts';

const tones: ReadonlySet<string> = new Set(['ok', 'warn', 'bad', 'info', 'idle']);
const isTone = (text: string): text is Tone => tones.has(text);

/** A line that stays as it is is not drawn again (`contain`). Selected in a system's own colours: a line around it. */
const lineLook = [
  'group flex h-7.5 min-w-0 cursor-pointer items-center gap-2.25 rounded-sm px-2 whitespace-nowrap select-none contain-content',
  'aria-disabled:cursor-default aria-selected:bg-accent-soft aria-selected:[box-shadow:inset_2px_0_0_var(--color-accent)]',
  'narrow:h-auto narrow:min-h-11 narrow:flex-wrap narrow:content-center narrow:gap-y-0 narrow:py-1',
  'forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2 forced-colors:aria-selected:outline-[Highlight]',
].join(' ');
const iconLook = [
  'grid w-4 flex-none place-items-center text-text-3 group-aria-disabled:text-text-disabled',
  'group-aria-selected:group-[:not([aria-disabled=true])]:text-accent-text',
].join(' ');
const titleLook =
  'min-w-0 flex-initial truncate text-text group-aria-disabled:text-text-disabled narrow:flex-1';
const markLook =
  'bg-transparent font-semibold text-inherit underline decoration-accent decoration-2 underline-offset-3 forced-color-adjust-none';
/** In a narrow window a note stands below the title, and is read whole. */
const belowTitle = 'narrow:order-2 narrow:flex-[0_0_100%] narrow:pl-6.25 narrow:whitespace-normal';
const faint = 'text-(length:--text-xs) text-text-3 group-aria-selected:text-text-2';
const noteLook = `min-w-0 flex-[0_2_auto] truncate ${faint} ${belowTitle}`;
const reasonLook = `inline-flex min-w-0 flex-[0_2_auto] items-center gap-1.25 truncate text-(length:--text-xs) text-text-2 ${belowTitle}`;
const namespaceLook = `min-w-0 flex-[0_2_auto] truncate ${faint} narrow:hidden`;
const clusterLook = `flex min-w-21.5 flex-[0_2_auto] items-center gap-1.25 ${faint} narrow:min-w-0`;

/** A line's icon, which typing leaves as it is. */
const LineIcon = memo(Icon);

interface EntryLineProps {
  /** Of its element. */
  readonly id: string;
  readonly entry: Entry;
  readonly query: RankQuery;
  readonly isSelected: boolean;
  /** It was clicked. Has to be the same function at each drawing. @param option its id */
  readonly onChoose: (option: string) => void;
}

/** The id of an entry's element, and its value to cmdk: ids that others refer to have no spaces, and values lose theirs. */
export const optionId = (list: string, entry: string): string => `${list}-${encodeURIComponent(entry)}`;

/** The entry with an element's id; undefined when it is no longer there. */
export const entryOfOption = (list: string, option: string, entries: readonly Entry[]): Entry | undefined =>
  entries.find(({ id }) => optionId(list, id) === option);

/** A title with the parts that were found underlined. */
function Marked({ title, query }: { readonly title: string; readonly query: RankQuery }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of matchRanges(title, query)) {
    if (from > at) parts.push(title.slice(at, from));
    parts.push(
      <mark key={from} className={markLook}>
        {title.slice(from, to)}
      </mark>,
    );
    at = to;
  }
  parts.push(title.slice(at));
  return <span className={titleLook}>{parts}</span>;
}

/** Whether two entries look the same: then the line is not drawn again. */
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
const EntryTail = memo(
  function Rest({
    entry: { note, status, namespace, cluster, keys, reason, act },
  }: {
    readonly entry: Entry;
  }) {
    const [label = '', tone = ''] = status ?? [];
    return (
      <>
        {reason === undefined ? (
          note !== undefined && note !== '' && <span className={noteLook}>{note}</span>
        ) : (
          <span className={reasonLook}>
            <Ban className="text-text-3" size={12} strokeWidth={1.75} aria-hidden="true" />
            {reason}
          </span>
        )}
        <span className="ml-auto flex max-w-[55%] min-w-0 flex-none items-center gap-2">
          {status !== undefined && isTone(tone) && (
            // Its word needs room.
            <span className="contents narrow:[&>*>:last-child]:hidden">
              <StatusText tone={tone} label={label} />
            </span>
          )}
          {namespace !== undefined && namespace !== '' && <span className={namespaceLook}>{namespace}</span>}
          {cluster !== undefined && (
            <span className={clusterLook}>
              <Flag colour={cluster.colour} />
              <span className="min-w-0 truncate">{cluster.name}</span>
            </span>
          )}
          {keys !== undefined && (
            <span className={act.type === 'text' ? 'contents' : 'contents narrow:hidden'}>
              <Keys keys={keys} />
            </span>
          )}
        </span>
      </>
    );
  },
  (before, after) => isSameEntry(before.entry, after.entry),
);

/**
 * One line: icon, title, kind or reason; status, namespace, cluster and keys at its end. The element is ours and cmdk's
 * props go on it (`asChild`): what it selects, and whether a line is disabled, is said by us and at once; cmdk would say the
 * first a drawing later, and let nobody point at a line that tells why not now.
 */
export const EntryLine = memo(
  function EntryLine({ id, entry, query, isSelected, onChoose }: EntryLineProps) {
    return (
      <Command.Item asChild value={id} onSelect={onChoose}>
        <div
          id={id}
          className={lineLook}
          aria-selected={isSelected}
          aria-disabled={entry.reason !== undefined}
        >
          <span className={iconLook}>
            <LineIcon name={entry.icon} size={15} />
          </span>
          <Marked title={entry.title} query={query} />
          <EntryTail entry={entry} />
        </div>
      </Command.Item>
    );
  },
  (before, after) =>
    before.id === after.id &&
    before.isSelected === after.isSelected &&
    before.query === after.query &&
    isSameEntry(before.entry, after.entry),
);
