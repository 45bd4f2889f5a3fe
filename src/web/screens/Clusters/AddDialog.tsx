import { useState } from 'react';
import type { Cluster, KubeconfigContext } from '../../../contract/clusters.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { PlanNote } from '../../features/subscription/PlanNote.tsx';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { batchMessage, withAdded } from './batch.ts';
import { ContextRow, type Entry } from './ContextRow.tsx';
import { KubeconfigField } from './KubeconfigField.tsx';
import { useContexts } from './use-contexts.ts';

interface AddDialogProps {
  /** A kubeconfig that was dropped on the page. */
  readonly initial: string;
  readonly onClose: () => void;
}

/** The clusters that could not be added, and why: what failed, or a text of a line each. */
interface Failure {
  /** Absent where nothing was added: the errors say so. */
  readonly title?: string;
  readonly error: unknown;
}

/** Adds the clusters of a kubeconfig: shows its contexts, which of them can be added, and lets each be named. */
export function AddDialog({ initial, onClose }: AddDialogProps) {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  const [text, setText] = useState(initial);
  const { contexts, isReading, error } = useContexts(text);
  // The person's changes, by context; all other values follow from the file.
  const [changes, setChanges] = useState<Readonly<Record<string, Partial<Entry>>>>({});
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | undefined>(undefined);

  const entryOf = (context: KubeconfigContext): Entry => ({
    isChosen: context.problem === undefined && (contexts.length === 1 || context.isCurrent),
    name: context.name,
    description: '',
    ...changes[context.name],
  });
  const addable = contexts.filter((context) => context.problem === undefined);
  const chosen = addable.filter((context) => entryOf(context).isChosen);
  const nameless = chosen.some((context) => entryOf(context).name.trim() === '');

  const add = async () => {
    const inputs = chosen.map((context) => {
      const { name, description } = entryOf(context);
      return {
        name: name.trim(),
        description: description.trim(),
        kubeConfigContent: text,
        context: context.name,
      };
    });
    const [only] = inputs;
    if (only === undefined) return;
    if (inputs.length === 1) {
      const cluster = await api.addCluster({ body: only });
      append([cluster]);
      services.toast.success('Cluster added', { detail: cluster.name });
      onClose();
      return;
    }
    const { results, errors } = await api.addClusters({ body: { clusters: inputs } });
    const message = batchMessage({ added: results.length, asked: inputs.length, errors });
    if (results.length > 0) append(results);
    if (!message.isSuccess) {
      setFailure({ error: message.text });
      return;
    }
    services.toast.success(message.text);
    if (errors.length === 0) {
      onClose();
      return;
    }
    // Those that were added are done with; the others stay, with their errors.
    const done = new Set(results.map((cluster) => cluster.name));
    const rest: Record<string, Partial<Entry>> = { ...changes };
    for (const context of chosen) {
      if (done.has(entryOf(context).name.trim()))
        rest[context.name] = { ...rest[context.name], isChosen: false };
    }
    setChanges(rest);
    setFailure({ title: 'Some clusters were not added.', error: errors.join('\n') });
  };
  const append = (added: readonly Cluster[]) => {
    queryClient.setQueryData(queries.clusters.queryKey, (known) => [...withAdded(known ?? [], added)]);
    void queryClient.invalidateQueries({ queryKey: queries.clusters.queryKey });
  };
  const submit = () => {
    setBusy(true);
    setFailure(undefined);
    add()
      .catch((reason: unknown) => setFailure({ error: reason }))
      .finally(() => setBusy(false));
  };

  return (
    <Dialog
      title="Add clusters"
      width="wide"
      isSticky={text !== ''}
      onClose={onClose}
      footer={
        <>
          <span className="text-text-3">
            {contexts.length > 0 && `${chosen.length} of ${addable.length} chosen`}
            {isReading && ' Loading the kubeconfig…'}
          </span>
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            isLoading={isBusy}
            loadingText="Adding..."
            onClick={submit}
            reason={
              chosen.length === 0
                ? 'Choose at least one context.'
                : nameless
                  ? 'Each cluster needs a name.'
                  : undefined
            }
          >
            {chosen.length > 1 ? `Add ${chosen.length} clusters` : 'Add cluster'}
          </Button>
        </>
      }
    >
      <ErrorAlert
        error={failure?.error}
        {...(failure?.title === undefined ? {} : { title: failure.title })}
      />
      {failure === undefined && <PlanNote of="clusters" />}
      <KubeconfigField value={text} onChange={setText} error={error} />
      {contexts.length > 0 && (
        <FieldGroup label={contexts.length === 1 ? 'Its context' : `Its ${contexts.length} contexts`}>
          {contexts.map((context) => (
            <ContextRow
              key={context.name}
              context={context}
              entry={entryOf(context)}
              onChange={(change) =>
                setChanges((known) => ({ ...known, [context.name]: { ...known[context.name], ...change } }))
              }
            />
          ))}
        </FieldGroup>
      )}
    </Dialog>
  );
}
