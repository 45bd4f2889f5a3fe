import { useState } from 'react';
import type { MetricsSource, MetricsSourceChange } from '../../../contract/metrics-source.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Select } from '../../kit/Select.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';
import { changeOf, draftOf, type MetricsDraft, reasonAgainst } from './metrics-draft.ts';
import { AddressFields, ServiceFields } from './MetricsFields.tsx';

const sources: readonly { readonly value: MetricsSource['from']; readonly label: string }[] = [
  { value: 'metrics.k8s.io', label: 'metrics.k8s.io of the cluster' },
  { value: 'service', label: 'A Prometheus in the cluster' },
  { value: 'url', label: 'A Prometheus at an address' },
];

interface SourceOfMetricsProps {
  readonly saved: MetricsSource;
  /** Throws Problem, whose issues name the fields. */
  readonly save: (metrics: MetricsSourceChange) => Promise<void>;
  /** Asks the source as it is entered. Throws Problem likewise. */
  readonly test: (
    metrics: MetricsSourceChange,
  ) => Promise<{ readonly isWorking: boolean; readonly message: string }>;
}

/** Where the usage of a cluster is read. */
export function SourceOfMetrics({ saved, save, test }: SourceOfMetricsProps) {
  const [draft, setDraft] = useState<MetricsDraft>(draftOf(saved));
  const [told, setTold] = useState<Awaited<ReturnType<typeof test>> | undefined>(undefined);
  const change = (changed: Partial<MetricsDraft>) => {
    setDraft({ ...draft, ...changed });
    setTold(undefined);
  };
  const form = useForm(() => save(changeOf(draft)));
  const trial = useForm(async () => {
    setTold(undefined);
    setTold(await test(changeOf(draft)));
  });
  const issue = (path: string) => trial.issue(`metrics.${path}`) ?? form.issue(`metrics.${path}`);
  const reason = reasonAgainst(draft, saved);
  return (
    <SetCard title="Source of metrics">
      <p className="text-text-2">
        With a Prometheus that scrapes cAdvisor, usage has a history and its charts reach back up to 7 days.
        Lists show what is used now, which metrics.k8s.io says. Everybody sees the usage of what they may see.
      </p>
      <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="Source of metrics">
        <ErrorAlert error={form.failure ?? trial.failure} />
        <Select
          label="Read the history of usage at"
          options={sources}
          value={draft.from}
          onChange={(value) =>
            change({ from: sources.find((one) => one.value === value)?.value ?? draft.from })
          }
        />
        {draft.from === 'service' && <ServiceFields draft={draft} issue={issue} change={change} />}
        {draft.from === 'url' && (
          <AddressFields
            draft={draft}
            hasCredential={saved.from === 'url' && saved.credential.sort === 'kept'}
            issue={issue}
            change={change}
          />
        )}
        {draft.from !== 'metrics.k8s.io' && (
          <TextField
            label="Label of this cluster"
            autoComplete="off"
            spellCheck={false}
            value={draft.label}
            placeholder="cluster=production"
            error={issue('label.name') ?? issue('label.value') ?? issue('label')}
            help="Needed where the Prometheus has series of several clusters: NAME=VALUE, by which it tells them apart."
            onChange={({ target }) => change({ label: target.value })}
          />
        )}
        <div className="flex flex-wrap items-center gap-1.5">
          <Button
            type="submit"
            variant="secondary"
            isLoading={form.isBusy}
            loadingText="Saving..."
            reason={reason}
          >
            Save source
          </Button>
          <Button
            variant="transparent"
            isLoading={trial.isBusy}
            loadingText="Testing..."
            reason={reason === 'Nothing is changed.' ? undefined : reason}
            onClick={trial.submit}
          >
            Test
          </Button>
        </div>
        <p className="flex items-start gap-1.5" role="status">
          {told !== undefined && (
            <>
              <Glyph tone={told.isWorking ? 'ok' : 'bad'} size={13} />
              <span className="min-w-0 wrap-anywhere">{told.message}</span>
            </>
          )}
        </p>
      </form>
    </SetCard>
  );
}
