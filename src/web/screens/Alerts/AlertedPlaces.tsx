import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AlertEvent, alertEvents } from '../../../contract/alert-events.ts';
import type { Follow } from '../../../contract/notifications.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { followedName } from '../../features/notifications/notification-work.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { TextField } from '../../kit/fields.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';

const titles: Readonly<Record<AlertEvent, string>> = {
  'workload.trouble': 'A workload or another object fails',
  'node.not_ready': 'A node is not ready',
  'job.failed': 'A job failed',
  'rollout.failed': 'A rollout failed',
  'certificate.ending': 'A certificate ends soon',
  'cluster.unreachable': 'The cluster is unreachable',
};
const everyEvent = Object.keys(alertEvents) as AlertEvent[];

/** Clusters and namespaces whose new trouble alerts the person, and a form for another one. */
export function AlertedPlaces({ follows }: { readonly follows: readonly Follow[] }) {
  const { queryClient, queries } = useData();
  const places = follows.filter(({ alerts }) => alerts !== undefined);
  const refresh = () => queryClient.invalidateQueries({ queryKey: queries.follows.queryKey });
  return (
    <>
      {places.length === 0 ? (
        <p className="text-text-2">No cluster alerts you yet.</p>
      ) : (
        <ul className="flex min-w-0 flex-col divide-y divide-hairline" aria-label="Places that alert you">
          {places.map((follow) => (
            <Place key={follow.id} follow={follow} onChanged={refresh} />
          ))}
        </ul>
      )}
      <AddPlace onAdded={refresh} />
    </>
  );
}

/** One place: the trouble that counts there, each kind to be switched at once. */
function Place({ follow, onChanged }: { readonly follow: Follow; readonly onChanged: () => Promise<void> }) {
  const { api } = useData();
  const { cluster, namespace, alerts = [] } = follow;
  const [failure, setFailure] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const name = followedName(follow, cluster.name);
  const title = namespace === undefined ? name : `${name} of ${cluster.name}`;
  const change = (act: () => Promise<unknown>) => {
    setFailure(undefined);
    setBusy(true);
    act()
      .then(onChanged)
      .catch(setFailure)
      .finally(() => setBusy(false));
  };
  const choose = (event: AlertEvent, isIn: boolean) => {
    const chosen = everyEvent.filter((one) => (one === event ? isIn : alerts.includes(one)));
    if (chosen.length === 0) change(() => api.unfollow({ params: { followId: follow.id } }));
    else
      change(() =>
        api.follow({
          params: { clusterId: cluster.id },
          body: { alerts: chosen, ...(namespace === undefined ? {} : { namespace }) },
        }),
      );
  };
  return (
    <li className="flex min-w-0 flex-col gap-1 py-2">
      <div className="flex min-w-0 items-center gap-2">
        <b className="min-w-0 flex-1 font-semibold wrap-anywhere">{title}</b>
        <Button
          size="sm"
          variant="secondary"
          aria-label={`End alerts of ${title}`}
          reason={isBusy ? 'The last change is being saved.' : undefined}
          onClick={() => change(() => api.unfollow({ params: { followId: follow.id } }))}
        >
          End
        </Button>
      </div>
      <ErrorAlert error={failure} />
      <FieldGroup label={`Trouble that counts: ${title}`} className="narrow:gap-0">
        {everyEvent.map((event) => (
          <CheckLine
            key={event}
            className="min-w-0 py-0.5 whitespace-normal narrow:min-h-9"
            checked={alerts.includes(event)}
            disabled={isBusy}
            onChange={({ target }) => choose(event, target.checked)}
          >
            {titles[event]}
          </CheckLine>
        ))}
      </FieldGroup>
    </li>
  );
}

function AddPlace({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const { api, queries } = useData();
  const { services } = useCommands();
  const clusters = useQuery(queries.clusters).data ?? [];
  const [chosen, setChosen] = useState('');
  const [namespace, setNamespace] = useState('');
  const clusterId = chosen === '' ? clusters[0]?.id : Number(chosen);
  const form = useForm(async () => {
    if (clusterId === undefined) return;
    const place = namespace.trim();
    const follow = await api.follow({
      params: { clusterId },
      body: { alerts: everyEvent, ...(place === '' ? {} : { namespace: place }) },
    });
    setNamespace('');
    await onAdded();
    services.toast.success(`You are alerted when something new fails`, {
      detail: followedName(follow, follow.cluster.name),
    });
  });
  if (clusters.length === 0) return null;
  return (
    <form className="flex flex-wrap items-end gap-2" aria-label="Another place" onSubmit={form.submit}>
      <Select
        label="Cluster"
        options={clusters.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(clusterId ?? '')}
        onChange={setChosen}
      />
      <TextField
        label="Namespace (all without one)"
        value={namespace}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={63}
        error={form.issue('namespace')}
        onChange={({ target }) => setNamespace(target.value)}
      />
      <Button type="submit" variant="secondary" isLoading={form.isBusy} loadingText="Saving...">
        Alert me
      </Button>
      <ErrorAlert error={form.failure} />
    </form>
  );
}
