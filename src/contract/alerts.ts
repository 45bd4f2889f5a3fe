import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/**
 * When alerts are mailed.
 * - `off`: never
 * - `soon`: within a minute, several together
 * - `daily`: all of a day together
 */
export const alertMails = ['off', 'soon', 'daily'] as const;

/** Minute of a day. */
const minuteSchema = z.int().check(z.minimum(0), z.maximum(1_439));

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** How somebody is alerted, besides the bell. */
export const alertSettingsSchema = z.strictObject({
  mail: z.enum(alertMails),
  /** Minute of the day at which a daily mail is sent. */
  dailyAt: minuteSchema,
  /** Period of each day in which nothing but the bell shows an alert: minutes of the day; null for none. */
  quiet: z.nullable(z.strictObject({ from: minuteSchema, until: minuteSchema })),
  /** Time zone of these minutes, such as Europe/Berlin. */
  timeZone: z
    .string()
    .check(z.maxLength(64), z.refine(isTimeZone, 'Give a time zone by its name, such as Europe/Berlin.')),
});
export type AlertSettings = z.infer<typeof alertSettingsSchema>;

const answerSchema = z.extend(alertSettingsSchema, {
  /** Whether the console has a mail server. */
  canMail: z.boolean(),
});

/** How the signed-in person is alerted to trouble of what they follow. */
export const alertEndpoints = {
  alertSettings: endpoint({
    method: 'GET',
    path: '/api/profile/alerts',
    summary: 'How the signed-in person is alerted to new trouble: mail, quiet hours',
    access: 'member',
    response: answerSchema,
    failure: 'Failed to fetch your alerts',
  }),
  saveAlertSettings: endpoint({
    method: 'PUT',
    path: '/api/profile/alerts',
    summary: 'Changes how the signed-in person is alerted to new trouble',
    audited: 'change how they are alerted',
    isRoutine: true,
    access: 'member',
    tokens: 'never',
    body: alertSettingsSchema,
    response: answerSchema,
    failure: 'Failed to save your alerts',
  }),
} as const;
