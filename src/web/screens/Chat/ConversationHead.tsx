import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Conversation, titleLimit } from '../../../contract/chat.ts';
import { useData } from '../../data/port.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';

interface ConversationHeadProps {
  readonly clusterId: number;
  readonly conversation: Conversation;
  readonly onDeleted: () => void;
}

/** What a conversation is called, and what its owner can do with it. */
export function ConversationHead({ clusterId, conversation, onDeleted }: ConversationHeadProps) {
  const { api, queryClient } = useData();
  const [open, setOpen] = useState<'change' | 'delete' | undefined>(undefined);
  const { id, title, team, owner } = conversation;
  const reread = () => queryClient.invalidateQueries({ queryKey: ['chat', clusterId] });
  const close = () => setOpen(undefined);
  return (
    <header className="flex min-w-0 flex-wrap items-center gap-2">
      <h2 className="min-w-0 flex-1 text-lg font-semibold wrap-anywhere">{title}</h2>
      {team !== null && <Badge>Shared with {team.name}</Badge>}
      {owner === null && (
        <>
          <Button size="sm" variant="secondary" onClick={() => setOpen('change')}>
            Rename or share…
          </Button>
          <Button size="sm" variant="secondary" onClick={() => setOpen('delete')}>
            Delete…
          </Button>
        </>
      )}
      {open === 'change' && (
        <ChangeDialog clusterId={clusterId} conversation={conversation} onSaved={reread} onClose={close} />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete “${title}”?`}
          act="Delete"
          acting="Deleting..."
          onConfirm={async () => {
            await api.deleteConversation({ params: { clusterId, conversationId: id } });
            close();
            onDeleted();
            await reread();
          }}
          onClose={close}
        >
          <p>Its questions and answers are deleted for good, for everybody who can read it.</p>
        </ConfirmDialog>
      )}
    </header>
  );
}

interface ChangeDialogProps extends Pick<ConversationHeadProps, 'clusterId' | 'conversation'> {
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

function ChangeDialog({ clusterId, conversation, onSaved, onClose }: ChangeDialogProps) {
  const { api, queries } = useData();
  const teams = useQuery(queries.teams);
  const [title, setTitle] = useState(conversation.title);
  const [team, setTeam] = useState(String(conversation.team?.id ?? ''));
  const form = useForm(async () => {
    await api.changeConversation({
      params: { clusterId, conversationId: conversation.id },
      body: { title, teamId: team === '' ? null : Number(team) },
    });
    await onSaved();
    onClose();
  });
  return (
    <FormDialog
      title="Rename or share"
      form={form}
      isChanged={title !== conversation.title || team !== String(conversation.team?.id ?? '')}
      act="Save"
      acting="Saving..."
      reason={title.trim() === '' ? 'A conversation needs a name.' : undefined}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={titleLimit}
        autoComplete="off"
        value={title}
        error={form.issue('title')}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Select
        label="Shared with"
        help="Its members can read it, but see only answers about objects that they may view at that moment."
        options={[
          { value: '', label: 'Nobody' },
          ...(teams.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={team}
        error={form.issue('teamId')}
        isLoading={teams.isPending}
        onChange={setTeam}
      />
    </FormDialog>
  );
}
