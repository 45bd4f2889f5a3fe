import { useEffect, useState } from 'react';
import { objectPath } from '../../data/object-path.ts';
import { PlaceLink } from '../../kit/Link.tsx';
import { connectTo } from '../../data/socket/socket.ts';
import { type EndedLog, type LastLines, readLastLines } from './last-lines.ts';

interface LastWordsProps extends EndedLog {
  /** Another end is read anew. */
  readonly since: number | null;
}

/** The last lines of a container before it ended, and a link to its log. */
export function LastWords({ cluster, namespace, pod, container, previous, since }: LastWordsProps) {
  const [found, setFound] = useState<LastLines>({ type: 'reading' });
  useEffect(
    () =>
      readLastLines(
        { cluster, namespace, pod, container, previous },
        {
          connect: connectTo,
          later: (run, ms) => {
            const timer = setTimeout(run, ms);
            return () => clearTimeout(timer);
          },
          random: () => Math.random(),
        },
        setFound,
      ),
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each end has last words of its own
    [cluster, namespace, pod, container, previous, since],
  );
  const search = new URLSearchParams({ view: 'logs', container, ...(previous ? { previous: 'true' } : {}) });
  const path = objectPath({ cluster, kind: 'pod', namespace, name: pod });
  return (
    <div className="mt-1.5 [&+p]:mt-1.5">
      <p className="text-text-2">
        {found.type === 'reading'
          ? `Loading the last lines of ${container}…`
          : found.type === 'failed'
            ? `The last lines of ${container} could not be read: ${found.title}`
            : found.lines.length === 0
              ? `${container} wrote nothing before it ended.`
              : `The last lines of ${container}:`}{' '}
        {path !== undefined && <PlaceLink href={`${path}?${search.toString()}`}>Open its log</PlaceLink>}
      </p>
      {found.type === 'read' && found.lines.length > 0 && (
        <pre
          className="mt-1 max-h-44 overflow-auto border-l-2 border-border bg-raised px-2.5 py-1.5 text-(length:--text-xs) leading-[1.45] wrap-anywhere whitespace-pre-wrap"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
          tabIndex={0}
          aria-label={`Last lines of ${container}`}
        >
          {found.lines.join('\n')}
        </pre>
      )}
    </div>
  );
}
