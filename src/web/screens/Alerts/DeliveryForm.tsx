import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertSettings } from '../../../contract/alerts.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { SaveRow } from '../../kit/SaveRow.tsx';
import { Select } from '../../kit/Select.tsx';
import { useForm } from '../../kit/use-form.ts';
import { alertsQuery } from './alerts-query.ts';
import { dayMinute, dayTime } from './day-minutes.ts';

const mails: readonly { readonly value: AlertSettings['mail']; readonly label: string }[] = [
  { value: 'off', label: 'None' },
  { value: 'soon', label: 'Within a minute, several in one mail' },
  { value: 'daily', label: 'One mail a day' },
];
/** Quiet hours that are offered first. */
const usualQuiet = { from: 22 * 60, until: 7 * 60 };

interface DeliveryFormProps {
  readonly settings: AlertSettings & { readonly canMail: boolean };
}

/** How the person is alerted besides the bell: by mail, and not in quiet hours. */
export function DeliveryForm({ settings: { canMail, ...stored } }: DeliveryFormProps) {
  const { api, queries, queryClient } = useData();
  const { services } = useCommands();
  const userId = useQuery(queries.session).data?.id ?? 0;
  const [mail, setMail] = useState(stored.mail);
  const [dailyAt, setDailyAt] = useState(dayTime(stored.dailyAt));
  const [hasQuiet, setHasQuiet] = useState(stored.quiet !== null);
  const [from, setFrom] = useState(dayTime(stored.quiet?.from ?? usualQuiet.from));
  const [until, setUntil] = useState(dayTime(stored.quiet?.until ?? usualQuiet.until));
  const minutes = [dailyAt, from, until].map(dayMinute);
  const [daily = stored.dailyAt, begin = usualQuiet.from, end = usualQuiet.until] = minutes;
  const wanted = { mail, dailyAt: daily, quiet: hasQuiet ? { from: begin, until: end } : null };
  const isChanged =
    JSON.stringify(wanted) !==
    JSON.stringify({ mail: stored.mail, dailyAt: stored.dailyAt, quiet: stored.quiet });
  const form = useForm(async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const saved = await api.saveAlertSettings({ body: { ...wanted, timeZone } });
    queryClient.setQueryData(alertsQuery(api, userId).queryKey, saved);
    services.toast.success('Alerts saved');
  });
  return (
    <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="How alerts reach you">
      <ErrorAlert error={form.failure} />
      {canMail ? (
        <>
          <Select
            label="Mail"
            options={mails}
            value={mail}
            onChange={(value) => setMail(mails.find((one) => one.value === value)?.value ?? 'off')}
          />
          {mail === 'daily' && (
            <TextField
              label="Time of the daily mail"
              type="time"
              required
              value={dailyAt}
              onChange={({ target }) => setDailyAt(target.value)}
            />
          )}
        </>
      ) : (
        <p className="text-text-2">This console has no mail server, so alerts are not mailed.</p>
      )}
      <CheckLine checked={hasQuiet} onChange={({ target }) => setHasQuiet(target.checked)}>
        Quiet hours: the bell alone shows alerts, and mails wait
      </CheckLine>
      {hasQuiet && (
        <div className="flex flex-wrap gap-3">
          <TextField
            label="From"
            type="time"
            required
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
          <TextField
            label="Until"
            type="time"
            required
            value={until}
            onChange={({ target }) => setUntil(target.value)}
          />
        </div>
      )}
      <SaveRow
        form={form}
        isChanged={isChanged}
        reason={minutes.includes(undefined) ? 'Enter each time as hours and minutes.' : undefined}
      />
    </form>
  );
}
