import { useState } from 'react';
import type { SentInvitation } from '../../../contract/invitations.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { rereadOrganisation } from '../../data/reread-organisation.ts';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { isTyped, NameField } from '../../kit/NameField.tsx';
import { askedActs } from './asked-acts.ts';
import { forEachPerson, peopleText } from './for-each-person.ts';
import { type PersonOrInvitation, type OrganisationDialog, useOrganisation } from './port.ts';

interface AskedDialogProps {
  readonly asked: Extract<OrganisationDialog, { readonly type: 'ask' }>;
  readonly onClose: () => void;
}

/** Asks before memberships or an invitation are changed, and does it. */
export function AskedDialog({ asked: { act, about }, onClose }: AskedDialogProps) {
  const { registry, services } = useCommands();
  const data = useData();
  const { dialog } = useOrganisation();
  const [typed, setTyped] = useState('');
  const { api, queryClient, queries } = data;
  const question = askedActs[act];
  const forget = (gone: readonly PersonOrInvitation[]) => {
    const ids = new Set(gone.map(({ id }) => id));
    // Whoever is no longer in the list is not read again.
    queryClient.setQueryData(queries.members.queryKey, (known) =>
      known?.filter(({ userId }) => !ids.has(userId)),
    );
    const { pathname } = new URL(services.workspace.href(), location.origin);
    const isOnPage = gone.some(({ id }) => pathname === registry.href('members.one', { userId: String(id) }));
    if (isOnPage) services.workspace.open(registry.href('members'));
  };
  const confirm = async () => {
    let sent: SentInvitation | undefined;
    const make = async (id: number) => {
      const answer = await question.make(api, id);
      // Its link is shown where no mail was sent.
      if (act === 'resend') sent = answer as SentInvitation;
    };
    const made = await forEachPerson(about, make, { done: question.done, toast: services.toast });
    if (act === 'remove') forget(made);
    onClose();
    if (sent !== undefined) dialog.set({ type: 'sent', sent });
    await rereadOrganisation(data);
  };
  const count = String(about.length);
  const isCounted = question.isCounted === true && about.length > 1;
  return (
    <ConfirmDialog
      title={question.title(peopleText(about))}
      act={question.act}
      isMild={question.isMild === true}
      acting={question.acting}
      reason={isCounted && !isTyped(typed, count) ? 'Type the number of people first.' : undefined}
      field={
        isCounted && (
          <NameField
            label={
              <>
                Type <b>{count}</b>, the number of people, to confirm
              </>
            }
            value={typed}
            onChange={setTyped}
          />
        )
      }
      onClose={onClose}
      onConfirm={confirm}
    >
      {about.length > 1 && <Names about={about} />}
      <p>{question.text}</p>
    </ConfirmDialog>
  );
}

/** Maximum number of names listed. */
const maxListed = 12;

function Names({ about }: { readonly about: readonly PersonOrInvitation[] }) {
  const names = about.slice(0, maxListed).map(({ name }) => name);
  const left = about.length - names.length;
  return (
    <p className="font-medium wrap-anywhere">
      {names.join(', ')}
      {left > 0 && ` and ${left} more`}
    </p>
  );
}
