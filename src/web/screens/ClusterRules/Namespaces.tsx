import { useState } from 'react';
import { useForm } from '../../kit/use-form.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { TextField } from '../../kit/fields.tsx';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { namespacesIn } from '../namespace-names.ts';

/** The namespaces that are read one by one where the console's credential may not list the whole cluster. */
export function Namespaces({
  saved,
  save,
}: {
  readonly saved: readonly string[];
  /** Throws Problem, whose issues name the namespace that cannot be one. */
  readonly save: (namespaces: readonly string[]) => Promise<void>;
}) {
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const text = draft ?? saved.join(' ');
  const names = namespacesIn(text);
  const form = useForm(async () => {
    await save(names);
    setDraft(undefined);
  });
  const wrong = names.findIndex((_, index) => form.issue(`namespaces.${index}`) !== undefined);
  const issue =
    wrong === -1
      ? form.issue('namespaces')
      : `“${names[wrong]}” cannot be a namespace. ${form.issue(`namespaces.${wrong}`)}`;
  return (
    <form className="grid gap-2" onSubmit={form.submit}>
      <TextField
        label="Namespaces to watch"
        value={text}
        error={issue}
        help="Where the console's credential may not list the whole cluster, these namespaces are read one by one, in addition to those that the credential can read. Separate them by spaces."
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setDraft(target.value)}
      />
      <ErrorAlert error={form.failure} />
      <SaveRow form={form} variant="secondary" isChanged={names.join(' ') !== saved.join(' ')}>
        Save namespaces
      </SaveRow>
    </form>
  );
}
