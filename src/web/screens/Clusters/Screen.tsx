import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Cluster } from '../../../contract/clusters.ts';
import { useData } from '../../data/port.ts';
import { PlanNote } from '../../features/subscription/PlanNote.tsx';
import { isAdmin } from '../../data/session.ts';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Icon } from '../../kit/icons.tsx';
import { State } from '../../kit/State.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { Page } from '../../frame/Page.tsx';
import { ClusterTable } from './ClusterTable.tsx';
import { useDrop } from './use-drop.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const AddDialog = lazyPart(async () => (await import('./AddDialog.tsx')).AddDialog);
const ReplaceDialog = lazyPart(async () => (await import('./ReplaceDialog.tsx')).ReplaceDialog);
const DeleteDialog = lazyPart(async () => (await import('./DeleteDialog.tsx')).DeleteDialog);

/** `/clusters`: every cluster the person may see; Owners add, replace the credential of and delete them. */
export function Screen() {
  const { queries } = useData();
  const clusters = useQuery(queries.clusters);
  const user = useQuery(queries.session).data;
  const canManage = user !== undefined && user !== null && isAdmin(user);
  const isLong = useLongWait(clusters.isPending);
  useFirstLine(clusters.data !== undefined);
  const [search, setSearch] = useViewSearch();
  const [dropped, setDropped] = useState('');
  const [replacing, setReplacing] = useState<Cluster | undefined>(undefined);
  const [deleting, setDeleting] = useState<Cluster | undefined>(undefined);
  const isAdding = canManage && search.add === '1';
  const open = (text: string) => {
    setDropped(text);
    setSearch({ add: '1' });
  };
  const drop = useDrop(canManage && !isAdding && replacing === undefined, open);
  const listed = clusters.data ?? [];
  const add = canManage ? (
    <Button icon={<Plus size={14} strokeWidth={1.75} aria-hidden="true" />} onClick={() => open('')}>
      Add clusters
    </Button>
  ) : undefined;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...drop.handlers}>
      <Page
        title="Clusters"
        mode="CLUSTERS"
        actions={listed.length > 0 && add}
        status={
          clusters.data !== undefined && (
            <span>{listed.length === 1 ? '1 cluster' : `${listed.length} clusters`}</span>
          )
        }
      >
        <ErrorAlert
          title="Could not load the clusters."
          error={clusters.error ?? drop.error}
          onRetry={clusters.isError ? () => void clusters.refetch() : undefined}
          isRetrying={clusters.isFetching}
        />
        {canManage && <PlanNote of="clusters" isOnlyReached />}
        {clusters.isPending && isLong && <SkeletonRows isFramed />}
        {clusters.data !== undefined && listed.length === 0 && (
          <State place="page" icon={<Icon name="clusters" size={22} />} title="No cluster yet" actions={add}>
            {canManage
              ? 'Add one with its kubeconfig: paste it, choose the file or drop it here.'
              : 'An Owner of your organisation can add clusters and grant your team access to them.'}
          </State>
        )}
        {listed.length > 0 && (
          <ClusterTable
            clusters={listed}
            canManage={canManage}
            onReplace={setReplacing}
            onDelete={setDeleting}
          />
        )}
      </Page>
      {drop.isOver && (
        <div className="pointer-events-none absolute inset-1.5 grid place-items-center rounded-md border-2 border-dashed border-accent bg-accent-soft text-lg font-semibold text-accent-text">
          Drop the kubeconfig to add its clusters
        </div>
      )}
      <Suspense>
        {isAdding && <AddDialog initial={dropped} onClose={() => setSearch({ add: undefined })} />}
        {replacing !== undefined && (
          <ReplaceDialog cluster={replacing} onClose={() => setReplacing(undefined)} />
        )}
        {deleting !== undefined && <DeleteDialog cluster={deleting} onClose={() => setDeleting(undefined)} />}
      </Suspense>
    </div>
  );
}
