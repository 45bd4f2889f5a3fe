import { useQuery } from '@tanstack/react-query';
import type { UserSettings } from '../../../contract/user-settings.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { issueOfNames, NamespaceChoice, useChosenNamespaces } from '../NamespaceChoice.tsx';
import { useSaveSettings } from './use-save-settings.ts';

interface ExcludedNamespacesProps {
  readonly clusterId: number;
  readonly settings: UserSettings;
}

/** The namespaces that a person leaves out of their views of a cluster. */
export function ExcludedNamespaces({ clusterId, settings }: ExcludedNamespacesProps) {
  const { services } = useCommands();
  const { queries } = useData();
  const save = useSaveSettings(clusterId, settings);
  const name = useQuery(queries.clusters).data?.find(({ id }) => id === clusterId)?.name ?? '';
  const chosen = useChosenNamespaces(settings.excludedNamespaces);
  const form = useForm(async () => {
    await save({ excludedNamespaces: [...chosen.names] });
    services.toast.success('Excluded namespaces saved', {
      detail: chosen.names.length === 0 ? 'You see all of them.' : chosen.names.join(', '),
    });
  });
  const isChanged = chosen.names.join(' ') !== settings.excludedNamespaces.join(' ');
  return (
    <SetCard title="Excluded namespaces">
      <p className="text-text-2">
        Hides these namespaces from your lists, counts, searches and dashboards of this cluster.
      </p>
      <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="Excluded namespaces">
        <ErrorAlert error={form.failure} />
        <NamespaceChoice
          clusters={[{ id: clusterId, name }]}
          label="Leave out"
          chosen={chosen}
          issue={issueOfNames(chosen.names, 'excludedNamespaces', form.issue)}
        />
        <SaveRow form={form} isChanged={isChanged} />
      </form>
    </SetCard>
  );
}
