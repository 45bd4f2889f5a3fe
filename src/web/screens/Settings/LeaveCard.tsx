import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';

/** The way out of the organisation, for the person themself. */
export function LeaveCard() {
  const { services } = useCommands();
  const { api, queries } = useData();
  const company = useQuery(queries.session).data?.companyName;
  const [isLeaving, setLeaving] = useState(false);
  return (
    <SetCard title="Leave organisation">
      <p className="text-text-2">
        You lose your teams in {company ?? 'it'} and access to their clusters. You keep your account.
      </p>
      <div>
        <Button variant="danger" onClick={() => setLeaving(true)}>
          Leave organisation…
        </Button>
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={`Leave ${company ?? 'the organisation'}?`}
          act="Leave organisation"
          acting="Leaving..."
          onClose={() => setLeaving(false)}
          onConfirm={async () => {
            await api.leaveCompany({});
            setLeaving(false);
            await services.session.logout();
          }}
        >
          <p>
            Whatever you have open ends at once and you are signed out. To come back you have to be invited.
          </p>
        </ConfirmDialog>
      )}
    </SetCard>
  );
}
