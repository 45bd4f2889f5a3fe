import { useState } from 'react';
import type { Cluster } from '../../../contract/clusters.ts';
import { Problem } from '../../../contract/problem.ts';
import { MapField } from '../actions/ArgFields.tsx';
import type { MapRow } from '../actions/args.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { clusterStyle, Flag } from '../../kit/marks.tsx';
import { useForm } from '../../kit/use-form.ts';
import { labelsOf } from './labels.ts';

interface CreateDialogProps {
  readonly cluster: Cluster;
  readonly onClose: () => void;
}

/** Makes a namespace with labels. */
export function CreateDialog({ cluster, onClose }: CreateDialogProps) {
  const { services } = useCommands();
  const { api, queries, queryClient } = useData();
  const [name, setName] = useState('');
  const [rows, setRows] = useState<readonly MapRow[]>([]);
  const form = useForm(async () => {
    const labels = labelsOf(rows);
    if (typeof labels === 'string')
      throw new Problem({ status: 400, title: labels, issues: [{ path: 'labels', message: labels }] });
    const made = await api.createNamespace({
      params: { clusterId: cluster.id },
      body: { name: name.trim(), labels },
    });
    void queryClient.invalidateQueries({ queryKey: queries.namespaces(cluster.id).queryKey });
    services.toast.success(`Namespace ${made.name} created`, { detail: cluster.name });
    onClose();
  });
  return (
    <Dialog
      title="Create namespace"
      isProtected={cluster.isProtected}
      style={clusterStyle(cluster.colour)}
      isSticky
      onClose={onClose}
      footer={
        <>
          <span className="flex min-w-0 items-center gap-1.5 text-text-2">
            <Flag colour={cluster.colour} />
            {cluster.name}
          </span>
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            type="submit"
            form="create-namespace"
            isLoading={form.isBusy}
            loadingText="Creating..."
            reason={name.trim() === '' ? 'Give it a name.' : undefined}
          >
            Create namespace
          </Button>
        </>
      }
    >
      <form id="create-namespace" className={formLook} onSubmit={form.submit} noValidate>
        <TextField
          label="Name"
          required
          value={name}
          error={form.issue('name')}
          help="Lower-case letters, digits and hyphens; 63 at most."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
        <MapField label="Labels" rows={rows} issue={form.issue('labels')} onChange={setRows} />
        <ErrorAlert error={form.failure} />
      </form>
    </Dialog>
  );
}
