import { useQuery } from '@tanstack/react-query';
import type { OwnCompany } from '../../../contract/companies.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { InvitationCard } from '../Invite/InvitationCard.tsx';
import { orgRoleName } from '../org-role.ts';
import { FoundCompany } from './FoundCompany.tsx';

/** `/settings?section=companies`: the organisations of a person, invitations to others, and founding one. */
export function Screen({ command }: ScreenProps) {
  const { queries, queryClient } = useData();
  const own = useQuery(queries.ownCompanies);
  const pending = useQuery(queries.pendingInvitations);
  const reread = async () => {
    await Promise.all(
      [queries.ownCompanies, queries.pendingInvitations].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  };
  return (
    <SettingsPage command={command} about="Your organisations and invitations">
      <ErrorAlert
        title="Could not load your organisations."
        error={own.error}
        onRetry={() => void own.refetch()}
        isRetrying={own.isFetching}
      />
      <SetList>
        {pending.data !== undefined && pending.data.length > 0 && (
          <SetCard title="Invitations">
            {pending.data.map((invitation) => (
              <InvitationCard key={invitation.inviteId} invitation={invitation} onAnswered={reread} />
            ))}
          </SetCard>
        )}
        {own.data !== undefined && (
          <SetCard title="Your organisations">
            <ul className="flex min-w-0 flex-col divide-y divide-hairline">
              {own.data.companies.map((company) => (
                <CompanyRow key={company.companyId} company={company} />
              ))}
            </ul>
          </SetCard>
        )}
        {own.data?.mayFound === true && <FoundCompany />}
      </SetList>
    </SettingsPage>
  );
}

function CompanyRow({ company: { companyId, name, orgRole, isCurrent } }: { readonly company: OwnCompany }) {
  const { run } = useCommands();
  return (
    <li className="flex min-w-0 items-center gap-3 py-2 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <b className="font-medium wrap-anywhere">{name}</b> {isCurrent && <Badge tone="info">Current</Badge>}
        <span className="block text-xs text-text-3">{orgRoleName(orgRole)}</span>
      </div>
      {!isCurrent && (
        <Button
          size="sm"
          variant="secondary"
          aria-label={`Switch to ${name}`}
          onClick={() => run('company.switch', { companyId })}
        >
          Switch
        </Button>
      )}
    </li>
  );
}
