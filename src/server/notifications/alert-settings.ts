import { type AlertSettings, alertSettingsSchema } from '../../contract/alerts.ts';

/** How somebody is alerted who chose nothing. */
const initialAlerts: AlertSettings = { mail: 'off', dailyAt: 8 * 60, quiet: null, timeZone: 'UTC' };

/** How somebody is alerted by what is stored. What another version stored and this one cannot read counts as nothing. */
export function alertsOf(stored: unknown): AlertSettings {
  const read = alertSettingsSchema.safeParse(stored);
  return read.success ? read.data : initialAlerts;
}
