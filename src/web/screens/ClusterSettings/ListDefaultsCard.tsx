import { useState } from 'react';
import type { UserSettings } from '../../../contract/user-settings.ts';
import { useCommands } from '../../core/commands.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { Select } from '../../kit/Select.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { issueOfNames } from '../NamespaceChoice.tsx';
import { namespacesIn } from '../namespace-names.ts';
import { useSaveSettings } from './use-save-settings.ts';

type Sort = NonNullable<UserSettings['sort']>;

const sorts: readonly { readonly value: Sort | ''; readonly label: string }[] = [
  { value: '', label: 'Default: worst first' },
  { value: 'name', label: 'Name' },
  { value: 'namespace', label: 'Namespace' },
  { value: 'age', label: 'Newest first' },
  { value: '-age', label: 'Oldest first' },
];

/** A text that is equal for equal defaults, by which the form begins anew. */
export const defaultsKey = ({ favouriteNamespaces, sort, isWide }: UserSettings): string =>
  JSON.stringify([favouriteNamespaces, sort, isWide]);

interface ListDefaultsCardProps {
  readonly clusterId: number;
  readonly settings: UserSettings;
}

/** How a person's lists of a cluster begin, where nothing else was chosen for them. */
export function ListDefaultsCard({ clusterId, settings }: ListDefaultsCardProps) {
  const { services } = useCommands();
  const save = useSaveSettings(clusterId, settings);
  const [typed, setTyped] = useState(settings.favouriteNamespaces.join(' '));
  const [sort, setSort] = useState<Sort | ''>(settings.sort ?? '');
  const [isWide, setWide] = useState(settings.isWide);
  const favouriteNamespaces = [...namespacesIn(typed)];
  const changed = { favouriteNamespaces, sort: sort === '' ? null : sort, isWide };
  const form = useForm(async () => {
    await save(changed);
    services.toast.success('Defaults saved', { detail: 'Applies to lists without a choice of their own.' });
  });
  const isChanged = defaultsKey({ ...settings, ...changed }) !== defaultsKey(settings);
  return (
    <SetCard title="How lists begin">
      <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="How lists begin">
        <ErrorAlert error={form.failure} />
        <TextField
          label="Namespaces in front"
          value={typed}
          error={issueOfNames(favouriteNamespaces, 'favouriteNamespaces', form.issue)}
          help="Offered first in the namespace menu, in this order. Separate them by spaces."
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Select
          label="Order"
          options={sorts}
          value={sort}
          help="For lists that have this column, until you sort one otherwise."
          onChange={(value) => setSort(sorts.find((one) => one.value === value)?.value ?? '')}
        />
        <CheckLine checked={isWide} onChange={({ target }) => setWide(target.checked)}>
          Wide tables, until you choose the columns of a list
        </CheckLine>
        <SaveRow form={form} isChanged={isChanged}>
          Save defaults
        </SaveRow>
      </form>
    </SetCard>
  );
}
