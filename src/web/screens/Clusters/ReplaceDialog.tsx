import { useState } from 'react';
import type { Cluster } from '../../../contract/clusters.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Select } from '../../kit/Select.tsx';
import { KubeconfigField } from './KubeconfigField.tsx';
import { useContexts } from './use-contexts.ts';

interface ReplaceDialogProps {
  readonly cluster: Cluster;
  readonly onClose: () => void;
}

/** Gives a cluster another kubeconfig; its id, and with it every link and grant, stays. */
export function ReplaceDialog({ cluster, onClose }: ReplaceDialogProps) {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  const [text, setText] = useState('');
  const { contexts, isReading, error } = useContexts(text);
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const addable = contexts.filter((context) => context.problem === undefined);
  const chosen =
    addable.find((context) => context.name === picked) ??
    addable.find((context) => context.isCurrent) ??
    addable[0];
  const problems = contexts.flatMap((context) =>
    context.problem === undefined ? [] : [`${context.name}: ${context.problem}`],
  );

  const submit = () => {
    if (chosen === undefined) return;
    setBusy(true);
    setFailure(undefined);
    api
      .replaceKubeconfig({
        params: { clusterId: cluster.id },
        body: { kubeConfigContent: text, context: chosen.name },
      })
      .then((changed) => {
        queryClient.setQueryData(queries.clusters.queryKey, (known) =>
          known?.map((one) => (one.id === changed.id ? changed : one)),
        );
        services.toast.success('Kubeconfig replaced', { detail: cluster.name });
        onClose();
      })
      .catch((reason: unknown) => setFailure(reason))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog
      title={`Replace the kubeconfig of ${cluster.name}`}
      width="wide"
      isSticky={text !== ''}
      onClose={onClose}
      footer={
        <>
          <span className="text-text-3">{isReading && 'Loading the kubeconfig…'}</span>
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            isLoading={isBusy}
            loadingText="Replacing..."
            onClick={submit}
            reason={chosen === undefined ? 'Paste a kubeconfig with a context that can be used.' : undefined}
          >
            Replace
          </Button>
        </>
      }
    >
      <ErrorAlert error={failure} />
      <KubeconfigField
        value={text}
        onChange={setText}
        error={error ?? (addable.length === 0 && problems.length > 0 ? problems.join('\n') : undefined)}
      />
      {addable.length > 0 && (
        <Select
          label="Context"
          value={chosen?.name ?? ''}
          options={addable.map(({ name, server }) => ({ value: name, label: `${name} (${server})` }))}
          onChange={setPicked}
        />
      )}
    </Dialog>
  );
}
