import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download, ScrollText } from 'lucide-react';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { buttonLook } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { State } from '../../kit/State.tsx';
import { useConfirmedSave } from '../../features/identity/use-confirmed-save.ts';
import { readAgain } from '../../kit/read-older.ts';
import { ShowOlder } from '../../kit/ShowOlder.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { useTool } from '../../workspace/use-tool.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { askedNames, fileHref, filterOf } from './asked.ts';
import { EntryTable } from './EntryTable.tsx';
import { Filters } from './Filters.tsx';
import { Retention } from './Retention.tsx';
import { SavedSearches } from './SavedSearches.tsx';
import { Stream } from './Stream.tsx';

const formats = [
  ['csv', 'CSV'],
  ['jsonl', 'JSON lines'],
] as const;

/** `/settings?section=audit`: what was done in the organisation, for its Owners. */
export function Screen({ command }: ScreenProps) {
  const { queries } = useData();
  const [search] = useViewSearch();
  const filter = filterOf(search);
  const audit = useInfiniteQuery({ ...queries.audit(filter), placeholderData: keepPreviousData });
  const isLong = useLongWait(audit.isPending);
  const entries = audit.data?.pages.flatMap((page) => page.entries);
  const isAsked = askedNames.some((name) => search[name] !== undefined);
  useFirstLine(entries !== undefined);
  const save = useConfirmedSave();
  useTool('page', {
    saveCsv: () => save(fileHref(filter, 'csv')),
    saveJsonLines: () => save(fileHref(filter, 'jsonl')),
  });
  return (
    <SettingsPage
      command={command}
      about="Actions in the organisation, who did them, and their results"
      actions={formats.map(([format, title]) => (
        <a
          key={format}
          className={buttonLook({ variant: 'secondary' })}
          href={fileHref(filter, format)}
          download
          onClick={(event) => {
            event.preventDefault();
            save(fileHref(filter, format));
          }}
          aria-label={`Save these entries as ${title}`}
        >
          <Download size={14} strokeWidth={1.75} aria-hidden="true" />
          {title}
        </a>
      ))}
      status={
        entries !== undefined && (
          <span role="status">
            {entries.length}
            {audit.hasNextPage ? ' newest entries' : entries.length === 1 ? ' entry' : ' entries'}
          </span>
        )
      }
    >
      <Filters label="Filter of the audit" />
      <SavedSearches />
      <ErrorAlert
        title="Could not load the audit."
        error={audit.error}
        onRetry={() => void readAgain(audit)}
        isRetrying={audit.isFetching}
      />
      {audit.isPending && isLong && <SkeletonRows isFramed />}
      {entries !== undefined && entries.length > 0 && <EntryTable entries={entries} />}
      {entries?.length === 0 && (
        <State
          icon={<ScrollText size={20} strokeWidth={1.5} aria-hidden="true" />}
          title={isAsked ? 'No such entry' : 'Nothing was done yet'}
          place="page"
        >
          {isAsked
            ? 'Nothing matches the filter. Clear it, or use fewer terms.'
            : 'Every change will have an entry here.'}
        </State>
      )}
      <ShowOlder log={audit} what="entries" />
      <Retention />
      <Stream />
    </SettingsPage>
  );
}
