import { expect } from 'playwright/test';
import { kinds } from '../../../commands/kinds/index.ts';
import { focusedTile } from '../../e2e/places.ts';
import { heading, main, type Shot, untilLive, untilRows } from '../shot.ts';

const custom = [
  { id: 'certificate', list: '/clusters/:clusterId/crds/certificates.cert-manager.io' },
  { id: 'cluster-issuer', list: '/clusters/:clusterId/crds/clusterissuers.cert-manager.io' },
] as const;

/** Kinds of which the playground has no object: nothing in it attaches volumes. */
const unseeded: readonly string[] = ['volumeattachment'];

/** The list of every kind, and the object in its first row. */
export const kindScreens: readonly Shot[] = [
  ...kinds.map(({ id, paths }) => ({ id, list: paths.list })),
  ...custom,
].flatMap(({ id, list }): Shot[] => {
  const path = list.replace('/clusters/:clusterId', main);
  if (unseeded.includes(id)) {
    const untilEmpty: Shot['ready'] = async (page) => {
      await expect(focusedTile(page).getByRole('heading', { name: /^No / })).toBeVisible();
    };
    return [{ name: `list-${id}`, path, ready: untilEmpty }];
  }
  return [
    { name: `list-${id}`, path, ready: untilRows },
    {
      name: `detail-${id}`,
      path,
      ready: async (page) => {
        await untilRows(page);
        await focusedTile(page).getByRole('grid').focus();
        await page.keyboard.press('Enter');
        await expect(page.getByRole('grid')).toBeHidden();
        await expect(heading(page, /./).first()).toBeVisible();
        await untilLive(page);
      },
    },
  ];
});
