import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditSettings } from '../../../contract/audit.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useCompanySubscription } from '../../data/use-subscription.ts';
import { retentionText } from '../../features/subscription/limits.ts';
import { Button } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { Select } from '../../kit/Select.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';
import { momentText } from './EntryDetail.tsx';

const periods: readonly (readonly [days: number, label: string])[] = [
  [30, '30 days'],
  [90, '90 days'],
  [180, '180 days'],
  [365, 'One year'],
  [730, 'Two years'],
  [2555, 'Seven years'],
];

/** The number of days of a choice; endless for the empty one. */
const daysIn = (days: string): number => (days === '' ? Number.POSITIVE_INFINITY : Number(days));

/** A choice within a sentence. */
function periodText(days: string): string {
  const label = periods.find(([value]) => String(value) === days)?.[1] ?? `${days} days`;
  return days === '' ? 'for ever' : label.toLowerCase();
}

/** For how long entries are kept. */
export function Retention() {
  const { queries } = useData();
  const { data } = useQuery(queries.auditSettings);
  const subscription = useCompanySubscription().data;
  return (
    <SetCard title="How long it is kept">
      <p className="max-w-[70ch] text-text-2">
        Entries never change and are chained by hashes. Older ones are deleted by whole days; an entry with
        their last hash takes their place.
        {data?.oldestAt != null && ` The oldest entry is of ${momentText(data.oldestAt)}.`}
        {subscription !== undefined && retentionText(subscription)}
      </p>
      {data !== undefined && <RetentionForm key={data.days} settings={data} />}
    </SetCard>
  );
}

function RetentionForm({ settings }: { readonly settings: AuditSettings }) {
  const { services } = useCommands();
  const { api, queries, queryClient } = useData();
  const kept = String(settings.days ?? '');
  const [days, setDays] = useState(kept);
  const [isAsking, setAsking] = useState(false);
  const save = async () => {
    const saved = await api.changeAuditSettings({ body: { days: days === '' ? null : Number(days) } });
    queryClient.setQueryData(queries.auditSettings.queryKey, saved);
    await queryClient.invalidateQueries({ queryKey: ['audit', 'entries'] });
    services.toast.success('Retention of the audit saved');
  };
  const form = useForm(save);
  const isShorter = daysIn(days) < daysIn(kept);
  const options = periods.map(([value, label]) => ({ value: String(value), label }));
  const isListed = kept === '' || options.some(({ value }) => value === kept);
  return (
    <>
      <form
        className={`max-w-80 ${formLook}`}
        onSubmit={(event) => {
          if (!isShorter) {
            form.submit(event);
            return;
          }
          event.preventDefault();
          setAsking(true);
        }}
      >
        <ErrorAlert error={form.failure} />
        <Select
          label="Keep entries for"
          value={days}
          options={[
            { value: '', label: 'Ever' },
            ...options,
            ...(isListed ? [] : [{ value: kept, label: `${kept} days` }]),
          ]}
          onChange={setDays}
        />
        <div>
          <Button
            type="submit"
            isLoading={form.isBusy}
            loadingText="Saving..."
            reason={days === kept ? 'Nothing is changed.' : undefined}
          >
            {isShorter ? 'Save…' : 'Save'}
          </Button>
        </div>
      </form>
      {isAsking && (
        <ConfirmDialog
          title={`Keep entries for ${periodText(days)} instead of ${periodText(kept)}?`}
          act="Shorten"
          acting="Saving..."
          onClose={() => setAsking(false)}
          onConfirm={save}
        >
          <p>
            Entries, and recordings of shells, that are older than {days} days are deleted for good. Export
            the entries first if you need them.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
