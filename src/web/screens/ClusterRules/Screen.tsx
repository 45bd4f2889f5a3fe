import { useMutation, useMutationState, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { GlobalSettings, GlobalSettingsChange } from '../../../contract/cluster-settings.ts';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { ScreenPending } from '../../kit/ScreenPending.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { ClusterSettingsPage } from '../../frame/ClusterSettingsPage.tsx';
import { ActingRole } from './ActingRole.tsx';
import { ChatChoice } from './ChatChoice.tsx';
import { ExcludedForAll } from './ExcludedForAll.tsx';
import { Identity, identityKey } from './Identity.tsx';
import { PasskeyReadiness } from './PasskeyReadiness.tsx';
import { Namespaces } from './Namespaces.tsx';
import { SourceOfMetrics } from './SourceOfMetrics.tsx';

/** The settings that are switches. */
type Rule = {
  [K in keyof GlobalSettings]: GlobalSettings[K] extends boolean ? K : never;
}[keyof GlobalSettings];

interface RuleChange {
  readonly name: Rule;
  readonly isOn: boolean;
}

const rules: readonly {
  readonly name: Rule;
  readonly label: string;
  readonly help: string;
}[] = [
  {
    name: 'isProtected',
    label: 'Protected',
    help: 'Actions and edits that end pods or delete objects ask for the cluster’s name first.',
  },
  {
    name: 'isPasskeyRequired',
    label: 'Passkey for dangerous actions',
    help: 'Deleting a node or namespace, draining a node, rolling back or uninstalling a Helm release, opening a shell and revealing a Secret each ask for a passkey. API tokens cannot do these then. Switching this on or off takes a passkey; it can be switched on once everybody who may do these has one.',
  },
  {
    name: 'isReadOnly',
    label: 'Read-only',
    help: 'Nobody can change anything on this cluster from this console. Shells are off too.',
  },
  {
    name: 'isShellAllowed',
    label: 'Shells allowed',
    help: 'People who may manage pods can open a shell in a container or attach to it. When switched off, open shells end at once.',
  },
  {
    name: 'isShellRecorded',
    label: 'Shells recorded',
    help: 'Records the output of shells. Owners can replay it. Keystrokes are recorded only as far as the shell shows them. People are told before they open a shell and while it is open. When switched on, open shells without a recording end at once; when switched off, those that are recorded stay so until they end.',
  },
  {
    name: 'isImpersonating',
    label: 'Act as the person',
    help: 'Changes, shells and checks of YAML reach the cluster as the person who makes them: as wheelhouse:user:ID, with a group wheelhouse:team:NAME-ID for each of their teams. The RBAC of the cluster then decides as well, and its audit log names the person. What people see is still read with the console’s credential, within their permissions here. That credential needs the right to act as people: apply the role below.',
  },
];

/** `/clusters/:clusterId/settings/global`: what an Owner decides for everybody on a cluster. */
export function Screen({ params, command }: ScreenProps) {
  const { services } = useCommands();
  const { api, queryClient, queries } = useData();
  const clusterId = Number(params.clusterId);
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => id === clusterId);
  const settings = useQuery(queries.globalSettings(clusterId));
  const [failure, setFailure] = useState<unknown>(undefined);
  const helpId = useId();

  const change = async (changed: Partial<GlobalSettingsChange>) => {
    const { queryKey } = queries.globalSettings(clusterId);
    const current = queryClient.getQueryData(queryKey);
    if (current === undefined) return;
    const { isProtected, isReadOnly, isShellAllowed } = current;
    const saved = await api.saveGlobalSettings({
      params: { clusterId },
      // What is not changed here is not sent: somebody else may have changed it meanwhile.
      body: { isProtected, isReadOnly, isShellAllowed, ...changed },
    });
    queryClient.setQueryData(queryKey, saved);
    void queryClient.invalidateQueries({ queryKey: queries.clusters.queryKey, exact: true });
  };

  const mutationKey = ['rules', clusterId];
  const { mutate: save } = useMutation({
    mutationKey,
    // Rules are saved one after the other: a press during a save is the next one.
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ name, isOn }: RuleChange) => change({ [name]: isOn }),
    onMutate: () => setFailure(undefined),
    onSuccess: (_, { name, isOn }) => {
      const rule = rules.find((one) => one.name === name);
      services.toast.success(`${rule?.label ?? 'Rule'}: ${isOn ? 'on' : 'off'}`, {
        detail: cluster?.name ?? '',
      });
    },
    onError: (error) => {
      setFailure(error);
      void queryClient.invalidateQueries({ queryKey: queries.passkeyReadiness(clusterId).queryKey });
    },
  });
  const unsaved = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as RuleChange,
  });
  return (
    <ClusterSettingsPage
      command={command}
      clusterId={clusterId}
      about={({ name }) => `Settings that apply to everybody on ${name}`}
      mode="RULES"
    >
      <ErrorAlert
        isDetailed
        error={failure ?? settings.error}
        {...(failure === undefined ? { onRetry: () => void settings.refetch() } : {})}
      />
      {settings.data === undefined ? (
        !settings.isError && <ScreenPending isFramed />
      ) : (
        <SetList>
          <SetCard label="Rules">
            {rules.map(({ name, label, help }) => {
              const pending = unsaved.findLast((one) => one.name === name);
              return (
                <div key={name} className="not-first:mt-3">
                  <CheckLine
                    checked={pending?.isOn ?? settings.data[name]}
                    aria-busy={pending !== undefined}
                    aria-describedby={`${helpId}${name}`}
                    onChange={({ target }) => save({ name, isOn: target.checked })}
                  >
                    <b className="font-semibold">{label}</b>
                  </CheckLine>
                  {pending !== undefined && <span className="ml-2 text-text-3">Saving…</span>}
                  <p className="mt-0.5 ml-6 text-text-2" id={`${helpId}${name}`}>
                    {help}
                  </p>
                  {name === 'isPasskeyRequired' && <PasskeyReadiness clusterId={clusterId} />}
                  {name === 'isImpersonating' && <ActingRole version={cluster?.state.version} />}
                </div>
              );
            })}
          </SetCard>
          <Identity
            key={identityKey(settings.data)}
            saved={settings.data}
            save={async (identity) => {
              await change(identity);
              services.toast.success('Cluster saved', { detail: identity.name });
            }}
          />
          <SetCard title="Namespaces">
            <Namespaces
              saved={settings.data.namespaces}
              save={async (namespaces) => {
                await change({ namespaces: [...namespaces] });
                services.toast.success('Namespaces saved', { detail: cluster?.name ?? '' });
              }}
            />
          </SetCard>
          <ExcludedForAll
            key={settings.data.excludedNamespaces.join(' ')}
            cluster={{ id: clusterId, name: settings.data.name }}
            saved={settings.data.excludedNamespaces}
            save={async (names) => {
              await change({ excludedNamespaces: [...names] });
              services.toast.success('Excluded for everybody', {
                detail: names.length === 0 ? 'No namespace.' : names.join(', '),
              });
            }}
          />
          <ChatChoice
            saved={settings.data.chatMode}
            save={async (chatMode) => {
              await change({ chatMode });
              await queryClient.invalidateQueries({ queryKey: queries.chat(clusterId).queryKey });
              services.toast.success('Chat saved', { detail: cluster?.name ?? '' });
            }}
          />
          <SourceOfMetrics
            key={JSON.stringify(settings.data.metrics)}
            saved={settings.data.metrics}
            test={(metrics) => api.testMetricsSource({ params: { clusterId }, body: { metrics } })}
            save={async (metrics) => {
              await change({ metrics });
              await queryClient.invalidateQueries({ queryKey: ['stored-usage', clusterId] });
              services.toast.success('Source of metrics saved', { detail: cluster?.name ?? '' });
            }}
          />
        </SetList>
      )}
    </ClusterSettingsPage>
  );
}
