import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Clapperboard } from 'lucide-react';
import { Suspense } from 'react';
import type { RecordingFilter } from '../../../contract/recordings.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { ScreenPending, SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { State } from '../../kit/State.tsx';
import { readAgain } from '../../kit/read-older.ts';
import { ShowOlder } from '../../kit/ShowOlder.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { filterOf } from '../Audit/asked.ts';
import { Filters } from '../Audit/Filters.tsx';
import { RecordingTable } from './RecordingTable.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

// The list does not wait for the terminal.
const ReplayView = lazyPart(async () => (await import('../../features/terminal/ReplayView.tsx')).ReplayView);

const names = ['person', 'cluster', 'from', 'until'] as const;

/** `/settings?section=recordings`: the recorded shells of the organisation for its Owners, or one of them replayed. */
export function Screen(props: ScreenProps) {
  const [{ recording }] = useViewSearch();
  if (recording === undefined) return <List {...props} />;
  return (
    <Suspense fallback={<ScreenPending />}>
      <ReplayView key={recording} id={recording} />
    </Suspense>
  );
}

function List({ command }: ScreenProps) {
  const { queries } = useData();
  const [search] = useViewSearch();
  const { person, clusterId, from, until } = filterOf(search);
  const filter: RecordingFilter = { person, clusterId, from, until };
  const found = useInfiniteQuery({ ...queries.recordings(filter), placeholderData: keepPreviousData });
  const isLong = useLongWait(found.isPending);
  const recordings = found.data?.pages.flatMap((page) => page.recordings);
  const isAsked = names.some((name) => search[name] !== undefined);
  useFirstLine(recordings !== undefined);
  return (
    <SettingsPage
      command={command}
      about="Recorded shells of clusters that record them, kept as long as the audit"
      status={
        recordings !== undefined && (
          <span role="status">
            {recordings.length}
            {found.hasNextPage
              ? ' newest recordings'
              : recordings.length === 1
                ? ' recording'
                : ' recordings'}
          </span>
        )
      }
    >
      <Filters label="Filter of the recordings" names={names} />
      <ErrorAlert
        title="Could not load the recordings."
        error={found.error}
        onRetry={() => void readAgain(found)}
        isRetrying={found.isFetching}
      />
      {found.isPending && isLong && <SkeletonRows isFramed />}
      {recordings !== undefined && recordings.length > 0 && <RecordingTable recordings={recordings} />}
      {recordings?.length === 0 && (
        <State
          icon={<Clapperboard size={20} strokeWidth={1.5} aria-hidden="true" />}
          title={isAsked ? 'No such recording' : 'Nothing is recorded yet'}
          place="page"
        >
          {isAsked
            ? 'Nothing matches the filter. Clear it, or use fewer terms.'
            : 'Shells are recorded on clusters where “Shells recorded” is on in the cluster settings for everyone.'}
        </State>
      )}
      <ShowOlder log={found} what="recordings" />
    </SettingsPage>
  );
}
