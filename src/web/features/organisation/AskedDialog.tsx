import type { SentInvitation } from '../../../contract/invitations.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { rereadOrganisation } from '../../data/reread-organisation.ts';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { askedActs } from './asked-acts.ts';
import { type OrganisationDialog, useOrganisation } from './port.ts';

interface AskedDialogProps {
  readonly asked: Extract<OrganisationDialog, { readonly type: 'ask' }>;
  readonly onClose: () => void;
}

/** Asks before a membership or an invitation is changed, and does it. */
export function AskedDialog({ asked: { act, id, name }, onClose }: AskedDialogProps) {
  const { registry, services } = useCommands();
  const data = useData();
  const { dialog } = useOrganisation();
  const { api, queryClient, queries } = data;
  const question = askedActs[act];
  const forget = () => {
    // Whoever is no longer in the list is not read again.
    queryClient.setQueryData(queries.members.queryKey, (known) =>
      known?.filter(({ userId }) => userId !== id),
    );
    const { pathname } = new URL(services.workspace.href(), location.origin);
    if (pathname === registry.href('members.one', { userId: String(id) }))
      services.workspace.open(registry.href('members'));
  };
  return (
    <ConfirmDialog
      title={question.title(name)}
      act={question.act}
      isMild={question.isMild === true}
      acting={question.acting}
      onClose={onClose}
      onConfirm={async () => {
        const made = await question.make(api, id);
        if (act === 'remove') forget();
        onClose();
        // Its link is shown where no mail was sent.
        if (act === 'resend') dialog.set({ type: 'sent', sent: made as SentInvitation });
        services.toast.success(question.done(name));
        await rereadOrganisation(data);
      }}
    >
      <p>{question.text}</p>
    </ConfirmDialog>
  );
}
