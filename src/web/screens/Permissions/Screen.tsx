import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../../contract/roles.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { isAdmin } from '../../data/session.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { useFirstLine } from '../../workspace/use-first-line.ts';
import { AdjustRoleDialog } from './AdjustRoleDialog.tsx';
import { PermissionTable } from './PermissionTable.tsx';

/** `/settings/permissions`: what each role may do in the organisation, and what each permission unlocks. */
export function Screen({ command }: ScreenProps) {
  const { registry } = useCommands();
  const { queries } = useData();
  const roles = useQuery(queries.roles);
  const user = useQuery(queries.session).data;
  const isOwner = user !== undefined && user !== null && isAdmin(user);
  const [adjusted, setAdjusted] = useState<Role['role'] | undefined>(undefined);
  const isLong = useLongWait(roles.isPending);
  useFirstLine(roles.data !== undefined);
  const chosen = roles.data?.find(({ role }) => role === adjusted);
  return (
    <SettingsPage command={command} about="The permissions of each team role on the team’s clusters">
      <p className="text-text-2">
        Owners have every permission on every cluster. Your own permissions are in{' '}
        <PlaceLink href={registry.href('permissions.own')}>My permissions</PlaceLink>.
      </p>
      <ErrorAlert
        title="Could not load the roles."
        error={roles.error}
        onRetry={() => void roles.refetch()}
        isRetrying={roles.isFetching}
      />
      {roles.isPending && isLong && <SkeletonRows isFramed />}
      {roles.data !== undefined && (
        <PermissionTable roles={roles.data} {...(isOwner ? { onAdjust: setAdjusted } : {})} />
      )}
      {chosen !== undefined && (
        <AdjustRoleDialog key={chosen.role} role={chosen} onClose={() => setAdjusted(undefined)} />
      )}
    </SettingsPage>
  );
}
