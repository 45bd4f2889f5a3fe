import type { Page } from 'playwright/test';
import { applicationDefinition } from '../kube/writers/application-definition.ts';
import { expectAccessible } from './axe.ts';
import { deploymentOf, deploymentsIn, namespaceOf, sharedCluster } from './cluster.ts';
import { editorText } from './hands.ts';
import { eachHand, expect, ownClusters, sharedApp, test } from './kit.ts';
import { dialogOf, headingOf } from './places.ts';

const app = sharedApp(ownClusters);
const harbour = sharedCluster(app);

const editor = (page: Page) => page.getByRole('textbox', { name: /^YAML of/ });
const told = (page: Page, title: string) => page.getByRole('status').filter({ hasText: title });

test.beforeAll(async () => {
  const { cluster } = harbour();
  await cluster.call(
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    applicationDefinition,
  );
});

/** A Deployment that an application of Argo CD tracks, with an autoscaler. */
async function plant(namespace: string): Promise<void> {
  const { cluster } = harbour();
  await cluster.call('POST', '/api/v1/namespaces', namespaceOf(namespace));
  await cluster.call('POST', `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/applications`, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'pier', namespace },
    spec: { syncPolicy: { automated: { selfHeal: true } } },
    status: { sync: { status: 'Synced' } },
  });
  const deployment = deploymentOf('capstan', { replicas: 2 }) as { metadata: object };
  await cluster.call('POST', deploymentsIn(namespace), {
    ...deployment,
    metadata: {
      ...deployment.metadata,
      annotations: {
        'argocd.argoproj.io/tracking-id': `${namespace}_pier:apps/Deployment:${namespace}/capstan`,
      },
    },
  });
  await cluster.call('POST', `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`, {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'capstan' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'capstan' },
      minReplicas: 2,
      maxReplicas: 5,
    },
  });
}

const heals = 'Argo CD pier puts this back at once (self-heal on). It is Synced now.';
const scales = 'HorizontalPodAutoscaler capstan will scale this again, between 2 and 5.';

for (const { by, it } of eachHand) {
  it(`the next writers of an object are named before it is scaled and edited, and forbid nothing (${by})`, async ({
    page,
    context,
    hands,
  }) => {
    const namespace = `berth-${hands.name}`;
    await plant(namespace);
    await app().enter(context);
    await page.goto(harbour().url(`/namespaces/${namespace}/deployments/capstan`));
    await expect(headingOf(page, 'capstan')).toBeVisible();

    await test.step('scaled: the application and the autoscaler, with what shows it', async () => {
      if (hands.name === 'keyboard') await page.keyboard.press('Shift+S');
      else await page.getByRole('button', { name: 'Scale…' }).click();
      const dialog = dialogOf(page, 'Scale Deployment capstan');
      const note = dialog.getByRole('status').filter({ hasText: 'Who writes it next' });
      await expect(note).toContainText(heals);
      await expect(note).toContainText(scales);
      await expect(note).toContainText('spec.syncPolicy.automated.selfHeal: true');
      await expectAccessible(page, 'scaling what others write');
      await hands.write(dialog.getByRole('spinbutton', { name: 'Replicas' }), '4');
      await expect(dialog.getByRole('button', { name: 'Scale', exact: true })).toBeEnabled();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    });

    await test.step('edited: an autoscaler says nothing of a label', async () => {
      if (hands.name === 'keyboard') await page.keyboard.press('e');
      else await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await expect.poll(() => editorText(editor(page))).toMatch(/labels:\n/);
      const text = await editorText(editor(page));
      await hands.paste(editor(page), text.replace('labels:\n', 'labels:\n    team: pier\n'));
      await hands.press(page.getByRole('button', { name: 'Review changes' }));
      const note = told(page, 'Who writes these fields next');
      await expect(note).toContainText(heals);
      await expect(note).not.toContainText('will scale this again');
      await expectAccessible(page, 'the review of what others write');
      await hands.press(page.getByRole('button', { name: 'Save', exact: true }));
      await expect(page).not.toHaveURL(/view=edit/);
      await expect
        .poll(() => harbour().cluster.call('GET', deploymentsIn(namespace, 'capstan')))
        .toMatchObject({ metadata: { labels: { team: 'pier' } } });
    });

    await test.step('the view of its causes says it as well', async () => {
      await page.goto(harbour().url(`/namespaces/${namespace}/deployments/capstan?view=why`));
      await expect(told(page, 'Who writes it next').last()).toContainText(scales);
    });
  });
}
