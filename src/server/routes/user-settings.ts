import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../contract/problem.ts';
import type { UserSettings, userSettingsEndpoints } from '../../contract/user-settings.ts';
import type { Member } from '../access/person.ts';
import { readUserSettings, saveUserSettings, type SettingsOwner } from '../clusters/user-settings.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Services } from '../http/services.ts';

/** The webhooks of a person on a cluster. None can be made so far. */
const webhooksOf = async (_owner: SettingsOwner): Promise<UserSettings['webhooks']> => [];

/** How people look at a cluster, each for themself. */
export function userSettingsHandlers({
  store,
}: Pick<Services, 'store'>): Handlers<typeof userSettingsEndpoints> {
  const ownerOf = ({ id, companyId }: Member, clusterId: number): SettingsOwner => ({
    userId: id,
    companyId,
    clusterId,
  });
  return {
    async userSettings({ params: { clusterId } }, { person }) {
      const owner = ownerOf(person, clusterId);
      return { ...(await readUserSettings(store, owner)), webhooks: await webhooksOf(owner) };
    },

    async saveUserSettings({ params: { clusterId }, body }, { person }) {
      const owner = ownerOf(person, clusterId);
      const { webhooks: sent, ...settings } = body;
      const webhooks = await webhooksOf(owner);
      if (sent !== undefined && !isDeepStrictEqual(sent, webhooks)) {
        throw new Problem({
          status: 400,
          title:
            'Webhooks are not changed with the other settings: they are added and deleted one by one. Nothing was saved; load the settings again.',
        });
      }
      return { ...(await saveUserSettings(store, owner, settings)), webhooks };
    },
  };
}
