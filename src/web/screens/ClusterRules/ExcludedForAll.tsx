import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { issueOfNames, NamespaceChoice, useChosenNamespaces } from '../NamespaceChoice.tsx';

interface ExcludedForAllProps {
  readonly cluster: { readonly id: number; readonly name: string };
  readonly saved: readonly string[];
  /** Throws Problem, whose issues name the namespace that cannot be one. */
  readonly save: (names: readonly string[]) => Promise<void>;
}

/** The namespaces that everybody's views of a cluster leave out. */
export function ExcludedForAll({ cluster, saved, save }: ExcludedForAllProps) {
  const chosen = useChosenNamespaces(saved);
  const form = useForm(() => save(chosen.names));
  return (
    <SetCard title="Excluded for everybody">
      <p className="text-text-2">
        Hides these namespaces from lists, counts, searches and dashboards for everybody. Permissions do not
        change: each view can show them, and they can be opened by name.
      </p>
      <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="Excluded for everybody">
        <ErrorAlert error={form.failure} />
        <NamespaceChoice
          clusters={[cluster]}
          label="Leave out for everybody"
          chosen={chosen}
          issue={issueOfNames(chosen.names, 'excludedNamespaces', form.issue)}
        />
        <SaveRow form={form} variant="secondary" isChanged={chosen.names.join(' ') !== saved.join(' ')}>
          Save excluded namespaces
        </SaveRow>
      </form>
    </SetCard>
  );
}
