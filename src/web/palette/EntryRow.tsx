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

/** The inside of one line: icon, title, kind or reason; status, namespace, cluster and keys at its end. */
export const EntryRow = memo(function EntryRow({
  entry,
  query,
}: {
  readonly entry: Entry;
  readonly query: RankQuery;
}) {
  const { title, note, icon, status, namespace, cluster, keys, reason } = entry;
  const [label = '', tone = ''] = status ?? [];
  return (
    <>
      <span className="ic">
        <Icon name={icon} size={15} />
      </span>
      <Marked title={title} query={query} />
      {reason === undefined ? (
        note !== undefined && note !== '' && <span className="m trunc">{note}</span>
      ) : (
        <span className="m why trunc">
          <Ban size={12} strokeWidth={1.75} aria-hidden="true" />
          {reason}
        </span>
      )}
      <span className="end">
        {status !== undefined && isTone(tone) && tone !== 'ok' && <StatusText tone={tone} label={label} />}
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
});
