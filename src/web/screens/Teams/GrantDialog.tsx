import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Team } from '../../../contract/teams.ts';
import { counted } from '../../../registry/counted.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { namespacesText } from '../../data/restriction.ts';
import { emptyTextOf } from '../../kit/empty-text.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { Flag } from '../../kit/marks.tsx';
import { PickMany } from '../../kit/PickMany.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { eachOf } from '../each-of.ts';
import { issueOfNames, NamespaceChoice, useChosenNamespaces } from '../NamespaceChoice.tsx';
import { useReread } from '../use-change.ts';

interface GrantDialogProps {
  readonly team: Team;
  /** Clusters that the team reaches already. */
  readonly taken: readonly { readonly id: number }[];
  readonly onClose: () => void;
}

/** The parts of a cluster that a team can be granted, to choose from. */
const reaches = [
  { value: 'all', label: 'All namespaces', about: 'also future ones, and cluster-scoped objects' },
  { value: 'some', label: 'Only some namespaces', about: 'and nothing of the cluster itself' },
];

/** Asks for clusters, and for what the team shall reach of them, before anything is granted. */
export function GrantDialog({ team, taken, onClose }: GrantDialogProps) {
  const { services } = useCommands();
  const { api, queries } = useData();
  const clusters = useQuery(queries.clusters);
  const reread = useReread();
  const free = (clusters.data ?? []).filter(({ id }) => !taken.some((one) => one.id === id));
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [reach, setReach] = useState('');
  const names = useChosenNamespaces([]);
  const chosen = free.filter(({ id }) => ids.has(String(id)));
  const form = useForm(async () => {
    const namespaces = reach === 'some' ? [...names.names] : null;
    const { done, failed, failure } = await eachOf(chosen, 'cluster', ({ id }) =>
      api.addTeamCluster({ params: { teamId: team.id }, body: { clusterId: String(id), namespaces } }),
    );
    await reread();
    setIds(new Set(failed.map(({ id }) => String(id))));
    if (done.length > 0) {
      const what = done.length === 1 ? (done[0]?.name ?? '') : counted(done.length, 'cluster');
      services.toast.success(`${team.name} reaches ${what}`, { detail: namespacesText(namespaces) });
    }
    if (failure !== undefined) throw failure;
    onClose();
  });
  return (
    <FormDialog
      title={`Grant clusters to ${team.name}`}
      form={form}
      isChanged={ids.size > 0 || reach !== ''}
      act={chosen.length > 1 ? `Grant ${counted(chosen.length, 'cluster')}` : 'Grant'}
      acting="Granting..."
      reason={reasonOf(chosen.length, reach, names.names.length)}
      onClose={onClose}
    >
      <ErrorAlert
        title="Could not load the clusters."
        error={clusters.error}
        onRetry={() => void clusters.refetch()}
        isRetrying={clusters.isFetching}
      />
      <PickMany
        label="Clusters"
        placeholder="Search clusters"
        emptyText={emptyTextOf(
          clusters,
          free.length === 0 ? 'The team has access to every cluster.' : 'No cluster found.',
          'Failed to load the clusters.',
        )}
        entries={free.map(({ id, name, colour }) => ({
          id: String(id),
          text: name,
          content: (
            <>
              <Flag colour={colour} />
              <span>{name}</span>
            </>
          ),
        }))}
        chosen={ids}
        onChoose={setIds}
      />
      <Select
        label="What its members reach of them"
        required
        options={reaches}
        placeholder="Choose"
        value={reach}
        onChange={setReach}
      />
      {reach === 'some' && (
        <NamespaceChoice
          clusters={chosen}
          label="Namespaces"
          chosen={names}
          issue={issueOfNames(names.names, 'namespaces', form.issue)}
        />
      )}
    </FormDialog>
  );
}

/** The choice that is still missing, as a sentence; undefined once all are made. */
function reasonOf(clusters: number, reach: string, namespaces: number): string | undefined {
  if (clusters === 0) return 'Choose a cluster first.';
  if (reach === '') return 'Choose all namespaces, or only some.';
  return reach === 'some' && namespaces === 0 ? 'Choose a namespace first.' : undefined;
}
