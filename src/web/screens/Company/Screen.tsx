import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Company } from '../../../contract/companies.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { DeleteCompanyDialog } from './DeleteCompanyDialog.tsx';
import { KeptRowsCard } from './KeptRowsCard.tsx';

/** `/settings?section=company`: the organisation itself, for its Owners. */
export function Screen({ command }: ScreenProps) {
  const { queries } = useData();
  const company = useQuery(queries.company);
  const isLong = useLongWait(company.isPending);
  const [isDeleting, setDeleting] = useState(false);
  const { data } = company;
  return (
    <SettingsPage command={command} about="Name, email domain and deletion">
      <ErrorAlert
        title="Could not load the organisation."
        error={company.error}
        onRetry={() => void company.refetch()}
        isRetrying={company.isFetching}
      />
      {company.isPending && isLong && <SkeletonRows isFramed />}
      {data !== undefined && (
        <SetList>
          <SetCard title="Name and domain">
            <FactList>
              <Fact name="People">{data.members}</Fact>
              <Fact name="Clusters">{data.clusters}</Fact>
            </FactList>
            <CompanyForm key={`${data.name} ${data.domain ?? ''}`} company={data} />
          </SetCard>
          <KeptRowsCard company={data} />
          <SetCard title="Delete organisation">
            <p className="text-text-2">
              Deletes its clusters, teams, memberships, invitations and audit at once, and signs everybody out
              of it. People keep their accounts.
            </p>
            <div>
              <Button variant="danger" onClick={() => setDeleting(true)}>
                Delete organisation…
              </Button>
            </div>
          </SetCard>
        </SetList>
      )}
      {isDeleting && data !== undefined && (
        <DeleteCompanyDialog company={data} onClose={() => setDeleting(false)} />
      )}
    </SettingsPage>
  );
}

function CompanyForm({ company }: { readonly company: Company }) {
  const { registry, services } = useCommands();
  const { api, queries, queryClient } = useData();
  const [name, setName] = useState(company.name);
  const [domain, setDomain] = useState(company.domain ?? '');
  const isProven = useQuery(queries.ownAddress).data?.isProven;
  const form = useForm(async () => {
    const typed = domain.trim();
    const saved = await api.changeCompany({ body: { name, domain: typed === '' ? null : typed } });
    queryClient.setQueryData(queries.company.queryKey, saved);
    queryClient.setQueryData(queries.session.queryKey, (known) =>
      known === null || known === undefined ? known : { ...known, companyName: saved.name },
    );
    services.toast.success('Organisation saved', { detail: saved.name });
  });
  const isChanged = name !== company.name || domain.trim() !== (company.domain ?? '');
  return (
    <form className={`max-w-120 ${formLook}`} onSubmit={form.submit}>
      <ErrorAlert error={form.failure} />
      <TextField
        label="Name"
        required
        maxLength={100}
        autoComplete="organization"
        value={name}
        error={form.issue('name')}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Domain"
        maxLength={253}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={domain}
        error={form.issue('domain')}
        help="The part of people’s email addresses after the @. People with such an address can request an invitation, which appears on the members page. It must be the domain of your own confirmed address."
        onChange={({ target }) => setDomain(target.value)}
      />
      {isProven === false && (
        <p className="text-text-2">
          Your address is not confirmed yet.{' '}
          <PlaceLink href={registry.href('settings.profile')}>Confirm it by mail</PlaceLink> to set the
          domain.
        </p>
      )}
      <SaveRow form={form} isChanged={isChanged} />
    </form>
  );
}
