import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clusterPermissions, type Permission, permissions } from '../../../contract/permissions.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { lengthText } from '../../frame/access-text.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { namespacesIn } from '../namespace-names.ts';
import { scopeLabel } from '../Tokens/scope-label.ts';
import { useReread } from '../use-change.ts';

interface AskDialogProps {
  /** What to begin with. */
  readonly permissions: readonly Permission[];
  /** Id of the cluster to begin with. */
  readonly clusterId: string | undefined;
  readonly namespace: string | undefined;
  readonly onClose: () => void;
}

const lengths = [15, 30, 60, 120, 240, 480, 1_440].map((minutes) => ({
  value: String(minutes),
  label: lengthText(minutes),
}));

/** Asks what somebody needs where, why and for how long, and puts it to those who decide. */
export function AskDialog({
  permissions: first,
  clusterId: firstCluster,
  namespace,
  onClose,
}: AskDialogProps) {
  const { services } = useCommands();
  const { api, queries } = useData();
  const reread = useReread();
  const reach = useQuery(queries.ownReach);
  const clusters = reach.data ?? [];
  const [chosenCluster, setCluster] = useState(firstCluster);
  const clusterId = chosenCluster ?? (clusters.length === 1 ? String(clusters[0]?.id) : '');
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set(first));
  const [isRestricted, setRestricted] = useState(namespace !== undefined);
  const [typed, setTyped] = useState(namespace ?? '');
  const [reason, setReason] = useState('');
  const [minutes, setMinutes] = useState('60');
  const cluster = clusters.find(({ id }) => String(id) === clusterId);
  const held = new Set(
    (cluster?.permissions ?? []).flatMap((one) => (one.namespaces === null ? [one.name] : [])),
  );
  const offered = permissions.filter(
    (one) => !held.has(one) && !(isRestricted && clusterPermissions.has(one)),
  );
  const asked = offered.filter((one) => chosen.has(one));
  const namespaces = isRestricted ? namespacesIn(typed) : null;
  const form = useForm(async () => {
    await api.askAccess({
      body: {
        clusterId: Number(clusterId),
        permissions: [...asked],
        namespaces: namespaces === null ? null : [...namespaces],
        reason,
        minutes: Number(minutes),
      },
    });
    await reread();
    services.toast.success('Asked for access', {
      detail: 'An Owner or a TeamAdmin of your team decides. You will be notified here.',
    });
    onClose();
  });
  const missing =
    clusterId === ''
      ? 'Choose a cluster first.'
      : asked.length === 0
        ? 'Choose a permission first.'
        : namespaces?.length === 0
          ? 'Name a namespace first.'
          : reason.trim() === ''
            ? 'Say why you need it first.'
            : undefined;
  const toggle = (name: Permission, isIn: boolean) =>
    setChosen(new Set(isIn ? [...chosen, name] : [...chosen].filter((one) => one !== name)));
  return (
    <FormDialog
      title="Ask for temporary access"
      width="wide"
      form={form}
      isChanged={reason !== '' || chosen.size !== first.length}
      act="Ask"
      acting="Asking..."
      reason={missing}
      onClose={onClose}
    >
      <ErrorAlert
        title="Could not load your clusters and permissions."
        error={reach.error}
        onRetry={() => void reach.refetch()}
        isRetrying={reach.isFetching}
      />
      <Select
        label="Cluster"
        required
        options={clusters.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={clusterId}
        isLoading={reach.isPending}
        placeholder="Choose a cluster"
        error={form.issue('clusterId')}
        onChange={setCluster}
      />
      <FieldGroup label="Permissions">
        <div className="grid max-h-64 grid-cols-2 gap-x-4 gap-y-0.5 overflow-y-auto rounded-sm border border-border px-2 py-1 narrow:max-h-none narrow:grid-cols-1">
          {offered.map((name) => (
            <CheckLine
              key={name}
              className="min-w-0 py-0.5 narrow:min-h-9"
              checked={chosen.has(name)}
              onChange={({ target }) => toggle(name, target.checked)}
            >
              <span className="min-w-0 wrap-anywhere whitespace-normal">
                <span className="mono">{name}</span>{' '}
                <span className="block text-text-3">{scopeLabel(name)}</span>
              </span>
            </CheckLine>
          ))}
        </div>
      </FieldGroup>
      <CheckLine checked={isRestricted} onChange={({ target }) => setRestricted(target.checked)}>
        Only in some namespaces
      </CheckLine>
      {isRestricted && (
        <TextField
          label="Namespaces"
          required
          value={typed}
          error={form.issue('namespaces') ?? form.issue('namespaces.0')}
          help="By name, separated by spaces."
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <TextField
        label="Reason"
        required
        maxLength={500}
        value={reason}
        error={form.issue('reason')}
        help="Shown to the person who decides, and kept in the audit."
        autoComplete="off"
        onChange={({ target }) => setReason(target.value)}
      />
      <Select
        label="For how long"
        options={lengths}
        value={minutes}
        error={form.issue('minutes')}
        onChange={setMinutes}
      />
    </FormDialog>
  );
}
