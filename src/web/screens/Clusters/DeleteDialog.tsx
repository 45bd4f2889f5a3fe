import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Cluster } from '../../../contract/clusters.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { deletingKey } from '../../data/deleting.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { isTyped, NameField } from '../../kit/NameField.tsx';
import { clusterStyle, Flag } from '../../kit/marks.tsx';

interface DeleteDialogProps {
  readonly cluster: Cluster;
  readonly onClose: () => void;
}

/** Asks before a cluster leaves the console, by its name: what it had granted does not come with it when it is added again. */
export function DeleteDialog({ cluster, onClose }: DeleteDialogProps) {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  const { workspace } = useWorkspace();
  const [typed, setTyped] = useState('');
  const formId = useId();
  const isNamed = isTyped(typed, cluster.name);
  const deleting = useMutation({
    mutationKey: deletingKey(cluster.id),
    mutationFn: () => api.deleteCluster({ params: { clusterId: cluster.id } }),
    onSuccess: () => {
      queryClient.setQueryData(queries.clusters.queryKey, (known) =>
        known?.filter((one) => one.id !== cluster.id),
      );
      workspace.forgetCluster(cluster.id);
      services.toast.success('Cluster deleted', { detail: cluster.name });
      onClose();
    },
  });
  return (
    <Dialog
      title="Delete cluster?"
      role="alertdialog"
      isDangerous
      isProtected={cluster.isProtected}
      style={clusterStyle(cluster.colour)}
      onClose={onClose}
      description={
        <p>
          Deletes its credential and every grant on it from the console. The cluster itself is not changed,
          and can be added again.
        </p>
      }
      footer={
        <>
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            type="submit"
            form={formId}
            variant="danger"
            isLoading={deleting.isPending}
            loadingText="Deleting..."
            reason={isNamed ? undefined : `Type ${cluster.name} to confirm.`}
          >
            Delete cluster
          </Button>
        </>
      }
    >
      <p className="flex min-w-0 items-center gap-1.5 rounded-sm border border-border bg-raised px-2.5 py-2">
        <Flag colour={cluster.colour} size={14} className="mt-0.75" />
        <b className="font-semibold">{cluster.name}</b>
        <span className="mono min-w-0 truncate text-text-3">{cluster.server}</span>
      </p>
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed && !deleting.isPending) deleting.mutate();
        }}
      >
        <NameField
          label={
            <>
              Type <b className="font-semibold">{cluster.name}</b> to confirm
            </>
          }
          value={typed}
          onChange={setTyped}
        />
      </form>
      <ErrorAlert error={deleting.error} />
    </Dialog>
  );
}
