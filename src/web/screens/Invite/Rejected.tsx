import { InvitePage } from './InvitePage.tsx';

/** `/invite-rejected` */
export function Screen() {
  return (
    <InvitePage
      title="You declined this invitation."
      text="If that was a mistake, ask an Owner of the organisation to invite you again."
    />
  );
}
