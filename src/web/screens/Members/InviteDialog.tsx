import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SentInvitation } from '../../../contract/invitations.ts';
import { type OrgRole, orgRoles, type TeamRole } from '../../../contract/permissions.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { orgRoleOptions } from '../org-role.ts';
import { roleOf } from '../team-role.ts';
import { useRoleOptions } from '../use-role-options.ts';
import { useReread } from '../use-change.ts';
import { PlanNote } from '../../features/subscription/PlanNote.tsx';
import { SentDialog } from '../../features/organisation/SentDialog.tsx';

interface InviteDialogProps {
  /** The address to begin with. */
  readonly email: string;
  readonly onClose: () => void;
}

const notIn = { value: '', label: 'Not in this team' };

/** Asks who is invited, as what and into which teams; then shows the link, once. */
export function InviteDialog({ email: first, onClose }: InviteDialogProps) {
  const { api, queries } = useData();
  const teams = useQuery(queries.teams);
  const options = useRoleOptions();
  const reread = useReread();
  const [email, setEmail] = useState(first);
  const [orgRole, setOrgRole] = useState<OrgRole>(orgRoles.Member);
  const [places, setPlaces] = useState<ReadonlyMap<number, TeamRole>>(new Map());
  const [sent, setSent] = useState<SentInvitation | undefined>(undefined);
  const form = useForm(async () => {
    const body = {
      email: email.trim(),
      orgRole,
      teams: [...places].map(([teamId, role]) => ({ teamId, role })),
    };
    setSent(await api.invite({ body }));
    await reread();
  });
  if (sent !== undefined) return <SentDialog sent={sent} onClose={onClose} />;
  const put = (teamId: number, value: string) => {
    const next = new Map(places);
    if (value === '') next.delete(teamId);
    else next.set(teamId, roleOf(value));
    setPlaces(next);
  };
  return (
    <FormDialog
      title="Invite somebody"
      form={form}
      isChanged={email !== first || places.size > 0}
      act="Invite"
      acting="Inviting..."
      reason={email.trim() === '' ? 'Enter an email address first.' : undefined}
      onClose={onClose}
    >
      {form.failure === undefined && <PlanNote of="seats" />}
      <TextField
        label="Email"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        error={form.issue('email')}
        help="The invitation works for this address only, for seven days."
        onChange={({ target }) => setEmail(target.value)}
      />
      <Select
        label="Role"
        options={orgRoleOptions}
        value={String(orgRole)}
        error={form.issue('orgRole')}
        onChange={(value) => setOrgRole(value === String(orgRoles.Owner) ? orgRoles.Owner : orgRoles.Member)}
      />
      <ErrorAlert
        title="Could not load the teams."
        error={teams.error}
        onRetry={() => void teams.refetch()}
        isRetrying={teams.isFetching}
      />
      {teams.data?.map(({ id, name }) => (
        <Select
          key={id}
          label={`Team ${name}`}
          options={[notIn, ...options]}
          value={String(places.get(id) ?? '')}
          onChange={(value) => put(id, value)}
        />
      ))}
    </FormDialog>
  );
}
