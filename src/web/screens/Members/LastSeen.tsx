import { formatAge } from '../../../kube/age.ts';
import { useNow } from '../../data/now.ts';
import { dateTimeText } from '../../kit/date-time.ts';

interface LastSeenProps {
  /** ISO; null for never. */
  readonly at: string | null;
  /** It stands within a sentence. */
  readonly isWithin?: boolean;
}

/** When somebody or something was last used, to the minute. */
export function LastSeen({ at, isWithin = false }: LastSeenProps) {
  const now = useNow();
  if (at === null) return <span className="text-text-3">{isWithin ? 'never' : 'Never'}</span>;
  const seconds = (now - Date.parse(at)) / 1000;
  return (
    <time dateTime={at} title={dateTimeText(at)}>
      {seconds < 120 ? (isWithin ? 'just now' : 'Just now') : `${formatAge(seconds)} ago`}
    </time>
  );
}
