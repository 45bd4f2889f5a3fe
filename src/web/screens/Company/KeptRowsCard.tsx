import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import type { Company } from '../../../contract/companies.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { SetCard } from '../../kit/SetCard.tsx';

/** Whether the browsers of an organisation keep the last known rows of lists. */
export function KeptRowsCard({ company }: { readonly company: Company }) {
  const { services } = useCommands();
  const { api, queries, queryClient } = useData();
  const helpId = useId();
  const saving = useMutation({
    // A press during a save is the next one.
    scope: { id: 'kept rows' },
    mutationFn: (keepsRows: boolean) => api.setKeptRows({ body: { keepsRows } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(queries.company.queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: queries.session.queryKey });
      services.toast.success(`Last known rows: ${saved.keepsRows ? 'kept' : 'not kept'}`);
    },
  });
  return (
    <SetCard title="Last known rows">
      <ErrorAlert error={saving.error} />
      <CheckLine
        checked={saving.isPending ? saving.variables : company.keepsRows}
        aria-busy={saving.isPending}
        aria-describedby={helpId}
        onChange={({ target }) => saving.mutate(target.checked)}
      >
        Show the last known rows of a list until it has loaded
      </CheckLine>
      <p className="ml-6 text-text-2" id={helpId}>
        Browsers keep names and statuses of lists for a day, encrypted with a key that only a signed-in person
        with the same permissions gets. Secrets are never kept. Signing out deletes them.
      </p>
    </SetCard>
  );
}
