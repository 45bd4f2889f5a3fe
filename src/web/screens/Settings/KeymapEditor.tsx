import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { KeyOverride } from '../../../contract/keymap.ts';
import { readKeymap } from '../../../registry/keys/keymap-check.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Note } from '../../kit/Note.tsx';
import { FieldHelp, fieldLook, labelLook } from '../../kit/fields.tsx';
import { TextArea } from '../../kit/input.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { useHeld } from '../../workspace/use-held.ts';
import { useForm } from '../../kit/use-form.ts';
import { KeyTable } from './KeyTable.tsx';
import { keymapText } from './rebind.ts';

const tones = { error: 'bad', warning: 'warn', info: 'idle' } as const;
const noOverrides: readonly KeyOverride[] = [];

/** The person's own keys: a table of every command, and the same as JSON. Saved, they hold in every page of theirs. */
export function KeymapEditor() {
  const { registry, services } = useCommands();
  const { queries, api, queryClient } = useData();
  const id = useId();
  const userId = useQuery(queries.session).data?.id ?? 0;
  const query = queries.keymap(userId);
  const stored = useQuery({ ...query, enabled: userId !== 0 });
  const saved = stored.data ?? noOverrides;
  /** The edited text, and the saved one when editing began; undefined while nothing is edited. */
  const [draft, setDraft] = useState<{ readonly text: string; readonly over: string } | undefined>(undefined);
  useHeld(draft === undefined ? undefined : 'keys that are not saved');
  const savedText = keymapText(saved);
  const text = draft?.text ?? savedText;
  const { keymap, notes } = readKeymap(text, registry.commands);
  const write = (next: string) =>
    setDraft(next === savedText ? undefined : { text: next, over: draft?.over ?? savedText });
  const form = useForm(async () => {
    if (keymap === undefined) return;
    const answer = await api.saveKeymap({ body: { keymap: [...keymap] } });
    await queryClient.cancelQueries({ queryKey: query.queryKey });
    queryClient.setQueryData(query.queryKey, answer.keymap);
    // Keys that were changed in the table meanwhile are not saved yet.
    setDraft((now) =>
      now === draft || now === undefined ? undefined : { ...now, over: keymapText(answer.keymap) },
    );
    services.toast.success('Keys saved', { detail: 'They apply to all your open pages.' });
  });

  if (stored.isError && stored.data === undefined)
    return (
      <ErrorAlert
        title="Your keys could not be loaded."
        error={stored.error}
        onRetry={() => void stored.refetch()}
        isRetrying={stored.isFetching}
      />
    );
  const reason =
    draft === undefined
      ? 'Nothing is changed.'
      : keymap === undefined
        ? 'Fix the keymap before you save it.'
        : undefined;
  return (
    <form className="flex flex-col gap-2.5" onSubmit={form.submit}>
      <KeyTable
        keymap={keymap ?? saved}
        onChange={(next) => write(keymapText(next))}
        isLocked={keymap === undefined}
      />
      <div className={fieldLook}>
        <label htmlFor={id} className={labelLook}>
          Your keys as JSON
        </label>
        <TextArea
          id={id}
          isInvalid={keymap === undefined}
          rows={Math.min(14, Math.max(5, text.split('\n').length + 1))}
          spellCheck={false}
          value={text}
          aria-describedby={`${id}-help ${id}-notes`}
          onChange={(event) => write(event.target.value)}
        />
        <FieldHelp id={`${id}-help`}>
          Each entry has <code>keys</code> (like <code>mod+e</code> or <code>g p</code>; mod is Ctrl, Cmd on a
          Mac), a <code>command</code> or null to take the keys away, and if you like a <code>when</code>.
          Later entries win, and all of them win over the defaults.
        </FieldHelp>
      </div>
      <ul className="flex flex-col gap-1" id={`${id}-notes`} aria-label="About these keys" aria-live="polite">
        {notes.map((note) => (
          <li key={`${note.line} ${note.text}`} className="flex gap-1.5 text-text-2 *:[svg]:mt-0.75">
            <Glyph tone={tones[note.level]} size={12} />
            {note.text}
          </li>
        ))}
      </ul>
      <ErrorAlert title="Your keys were not saved." error={form.failure ?? form.issue('keymap')} />
      {draft !== undefined && draft.over !== savedText && (
        <Note tone="warn">
          <Glyph tone="warn" size={13} />
          Your keys were changed in another page meanwhile. Saving replaces them with these.
        </Note>
      )}
      <div className="flex min-w-0 items-center gap-2">
        <Button type="submit" isLoading={form.isBusy} loadingText="Saving..." reason={reason}>
          Save keys
        </Button>
        <Button variant="secondary" disabled={draft === undefined} onClick={() => setDraft(undefined)}>
          Discard changes
        </Button>
      </div>
    </form>
  );
}
