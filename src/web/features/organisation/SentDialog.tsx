import { useQuery } from '@tanstack/react-query';
import type { ListedInvitation, SentInvitation } from '../../../contract/invitations.ts';
import { useData } from '../../data/port.ts';
import { CopiedText } from '../../kit/CopiedText.tsx';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { OnceDialog } from '../../kit/OnceDialog.tsx';

interface SentDialogProps {
  readonly sent: SentInvitation;
  readonly onClose: () => void;
}

/** Shows the link of an invitation, the only time it is known, and the state of its mail. */
export function SentDialog({ sent: { invitation, link }, onClose }: SentDialogProps) {
  const { queries } = useData();
  const listed = useQuery(queries.invitations).data?.invitations;
  const current = listed?.find(({ inviteId }) => inviteId === invitation.inviteId) ?? invitation;
  return (
    <OnceDialog title={`Invitation for ${invitation.email}`} onClose={onClose}>
      <MailNote invitation={current} />
      <CopiedText label="Link, shown only now" text={link} copy="Copy link">
        Anybody who has the link can sign up as {invitation.email}. Give it only to that person. The address
        stays unconfirmed until a mail reaches it.
      </CopiedText>
    </OnceDialog>
  );
}

function MailNote({ invitation: { email, mail, mailProblem } }: { readonly invitation: ListedInvitation }) {
  if (mail === 'failed')
    return (
      <Note tone="bad" role="status">
        <Glyph tone="bad" size={13} />
        <div>The mail was not sent. {mailProblem}</div>
      </Note>
    );
  const text = {
    off: 'This console has no mail server, so nothing was mailed. Send the link yourself.',
    sending: `The mail to ${email} is on its way.`,
    sent: `The invitation was mailed to ${email}.`,
  }[mail];
  return (
    <Note tone={mail === 'off' ? 'warn' : 'info'} role="status">
      <Glyph tone={mail === 'off' ? 'warn' : 'info'} size={13} />
      <div>{text}</div>
    </Note>
  );
}
