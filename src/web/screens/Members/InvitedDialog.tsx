import type { InviteOutcome } from '../../../contract/invitations.ts';
import { counted } from '../../../registry/counted.ts';
import { Badge } from '../../kit/Badge.tsx';
import { CopiedText } from '../../kit/CopiedText.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { OnceDialog } from '../../kit/OnceDialog.tsx';
import { PlansButton } from '../../kit/PlansButton.tsx';

interface InvitedDialogProps {
  /** In the order in which the addresses were given. */
  readonly outcomes: readonly InviteOutcome[];
  readonly onClose: () => void;
}

/** Shows the outcome for each of several addresses, and the links of those that no mail brings, the only time they are known. */
export function InvitedDialog({ outcomes, onClose }: InvitedDialogProps) {
  const sent = outcomes.flatMap((one) => (one.sent === undefined ? [] : [one.sent]));
  const byHand = sent.filter(({ invitation }) => invitation.mail === 'off' || invitation.mail === 'failed');
  const refused = outcomes.filter(({ result }) => result !== 'invited');
  return (
    <OnceDialog title={`${sent.length} of ${counted(outcomes.length, 'address')} invited`} onClose={onClose}>
      {byHand.length < sent.length && (
        <Note tone="info" role="status">
          <Glyph tone="info" size={13} />
          <div>
            The mails are on their way. The invitations below the members say for each whether it was mailed.
          </div>
        </Note>
      )}
      {byHand.length > 0 && (
        <>
          <Note tone="warn" role="status">
            <Glyph tone="warn" size={13} />
            <div>
              {byHand.some(({ invitation }) => invitation.mail === 'failed')
                ? 'Some invitations could not be mailed. Send their links yourself.'
                : 'This console has no mail server, so nothing was mailed. Send the links yourself.'}
            </div>
          </Note>
          <CopiedText
            label="Links, shown only now"
            text={byHand.map(({ invitation, link }) => `${invitation.email} ${link}`).join('\n')}
            copy="Copy all links"
          >
            Anybody who has a link can sign up as its address. Give each one only to its person.
          </CopiedText>
        </>
      )}
      {refused.length > 0 && (
        <CopiedText
          label="Not invited"
          text={refused.map(({ email }) => email).join('\n')}
          copy="Copy these addresses"
        />
      )}
      {refused.some(({ result }) => result === 'no-seat') && (
        <div>
          <PlansButton />
        </div>
      )}
      <ul aria-label="Outcomes" className="flex min-w-0 flex-col divide-y divide-hairline">
        {outcomes.map(({ email, result, problem }, index) => (
          <li key={`${email} ${index}`} className="flex min-w-0 items-center gap-2 py-1.5">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {email}
              {problem !== '' && <span className="block text-xs text-text-3">{problem}</span>}
            </span>
            <Badge tone={result === 'invited' ? 'ok' : 'warn'}>
              {result === 'invited' ? 'Invited' : 'Not invited'}
            </Badge>
          </li>
        ))}
      </ul>
    </OnceDialog>
  );
}
