import { type App, expect, test } from '../kit.ts';
import { live, podNames, podsTile, tile, tiles } from './tiles.ts';

/** Links whose layout is not whole. @param app the product they lead into */
export function links(app: () => App): void {
  test('a cluster that is not there leads the focused tile home and is said in another', async ({
    page,
    context,
  }) => {
    await app().enter(context);
    await page.goto(`${app().url}/clusters/999/pods?_w=1r50-50(*,/clusters/999/deployments)`);
    await expect(tile(page, /^Home/).getByRole('heading', { name: /^Clusters/ })).toBeVisible();
    const lost = tile(page, /^Deployments/);
    await expect(lost.getByRole('heading', { name: 'No such cluster' })).toBeVisible();
    await lost.getByRole('button', { name: 'Close' }).click();
    await expect(tiles(page)).toHaveCount(1);
  });

  test('a broken link shows one tile, and its layout is never another site', async ({ page, context }) => {
    await app().enter(context);
    for (const broken of [
      '1r50-50(*,//evil.example)',
      '1r50-50(*',
      '9r50-50(*,/clusters)',
      '1r50-50(*,/~5C~5Cevil.example)',
    ]) {
      await page.goto(`${app().url}/clusters/1/pods?q=cart-&_w=${broken}`);
      await expect(live(podsTile(page))).toBeVisible();
      await expect(tiles(page)).toHaveCount(1);
      await expect
        .poll(async () => (await podNames(podsTile(page))).every((pod) => pod.startsWith('cart-')))
        .toBe(true);
    }
  });
}
