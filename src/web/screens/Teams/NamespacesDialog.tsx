import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Team, TeamCluster } from '../../../contract/teams.ts';
import { sentenceOf } from '../../../registry/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { namespacesText } from '../../data/restriction.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { useForm } from '../../kit/use-form.ts';
import { namespacesIn } from '../namespace-names.ts';
import { useReread } from '../use-change.ts';

interface NamespacesDialogProps {
  readonly team: Team;
  readonly cluster: TeamCluster;
  readonly onClose: () => void;
}

/** Asks which namespaces of a cluster a team reaches: all of them, or some by name. */
export function NamespacesDialog({ team, cluster, onClose }: NamespacesDialogProps) {
  const { services } = useCommands();
  const { api, queries } = useData();
  const reread = useReread();
  const known = useQuery(queries.namespaces(cluster.id));
  const [isRestricted, setRestricted] = useState(cluster.namespaces !== null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(cluster.namespaces ?? []));
  const [typed, setTyped] = useState('');
  const offered = [...new Set([...(known.data ?? []).map(({ name }) => name), ...chosen])].sort();
  const named = [...new Set([...chosen, ...namespacesIn(typed)])].sort();
  const namespaces = isRestricted ? named : null;
  const form = useForm(async () => {
    await api.addTeamCluster({
      params: { teamId: team.id },
      body: { clusterId: String(cluster.id), namespaces },
    });
    await reread();
    services.toast.success(`${team.name} reaches ${cluster.name}`, { detail: namespacesText(namespaces) });
    onClose();
  });
  const wrong = named.findIndex((_, index) => form.issue(`namespaces.${index}`) !== undefined);
  const issue =
    wrong === -1
      ? form.issue('namespaces')
      : `“${named[wrong] ?? ''}” cannot be a namespace. ${form.issue(`namespaces.${wrong}`) ?? ''}`;
  const isChanged = JSON.stringify(namespaces) !== JSON.stringify(cluster.namespaces);
  const reason = isRestricted && named.length === 0 ? 'Choose a namespace first.' : undefined;
  const toggle = (name: string, isChosen: boolean) =>
    setChosen(new Set(isChosen ? [...chosen, name] : [...chosen].filter((one) => one !== name)));
  return (
    <Dialog
      title={`What ${team.name} reaches of ${cluster.name}`}
      isSticky={isChanged}
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1" />
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            acts
            type="submit"
            form="namespaces-form"
            isLoading={form.isBusy}
            loadingText="Saving..."
            reason={reason ?? (isChanged ? undefined : 'Nothing is changed.')}
          >
            Save
          </Button>
        </>
      }
    >
      <form id="namespaces-form" className={formLook} onSubmit={form.submit}>
        <ErrorAlert message={form.error} />
        <CheckLine checked={isRestricted} onChange={({ target }) => setRestricted(target.checked)}>
          Only some namespaces
        </CheckLine>
        <p className="text-text-2">
          {isRestricted
            ? 'Its members see these namespaces and what is in them: no nodes, volumes or other objects of the cluster itself. What they have open elsewhere ends at once.'
            : 'Its members reach every namespace, those to come and the objects of the cluster itself included.'}
        </p>
        {isRestricted && (
          <>
            <ErrorAlert
              title={`Could not load the namespaces of ${cluster.name}.`}
              message={known.isError ? sentenceOf(known.error) : undefined}
              onRetry={() => void known.refetch()}
              isRetrying={known.isFetching}
            />
            {offered.length > 0 && (
              <FieldGroup label="Namespaces">
                <div className="flex max-h-56 flex-col gap-0.5 overflow-y-auto rounded-sm border border-border px-2 py-1">
                  {offered.map((name) => (
                    <CheckLine
                      key={name}
                      className="narrow:min-h-9"
                      checked={chosen.has(name)}
                      onChange={({ target }) => toggle(name, target.checked)}
                    >
                      <span className="wrap-anywhere whitespace-normal">{name}</span>
                    </CheckLine>
                  ))}
                </div>
              </FieldGroup>
            )}
            <TextField
              label="More namespaces"
              value={typed}
              error={issue}
              help="By name, separated by spaces: also those that do not exist yet."
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setTyped(target.value)}
            />
          </>
        )}
      </form>
    </Dialog>
  );
}
