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
              ? 'Each request needs approval from two people other than the one who asks.'
              : 'Each request needs approval from one person other than the one who asks.'}
          </p>
          {isAlone && (
            <p className="wrap-anywhere text-text-2">
              {isTwo
                ? `${data.owners.join(', ')} is the only Owner left. A request that no TeamAdmin can approve as well gets only one approval, and expires. Make somebody an Owner, or require one approval.`
                : `Two approvals need two Owners, since nobody else can decide on every request. ${data.owners.join(', ')} is the only one.`}
            </p>
          )}
          <div>
            <Button
              variant="secondary"
              reason={!isTwo && isAlone ? 'Make somebody else an Owner first.' : undefined}
              onClick={() => setAsking(true)}
            >
              {isTwo ? 'Require one approval…' : 'Require two approvals…'}
            </Button>
          </div>
        </>
      )}
      {isAsking && data !== undefined && (
        <ConfirmDialog
          title={isTwo ? 'Require one approval?' : 'Require two approvals?'}
          act={isTwo ? 'Require one' : 'Require two'}
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
              ? 'From now on each request needs one approval, also those that are waiting.'
              : 'From now on each request needs two approvals, also those that are waiting. Access that was already given stays.'}
          </p>
        </ConfirmDialog>
      )}
    </SetCard>
  );
}
