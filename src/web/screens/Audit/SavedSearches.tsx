import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Problem } from '../../../contract/problem.ts';
import { tellFailure } from '../../../registry/commands/execute.ts';
import { auditHref, auditPlace } from '../../../registry/filter/place.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button, IconButton } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { TextField } from '../../kit/fields.tsx';
import { linkLook, PlaceLink } from '../../kit/Link.tsx';
import { useForm } from '../../kit/use-form.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { askedText } from './asked.ts';

/** The searches of the audit that the person saved, and the form that saves the present one. */
export function SavedSearches() {
  const { services } = useCommands();
  const { api, queries, queryClient } = useData();
  const saved = useQuery(queries.savedFilters);
  const [search] = useViewSearch();
  const [name, setName] = useState('');
  const asked = askedText(search);
  const searches = (saved.data ?? []).filter(({ place }) => place.startsWith(auditPlace));
  const read = () => queryClient.invalidateQueries({ queryKey: queries.savedFilters.queryKey });
  const form = useForm(async () => {
    const title = name.trim();
    const { filters } = await api.filters({});
    const other = filters.find((one) => one.name === title);
    if (other !== undefined && !other.place.startsWith(auditPlace))
      throw new Problem({ status: 409, title: `“${title}” is a filter of a list. Choose another name.` });
    await api.saveFilter({ params: { name: title }, body: { place: `${auditPlace}${asked}` } });
    setName('');
    services.toast.success(`${other === undefined ? 'Saved' : 'Replaced'} the search “${title}”`);
    await read();
  });
  const remove = (title: string) =>
    api.deleteFilter({ params: { name: title } }).then(
      () => {
        services.toast.success(`Deleted the search “${title}”`);
        return read();
      },
      (error: unknown) => tellFailure(error, 'The search could not be deleted.', services),
    );
  return (
    <section aria-label="Saved searches" className="flex flex-col gap-2">
      <ErrorAlert
        title="Could not load your saved searches."
        error={saved.error}
        onRetry={() => void saved.refetch()}
        isRetrying={saved.isFetching}
      />
      {searches.length > 0 && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {searches.map((one) => (
            <li key={one.name} className="flex items-center gap-1">
              <PlaceLink
                className={linkLook}
                href={auditHref(one.place)}
                aria-current={one.place === `${auditPlace}${asked}` ? 'true' : undefined}
              >
                {one.name}
              </PlaceLink>
              <IconButton
                size="sm"
                label={`Delete the search “${one.name}”`}
                onClick={() => void remove(one.name)}
              >
                <Trash2 size={13} strokeWidth={1.75} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {asked !== '' && (
        <form className="flex flex-wrap items-end gap-2" aria-label="Save this search" onSubmit={form.submit}>
          <ErrorAlert error={form.failure} />
          <TextField
            label="Name of this search"
            maxLength={80}
            autoComplete="off"
            value={name}
            error={form.issue('name')}
            onChange={({ target }) => setName(target.value)}
          />
          <Button
            type="submit"
            variant="secondary"
            isLoading={form.isBusy}
            loadingText="Saving..."
            reason={name.trim() === '' ? 'Enter a name first.' : undefined}
          >
            Save search
          </Button>
        </form>
      )}
    </section>
  );
}
