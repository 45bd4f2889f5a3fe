import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type InviteOutcome, invitationsPerDay, type SentInvitation } from '../../../contract/invitations.ts';
import { linkRefusal, messageLength } from '../../../contract/invited-message.ts';
import { type OrgRole, orgRoles, type TeamRole } from '../../../contract/permissions.ts';
import { useData } from '../../data/port.ts';
import { SentDialog } from '../../features/organisation/SentDialog.tsx';
import { PlanNote } from '../../features/subscription/PlanNote.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { Select } from '../../kit/Select.tsx';
import { TextAreaField } from '../../kit/TextAreaField.tsx';
import { useForm } from '../../kit/use-form.ts';
import { orgRoleOptions } from '../org-role.ts';
import { useReread } from '../use-change.ts';
import { InvitedAddresses } from './InvitedAddresses.tsx';
import { InvitedDialog } from './InvitedDialog.tsx';
import { type InvitedLine, invitedLines, type KnownOrganisation } from './invited-lines.ts';
import { OfferedTeams } from './OfferedTeams.tsx';

interface InviteDialogProps {
  /** The address to begin with. */
  readonly email: string;
  readonly onClose: () => void;
}

/** Invitations that were made. */
type Made =
  | { readonly sent: SentInvitation }
  /** In the order in which the addresses were given. */
  | { readonly outcomes: readonly InviteOutcome[] };

/** Asks for the people to invite, their role and teams; then shows the outcome, and the links that are known only then. */
export function InviteDialog({ email: first, onClose }: InviteDialogProps) {
  const { api, queries } = useData();
  const known = useKnown();
  const isMailed = useQuery(queries.invitations).data?.isMailed === true;
  const reread = useReread();
  const [text, setText] = useState(first);
  const [orgRole, setOrgRole] = useState<OrgRole>(orgRoles.Member);
  const [places, setPlaces] = useState<ReadonlyMap<number, TeamRole>>(new Map());
  const [message, setMessage] = useState('');
  const [made, setMade] = useState<Made | undefined>(undefined);
  const lines = invitedLines(text, known);
  const ready = lines.filter(({ problem }) => problem === undefined);
  const form = useForm(async () => {
    const common = { orgRole, message: message.trim() };
    const teams = [...places].map(([teamId, role]) => ({ teamId, role }));
    const [only] = lines;
    if (lines.length === 1 && only !== undefined) {
      const own = only.teams.map(({ teamId }) => teamId);
      const others = teams.filter(({ teamId }) => !own.includes(teamId));
      const body = { ...common, email: only.email, teams: [...others, ...only.teams] };
      setMade({ sent: await api.invite({ body }) });
    } else {
      const invitations = ready.map(({ email, teams: own }) => ({ email, teams: [...own] }));
      const answer = await api.inviteMany({ body: { ...common, teams, invitations } });
      setMade({ outcomes: inOrder(lines, answer) });
    }
    await reread();
  });
  if (made !== undefined && 'sent' in made) return <SentDialog sent={made.sent} onClose={onClose} />;
  if (made !== undefined) return <InvitedDialog outcomes={made.outcomes} onClose={onClose} />;
  const linkIssue = linkRefusal(message);
  return (
    <FormDialog
      title="Invite somebody"
      width="form"
      form={form}
      isChanged={text !== first || places.size > 0 || message !== ''}
      act={lines.length > 1 ? `Invite ${ready.length}` : 'Invite'}
      acting="Inviting..."
      reason={reasonOf(lines, orgRole) ?? linkIssue}
      onClose={onClose}
    >
      {form.failure === undefined && <PlanNote of="seats" />}
      <InvitedAddresses
        text={text}
        onText={setText}
        lines={lines}
        teams={new Map(known.teams?.map(({ id, name }) => [id, name]))}
        issue={form.issue('email')}
      />
      <Select
        label="Role"
        options={orgRoleOptions}
        value={String(orgRole)}
        error={form.issue('orgRole')}
        onChange={(value) => setOrgRole(value === String(orgRoles.Owner) ? orgRoles.Owner : orgRoles.Member)}
      />
      <OfferedTeams places={places} onChange={setPlaces} />
      {isMailed && (
        <TextAreaField
          label="Message in the mail"
          rows={2}
          maxLength={messageLength}
          value={message}
          error={linkIssue ?? form.issue('message')}
          help={`Plain text without links, up to ${messageLength} characters. The mail marks it as your own words.`}
          onChange={({ target }) => setMessage(target.value)}
        />
      )}
    </FormDialog>
  );
}

/** The people and open invitations of the organisation, by which an address is judged before it is sent. */
function useKnown(): KnownOrganisation {
  const { queries } = useData();
  const members = useQuery(queries.members).data ?? [];
  const invitations = useQuery(queries.invitations).data?.invitations ?? [];
  return {
    teams: useQuery(queries.teams).data,
    members: new Set(members.map(({ email }) => email.toLowerCase())),
    invited: new Set(invitations.filter(({ state }) => state === 'pending').map(({ email }) => email)),
  };
}

/** Why nothing can be sent yet. A single address is judged by the server, which knows more, unless it is none. */
function reasonOf(lines: readonly InvitedLine[], orgRole: OrgRole): string | undefined {
  const [only] = lines;
  if (only === undefined) return 'Enter an email address first.';
  if (lines.length === 1) return only.isUnreadable ? only.problem : undefined;
  if (orgRole === orgRoles.Owner) return 'Invite Owners one at a time.';
  const ready = lines.filter(({ problem }) => problem === undefined).length;
  if (ready > invitationsPerDay)
    return `At most ${invitationsPerDay} addresses can be invited at a time, and a day.`;
  return ready === 0 ? 'None of these addresses can be invited.' : undefined;
}

/** The outcomes of all addresses: those that were not sent have theirs from the page. */
function inOrder(
  lines: readonly InvitedLine[],
  answered: readonly InviteOutcome[],
): readonly InviteOutcome[] {
  const left = [...answered];
  return lines.map(({ email, problem }) => {
    const outcome = problem === undefined ? left.shift() : undefined;
    return outcome ?? { email, result: 'failed', problem: problem ?? 'The server did not answer for it.' };
  });
}
