import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ReleaseRevision } from '../../../contract/releases.ts';
import { formatAge } from '../../../kube/age.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { DiffText } from '../actions/DiffText.tsx';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useLive } from '../../data/live/use-live.ts';
import { useMay } from '../../data/may-act.ts';
import { useNow } from '../../data/now.ts';
import { ObjectJobs } from '../jobs/ObjectJobs.tsx';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Page } from '../../frame/Page.tsx';
import { Button } from '../../kit/Button.tsx';
import { cardLook, cardTitle } from '../../kit/card.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Select } from '../../kit/Select.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { headCell, stackingCell, tableLook, tableRow } from '../../kit/table.ts';
import { Spinner } from '../../kit/Spinner.tsx';
import { useView, useViewSearch } from '../../workspace/view.ts';
import { releaseTone } from './release-tone.ts';
import { useContents } from './use-contents.ts';

/** `/clusters/{id}/namespaces/{ns}/releases/{name}/history`: every revision that is kept, and what differs. */
export function Screen({ params }: ScreenProps) {
  const { api } = useData();
  const { isVisible } = useView();
  const { clusterId: cluster = '', namespace = '', releaseName: name = '' } = params;
  const self: ObjectRef = { cluster, kind: 'release', namespace, name };
  const now = useNow();
  const may = useMay(cluster);
  // The stored revisions change with the release: the query includes its version.
  const live = useLive(
    { type: 'object', clusterId: Number(cluster), kind: 'release', namespace, name },
    isVisible,
  );
  const version = live?.view?.object.metadata?.['resourceVersion'];
  const history = useQuery({
    queryKey: ['release-history', cluster, namespace, name, version],
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<{ revisions: ReleaseRevision[] }> =>
      api.releaseHistory({ params: { clusterId: Number(cluster), namespace, name } }, { signal }),
  });
  const revisions = history.data?.revisions ?? [];
  const rollback = live?.view?.actions.find(({ id }) => id === 'release.rollback');
  return (
    <Page
      title={
        <>
          History of <ObjectLink to={self}>{name}</ObjectLink>
        </>
      }
      about={`Release in ${namespace}`}
      mode="HISTORY"
      status={<span>{revisions.length === 1 ? '1 revision' : `${revisions.length} revisions`}</span>}
    >
      <ErrorAlert
        title="Could not load the history."
        error={history.error}
        onRetry={() => void history.refetch()}
        isRetrying={history.isFetching}
      />
      <ObjectJobs self={self} now={now} />
      {history.isPending && <Spinner label="Loading the revisions…" />}
      {revisions.length > 0 && (
        <>
          <RevisionTable revisions={revisions} self={self} now={now} rollback={rollback?.enabled} />
          {may('secrets.view') && <Compare revisions={revisions} self={self} />}
        </>
      )}
    </Page>
  );
}

interface RevisionTableProps {
  readonly revisions: readonly ReleaseRevision[];
  readonly self: ObjectRef;
  /** ms. */
  readonly now: number;
  /** Whether the release can be rolled back, or why not; undefined: the person may not. */
  readonly rollback: true | string | undefined;
}

/** In a narrow window a revision takes a few lines: its number and how it went, then what it was, and the way back to it. */
const boxLook = `${stackingCell} narrow:py-0.5`;
const cellLook = `${boxLook} whitespace-nowrap md:py-1.75`;

function RevisionTable({ revisions, self, now, rollback }: RevisionTableProps) {
  const { run } = useCommands();
  return (
    <div className={`overflow-auto ${cardLook}`}>
      <table className={tableLook}>
        <thead className="narrow:sr-only">
          <tr>
            <th scope="col" className={headCell({ isNumber: true })}>
              Revision
            </th>
            <th scope="col" className={headCell()}>
              Status
            </th>
            <th scope="col" className={headCell()}>
              Chart
            </th>
            <th scope="col" className={headCell({ className: 'narrow:hidden' })}>
              App version
            </th>
            <th scope="col" className={headCell()}>
              Updated
            </th>
            <th scope="col" className={headCell()}>
              Description
            </th>
            {rollback !== undefined && (
              <th scope="col" className={headCell()}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {revisions.map((one, index) => (
            <tr
              key={one.revision}
              className={[
                tableRow,
                'narrow:grid narrow:grid-cols-[1.5rem_minmax(0,1fr)_auto] narrow:items-center narrow:gap-x-2',
                'narrow:border-b narrow:border-hairline narrow:px-3 narrow:py-2 narrow:last:border-b-0',
              ].join(' ')}
            >
              <td className={`${cellLook} font-semibold md:text-right narrow:[grid-area:1/1]`}>
                {one.revision}
              </td>
              <td className={`${cellLook} narrow:[grid-area:1/2]`}>
                <StatusText {...releaseTone(one.status)} />
              </td>
              <td className={`${cellLook} narrow:[grid-area:2/2]`}>
                {`${one.chart} ${one.chartVersion}`.trim() || '–'}
              </td>
              <td className={`${cellLook} narrow:hidden`}>{one.appVersion || '–'}</td>
              <td className={`${cellLook} text-right text-text-2 narrow:[grid-area:1/3]`}>
                {one.updated === null ? '–' : `${formatAge((now - Date.parse(one.updated)) / 1000)} ago`}
              </td>
              <td
                className={`${boxLook} wrap-anywhere text-text-2 md:w-[99%] md:py-1.75 narrow:[grid-area:3/2/auto/span_2]`}
              >
                {one.problem ?? one.description}
              </td>
              {rollback !== undefined && (
                <td
                  className={`${boxLook} text-right whitespace-nowrap md:w-[1%] md:py-0.75 narrow:[grid-area:2/3]`}
                >
                  {index > 0 && one.problem === null && (
                    <Button
                      size="sm"
                      variant="secondary"
                      aria-label={`Roll back to revision ${one.revision}`}
                      reason={rollback === true ? undefined : rollback}
                      onClick={() =>
                        run(
                          'release.rollback',
                          { revision: one.revision },
                          { subject: { type: 'objects', refs: [self], from: 'args' } },
                        )
                      }
                    >
                      Roll back
                    </Button>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The parts of two revisions that can be compared. */
const parts = [
  { value: 'manifest', label: 'Manifest' },
  { value: 'values', label: 'Given values' },
  { value: 'computed', label: 'Computed values' },
] as const;

interface CompareProps {
  readonly revisions: readonly ReleaseRevision[];
  readonly self: ObjectRef;
}

/** The differences between two revisions. The address names the two. */
function Compare({ revisions, self }: CompareProps) {
  const heading = useId();
  const [search, setSearch] = useViewSearch();
  const [part, setPart] = useState<'manifest' | 'values' | 'computed'>('manifest');
  const numbers = revisions.map(({ revision }) => revision);
  const chosen = (text: string | undefined, otherwise: number | undefined) =>
    numbers.find((one) => String(one) === text) ?? otherwise;
  const to = chosen(search.to, numbers[0]);
  const from = chosen(search.from, numbers[1] ?? numbers[0]);
  const before = useContents(self, from);
  const after = useContents(self, to);
  const failure = before.error ?? after.error;
  const options = revisions.map(({ revision, chartVersion }) => ({
    value: String(revision),
    label: `${revision} (${chartVersion})`,
  }));
  return (
    <section className={`flex flex-col gap-2.5 pb-3 *:not-[h2]:mx-3 ${cardLook}`} aria-labelledby={heading}>
      <h2 id={heading} className={cardTitle}>
        Compare revisions
      </h2>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <Select
          label="From revision"
          value={String(from ?? '')}
          options={options}
          onChange={(revision) => setSearch({ from: revision })}
        />
        <Select
          label="To revision"
          value={String(to ?? '')}
          options={options}
          onChange={(revision) => setSearch({ to: revision })}
        />
        <Select
          label="What"
          value={part}
          options={parts}
          onChange={(one) => setPart(parts.find(({ value }) => value === one)?.value ?? 'manifest')}
        />
      </div>
      <ErrorAlert error={failure} />
      {before.data !== undefined && after.data !== undefined && (
        <DiffText
          title={`From revision ${from ?? ''} to ${to ?? ''}`}
          before={before.data[part]}
          after={after.data[part]}
          same="The two are the same."
        />
      )}
      <p className="text-(length:--text-xs) text-text-2">
        Credentials are masked; different marks stand for different values.
      </p>
    </section>
  );
}
