import type { alertEndpoints } from '../../contract/alerts.ts';
import type { Handlers } from '../http/handlers.ts';
import { PersonalPreferences } from '../profile/preferences.ts';
import type { RouteParts } from './parts.ts';

/** How people are alerted to trouble of what they follow. */
export function alertHandlers({
  store,
  mailer,
}: Pick<RouteParts, 'store' | 'mailer'>): Handlers<typeof alertEndpoints> {
  const preferences = new PersonalPreferences(store);
  const canMail = mailer.isConfigured;
  return {
    alertSettings: async (_request, { person }) => ({ ...(await preferences.alerts(person.id)), canMail }),

    saveAlertSettings: async ({ body }, { person, audit }) => {
      audit.subject({ mail: body.mail });
      await preferences.save(person.id, { alerts: body });
      return { ...body, canMail };
    },
  };
}
