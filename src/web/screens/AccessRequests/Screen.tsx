import { useQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import type { AccessRequest } from '../../../contract/access-requests.ts';
import { permissionAskedFor } from '../../../contract/permissions.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { State } from '../../kit/State.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { ApprovalRule } from './ApprovalRule.tsx';
import { AskDialog } from './AskDialog.tsx';
import { RequestRow } from './RequestRow.tsx';

/** `/settings?section=access-requests`: what waits for the person's decision, what others hold, and the own requests. */
export function Screen({ command }: ScreenProps) {
  const { queries } = useData();
  const [search, setSearch] = useViewSearch();
  const list = useQuery(queries.accessRequests);
  const isOwner = useQuery(queries.session).data?.orgRole === 1;
  const isLong = useLongWait(list.isPending);
  useFirstLine(list.data !== undefined);
  const requests = list.data?.requests ?? [];
  const groups = [
    { title: 'Waiting for your decision', of: requests.filter(({ mayApprove }) => mayApprove) },
    {
      title: 'Waiting for another approval',
      of: requests.filter(({ mayDecide, mayApprove }) => mayDecide && !mayApprove),
    },
    {
      title: 'Held by others',
      of: requests.filter(({ isOwn, mayDecide, mayEnd }) => !isOwn && !mayDecide && mayEnd),
    },
    { title: 'Your requests', of: requests.filter(({ isOwn }) => isOwn) },
  ].filter(({ of }) => of.length > 0);
  const ask = search['ask'];
  return (
    <SettingsPage
      command={command}
      about="Temporary permissions"
      actions={
        isOwner ? undefined : (
          <Button onClick={() => setSearch({ ask: 'any' }, 'push')}>Ask for access…</Button>
        )
      }
    >
      <ErrorAlert
        title="Could not load the access requests."
        error={list.error}
        onRetry={() => void list.refetch()}
        isRetrying={list.isFetching}
      />
      {list.isPending && isLong && <SkeletonRows isFramed />}
      {list.data !== undefined && groups.length === 0 && (
        <State
          place="page"
          icon={<Hourglass size={20} strokeWidth={1.5} aria-hidden="true" />}
          title="No access requests"
        >
          {isOwner
            ? 'People request temporary permissions here. As an Owner you have every permission and decide on their requests.'
            : 'Request a permission for a limited time. An Owner, or a TeamAdmin of your team who has it, decides.'}
        </State>
      )}
      {(groups.length > 0 || isOwner) && (
        <SetList>
          {groups.map(({ title, of }) => (
            <SetCard key={title} title={title}>
              <Requests title={title} requests={of} />
            </SetCard>
          ))}
          {isOwner && <ApprovalRule />}
        </SetList>
      )}
      {ask !== undefined && !isOwner && (
        <AskDialog
          permissions={ask.split(',').flatMap((one) => permissionAskedFor(one) ?? [])}
          clusterId={search['cluster']}
          namespace={search['namespace']}
          onClose={() => setSearch({ ask: undefined, cluster: undefined, namespace: undefined })}
        />
      )}
    </SettingsPage>
  );
}

function Requests({
  title,
  requests,
}: {
  readonly title: string;
  readonly requests: readonly AccessRequest[];
}) {
  return (
    <ul className="flex min-w-0 flex-col divide-y divide-hairline" aria-label={title}>
      {requests.map((request) => (
        <RequestRow key={request.id} request={request} />
      ))}
    </ul>
  );
}
