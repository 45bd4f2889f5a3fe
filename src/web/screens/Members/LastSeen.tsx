import { formatAge } from '../../../kube/age.ts';
import { useNow } from '../../data/now.ts';

/** When somebody last used the console, to the minute; `at` is ISO, null for never. */
export function LastSeen({ at }: { readonly at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="text-text-3">Never</span>;
  const seconds = (now - Date.parse(at)) / 1000;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {seconds < 120 ? 'Just now' : `${formatAge(seconds)} ago`}
    </time>
  );
}
