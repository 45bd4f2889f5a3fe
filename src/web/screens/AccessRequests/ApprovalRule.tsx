import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SetCard } from '../../kit/SetCard.tsx';

/** The rule of the organisation for the number of people who have to approve a request. */
export function ApprovalRule() {
  const { api, queries, queryClient } = useData();
  const rule = useQuery(queries.approvalRule);
  const [isAsking, setAsking] = useState(false);
  const { data } = rule;
  const isTwo = data?.approvers === 2;
  const isAlone = (data?.owners.length ?? 0) < 2;
  return (
    <SetCard title="Approvals">
      <ErrorAlert
        title="Could not load the rule for approvals."
        error={rule.error}
        onRetry={() => void rule.refetch()}
        isRetrying={rule.isFetching}
      />
      {data !== undefined && (
        <>
          <p className="text-text-2">
            {isTwo
              ? 'Two people besides the one who asks have to approve each request.'
              : 'One person besides the one who asks approves a request.'}
          </p>
          {isAlone && (
            <p className="wrap-anywhere text-text-2">
              {isTwo
                ? `${data.owners.join(', ')} is the only Owner left. A request that no TeamAdmin can approve as well is not approved in time. Make somebody an Owner, or ask for one approval.`
                : `Two approvals need two Owners, since nobody else can decide on every request. ${data.owners.join(', ')} is the only one.`}
            </p>
          )}
          <div>
            <Button
              variant="secondary"
              reason={!isTwo && isAlone ? 'Make somebody else an Owner first.' : undefined}
              onClick={() => setAsking(true)}
            >
              {isTwo ? 'Ask for one approval…' : 'Ask for two approvals…'}
            </Button>
          </div>
        </>
      )}
      {isAsking && data !== undefined && (
        <ConfirmDialog
          title={isTwo ? 'Ask for one approval?' : 'Ask for two approvals?'}
          act={isTwo ? 'Ask for one' : 'Ask for two'}
          acting="Saving..."
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const next = await api.setApprovalRule({ body: { approvers: isTwo ? 1 : 2 } });
            queryClient.setQueryData(queries.approvalRule.queryKey, next);
            setAsking(false);
          }}
        >
          <p>
            {isTwo
              ? 'From now on one person approves a request, also one that waits.'
              : 'From now on two people have to approve a request, also one that waits. What was approved before stays.'}
          </p>
        </ConfirmDialog>
      )}
    </SetCard>
  );
}
