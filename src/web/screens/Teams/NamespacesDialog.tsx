import { useState } from 'react';
import type { Team, TeamCluster } from '../../../contract/teams.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { namespacesText } from '../../data/restriction.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { useForm } from '../../kit/use-form.ts';
import { issueOfNames, NamespaceChoice, useChosenNamespaces } from '../NamespaceChoice.tsx';
import { useReread } from '../use-change.ts';

interface NamespacesDialogProps {
  readonly team: Team;
  readonly cluster: TeamCluster;
  readonly onClose: () => void;
}

/** Asks which namespaces of a cluster a team reaches: all of them, or some by name. */
export function NamespacesDialog({ team, cluster, onClose }: NamespacesDialogProps) {
  const { services } = useCommands();
  const { api } = useData();
  const reread = useReread();
  const [isRestricted, setRestricted] = useState(cluster.namespaces !== null);
  const chosen = useChosenNamespaces(cluster.namespaces ?? []);
  const namespaces = isRestricted ? [...chosen.names] : null;
  const form = useForm(async () => {
    await api.addTeamCluster({
      params: { teamId: team.id },
      body: { clusterId: String(cluster.id), namespaces },
    });
    await reread();
    services.toast.success(`${team.name} reaches ${cluster.name}`, { detail: namespacesText(namespaces) });
    onClose();
  });
  const issue = issueOfNames(chosen.names, 'namespaces', form.issue);
  const isChanged = JSON.stringify(namespaces) !== JSON.stringify(cluster.namespaces);
  const reason = isRestricted && chosen.names.length === 0 ? 'Choose a namespace first.' : undefined;
  return (
    <Dialog
      title={`What ${team.name} reaches of ${cluster.name}`}
      isSticky={isChanged}
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            type="submit"
            form="namespaces-form"
            isLoading={form.isBusy}
            loadingText="Saving..."
            reason={reason ?? (isChanged ? undefined : 'Nothing is changed.')}
          >
            Save
          </Button>
        </>
      }
    >
      <form id="namespaces-form" className={formLook} onSubmit={form.submit}>
        <ErrorAlert error={form.failure} />
        <CheckLine checked={isRestricted} onChange={({ target }) => setRestricted(target.checked)}>
          Only some namespaces
        </CheckLine>
        <p className="text-text-2">
          {isRestricted
            ? 'Its members see only these namespaces and their objects: no nodes, volumes or other cluster-scoped objects. Anything else they have open ends at once.'
            : 'Its members can use every namespace, also future ones, and cluster-scoped objects.'}
        </p>
        {isRestricted && (
          <NamespaceChoice clusters={[cluster]} label="Namespaces" chosen={chosen} issue={issue} />
        )}
      </form>
    </Dialog>
  );
}
