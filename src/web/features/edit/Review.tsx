import { useState } from 'react';
import type { Cluster } from '../../../contract/clusters.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { comparable } from '../actions/comparable.ts';
import { DiffText } from '../actions/DiffText.tsx';
import { Button } from '../../kit/Button.tsx';
import { Note } from '../../kit/Note.tsx';
import { TextField } from '../../kit/fields.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { WriterNotes } from '../actions/WriterNotes.tsx';
import { toYaml } from '../../yaml/to-yaml.ts';
import { ShownAs } from '../../workspace/use-tool.ts';
import type { DryRunAnswer } from './use-editing.ts';

interface ReviewProps {
  readonly self: ObjectRef;
  readonly tried: DryRunAnswer;
  readonly cluster: Cluster | undefined;
  readonly isBusy: boolean;
  /** @param confirm the cluster's name, typed, where that is asked for */
  readonly onSave: (confirm: string | undefined) => void;
  readonly onBack: () => void;
}

/** The change that saving will make, from the cluster's dry run, and the owners of the changed fields. */
export function Review({ self, tried, cluster, isBusy, onSave, onBack }: ReviewProps) {
  const [typed, setTyped] = useState('');
  const { before, after, owners, isDestructive, mustConfirm } = tried.answer;
  const missing =
    mustConfirm && typed !== cluster?.name ? `Type ${cluster?.name ?? ''} to confirm.` : undefined;
  const save = () => onSave(mustConfirm ? typed : undefined);
  return (
    <section className="flex flex-none flex-col gap-2" aria-label="Review of the changes">
      <h2 className="sr-only">Review of the changes</h2>
      <ShownAs name="text" save={missing === undefined && !isBusy ? save : undefined} />
      {owners.length > 0 && (
        <Note tone="warn">
          <Glyph tone="warn" size={13} />
          <div className="min-w-0 flex-1">
            <b className="font-semibold">Other managers own some of these fields and may set them back:</b>
            <ul>
              {owners.map(({ path, manager }) => (
                <li key={`${path} ${manager}`}>
                  <code>{path}</code> is owned by <b className="font-semibold">{manager}</b>
                </li>
              ))}
            </ul>
          </div>
        </Note>
      )}
      <WriterNotes
        refs={[self]}
        paths={tried.changes.map(({ path }) => path)}
        title="Who writes these fields next"
      />
      {isDestructive && (
        <Note tone="bad">
          <Glyph tone="bad" size={13} />
          <b className="min-w-0 flex-1 font-semibold">
            Saving this ends pods or deletes objects, as shown below.
          </b>
        </Note>
      )}
      <DiffText
        title="What will change"
        before={before === undefined ? '' : toYaml(comparable(before))}
        after={toYaml(comparable(after))}
        same="Nothing visible: the cluster would set it back at once, or only masked values change."
      />
      {mustConfirm && (
        <TextField
          label={`${cluster?.name ?? ''} is protected. Type its name to save.`}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <div className="flex min-w-0 flex-none items-center gap-2">
        <span className="min-w-0 flex-1" />
        <Button variant="secondary" onClick={onBack}>
          Back to editing
        </Button>
        <Button
          variant={isDestructive ? 'danger' : 'primary'}
          isLoading={isBusy}
          loadingText="Saving..."
          reason={missing}
          onClick={save}
        >
          Save
        </Button>
      </div>
    </section>
  );
}
