import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../contract/problem.ts';
import type { userSettingsEndpoints } from '../../contract/user-settings.ts';
import type { Member } from '../access/person.ts';
import { readUserSettings, saveUserSettings, type SettingsOwner } from '../clusters/user-settings.ts';
import type { Handlers } from '../http/handlers.ts';
import type { RouteParts } from './parts.ts';

/** How people look at a cluster, each for themself. */
export function userSettingsHandlers({
  store,
  webhooks,
}: Pick<RouteParts, 'store' | 'webhooks'>): Handlers<typeof userSettingsEndpoints> {
  const ownerOf = ({ id, companyId }: Member, clusterId: number): SettingsOwner => ({
    userId: id,
    companyId,
    clusterId,
  });
  return {
    async userSettings({ params: { clusterId } }, { person }) {
      const owner = ownerOf(person, clusterId);
      return { ...(await readUserSettings(store, owner)), webhooks: await webhooks.list(owner) };
    },

    async saveUserSettings({ params: { clusterId }, body }, { person }) {
      const owner = ownerOf(person, clusterId);
      const { webhooks: sent, ...settings } = body;
      const there = await webhooks.list(owner);
      if (sent !== undefined && !isDeepStrictEqual(sent, there)) {
        throw new Problem({
          status: 400,
          title:
            'Webhooks cannot be changed with the other settings: add and delete them one by one. Nothing was saved. Load the settings again.',
        });
      }
      return { ...(await saveUserSettings(store, owner, settings)), webhooks: there };
    },
  };
}
