import { InvitePage } from './InvitePage.tsx';

/** `/invite-not-found` */
export function Screen() {
  return (
    <InvitePage
      title="This invitation does not exist any more."
      text="It was withdrawn, has expired or was already used. Ask an Owner of the organisation to invite you again."
    />
  );
}
