import { describe, expect, it } from 'vitest';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { clusters } from '../../../src/server/store/schema/clusters.ts';
import { kinds } from '../../../commands/kinds/index.ts';
import { refusal } from '../actions/playground.ts';
import { sampleOf } from '../../kinds/samples.ts';
import {
  act,
  admin,
  configMap,
  contents,
  ended,
  kept,
  lab,
  maps,
  name,
  own,
  place,
  plant,
  secretViewer,
  useReleaseLab,
  viewer,
} from './release-lab.ts';

useReleaseLab('shop');

describe('a roll back', () => {
  /** Two revisions, the second of which is on the cluster. */
  async function plantTwo(): Promise<void> {
    await plant(1, {
      manifest: configMap('a', `  colour: red\n  size: small\n`) + configMap('b', `  only: first\n`),
      status: 'superseded',
    });
    await plant(2, {
      manifest:
        configMap('a', `  colour: blue\n  taste: sweet\n`) +
        configMap('c', `  only: second\n`) +
        configMap('d', `  stays: yes\n`, `  annotations: { helm.sh/resource-policy: keep }\n`),
    });
    await lab.put(maps, {
      metadata: own('a'),
      data: { colour: 'blue', taste: 'sweet', byHand: 'stays' },
    });
    await lab.put(maps, { metadata: own('c'), data: { only: 'second' } });
    await lab.put(maps, { metadata: own('d'), data: { stays: 'yes' } });
  }

  it('says before what it does, and changes nothing by that', async () => {
    await plantTwo();
    const outcome = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(
      outcome.plan?.lines.map(({ group, name: one }) => [group, one.replace(`shop/${name}-`, '')]),
    ).toEqual([
      ['Deleted', 'ConfigMap c'],
      ['Created', 'ConfigMap b'],
      ['Changed', 'ConfigMap a'],
      ['Stay', 'ConfigMap d'],
    ]);
    expect(outcome.plan).toMatchObject({
      blocked: null,
      texts: { before: expect.stringContaining('blue'), after: expect.stringContaining('red') },
    });
    expect(await kept(3)).toBeUndefined();
    expect(await lab.seen(`${maps}/${name}-c`)).toBeDefined();
  });

  it('merges three ways, deletes what is no more, keeps what is to be kept, and makes a revision', async () => {
    await plantTwo();
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    const job = await ended(outcome.job);
    expect(job).toMatchObject({
      status: 'succeeded',
      title: `Roll back ${name} to revision 1`,
      message: `${name} is now at revision 3, with the contents of revision 1.`,
    });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({
      metadata: {
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
        annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': 'shop' },
      },
      data: { colour: 'red', size: 'small', byHand: 'stays' },
    });
    expect(await lab.seen(`${maps}/${name}-a`)).not.toHaveProperty('data.taste');
    expect(await lab.seen(`${maps}/${name}-b`)).toMatchObject({ data: { only: 'first' } });
    expect(await lab.seen(`${maps}/${name}-c`)).toBeUndefined();
    expect(await lab.seen(`${maps}/${name}-d`)).toBeDefined();
    expect([await kept(1), await kept(2), await kept(3)]).toEqual(['superseded', 'superseded', 'deployed']);
    const { revisions } = await viewer.client.call('releaseHistory', { params: place() });
    expect(revisions[0]).toMatchObject({
      revision: 3,
      status: 'deployed',
      chartVersion: '1.0.1',
      description: 'Rollback to 1',
    });
    expect((await contents(secretViewer, 3)).manifest).toEqual((await contents(secretViewer, 1)).manifest);
    const rows = await lab.console.store.db.select().from(audit).orderBy(audit.id);
    expect(rows.at(-1)).toMatchObject({ action: 'release.rollback.end', status: 200 });
  });

  it('tries every object first: where the cluster refuses one, nothing is written', async () => {
    const good = configMap('a', `  colour: red\n`);
    await plant(1, { manifest: good + configMap('b', `  count: 1\n`), status: 'superseded' });
    await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
    await lab.put(maps, { metadata: own('a'), data: { colour: 'blue' } });
    const planned = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(planned.plan?.lines.map(({ group }) => group)).toEqual(['Refused', 'Changed']);
    expect(planned.plan?.blocked).toMatch(
      /^The cluster rejects an object of that revision, so nothing was changed\. ConfigMap shop\/shop-\d+-b: /,
    );
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('nothing was changed'),
    });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({ data: { colour: 'blue' } });
    expect([await kept(2), await kept(3)]).toEqual(['deployed', undefined]);
  });

  it('takes a change that is valid only together with what it takes away', async () => {
    const deployments = '/apis/apps/v1/namespaces/shop/deployments';
    const deployment = (strategy: string) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 0
  selector: {matchLabels: {app: ${name}}}
  strategy: ${strategy}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: c, image: example/web}]}
`;
    const rolling = '{type: RollingUpdate, rollingUpdate: {maxSurge: 2}}';
    await plant(1, { manifest: deployment('{type: Recreate}'), status: 'superseded' });
    await plant(2, { manifest: deployment(rolling) });
    const labels = { app: name };
    await lab.put(deployments, {
      metadata: { name, annotations: own('').annotations },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example/web' }] } },
      },
    });
    const planned = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(planned.plan).toMatchObject({ blocked: null, lines: [{ group: 'Changed' }] });
  });

  it('writes what Helm would: octal modes, words of truth and merge keys', async () => {
    const deployments = '/apis/apps/v1/namespaces/shop/deployments';
    const manifest = (mode: string) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 0
  selector: {matchLabels: &labels {app: ${name}}}
  template:
    metadata: {labels: {<<: *labels, tier: web}}
    spec:
      hostNetwork: yes
      containers: [{name: c, image: example/web}]
      volumes: [{name: v, configMap: {name: s, defaultMode: ${mode}}}]
`;
    await plant(1, { manifest: manifest('0400'), status: 'superseded' });
    await plant(2, { manifest: manifest('0440') });
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await lab.seen(`${deployments}/${name}`)).toMatchObject({
      spec: {
        template: {
          metadata: { labels: { app: name, tier: 'web' } },
          spec: { hostNetwork: true, volumes: [{ configMap: { defaultMode: 0o400 } }] },
        },
      },
    });
    expect((await contents(secretViewer, 1)).manifest).toContain('defaultMode: 256\n');
  });

  it('is refused with hooks of its own, while another operation is under way, and to who may change no release', async () => {
    const hooks = [{ name: 'migrate', kind: 'Job', events: ['post-rollback'], manifest: '' }];
    await plant(1, { manifest: configMap('a', `  colour: red\n`), status: 'superseded', hooks });
    await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
    expect(await act(admin, 'release.rollback', { revision: 1 })).toMatchObject({
      ok: false,
      status: 409,
      message:
        'This console does not run hooks, and this revision has hooks for this operation: Job migrate (post-rollback). Use helm instead.',
    });
    await plant(3, { manifest: '', status: 'pending-upgrade' });
    expect(await act(admin, 'release.rollback', { revision: 2 })).toMatchObject({ ok: false, status: 409 });
    expect(await refusal(act(secretViewer, 'release.rollback', { revision: 1 }))).toMatchObject({
      status: 403,
    });
  });

  it('is refused to who may not change an object of the revision', async () => {
    const role = `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: ${name} }\nrules: []\n`;
    await plant(1, { manifest: role, status: 'superseded' });
    await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
    expect(await act(admin, 'release.rollback', { revision: 1 })).toMatchObject({ ok: false, status: 403 });
    expect(await kept(3)).toBeUndefined();
  });
});

describe('a release with something that only Owners change', () => {
  const ofOwners = kinds.filter(({ permissions }) => permissions.manage === 'owner');
  it.each(ofOwners.map((kind) => [kind.id, kind] as const))(
    'is neither rolled back nor uninstalled by others: %s',
    async (_id, kind) => {
      const document = `---\n${JSON.stringify(sampleOf(kind).healthy)}\n`;
      await plant(1, { manifest: document, status: 'superseded' });
      await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
      expect(await act(admin, 'release.rollback', { revision: 1 })).toMatchObject({ ok: false, status: 403 });
      await plant(3, { manifest: document });
      expect(await act(admin, 'release.uninstall')).toMatchObject({ ok: false, status: 403 });
      expect(await kept(4)).toBeUndefined();
      expect(await kept(3)).toBe('deployed');
    },
  );

  it('is rolled back by an Owner', async () => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, rules: [] };
    await plant(1, { manifest: `---\n${JSON.stringify(role)}\n`, status: 'superseded' });
    await plant(2, { manifest: configMap('a', `  colour: blue\n`) });
    const outcome = await act(lab.owner, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await lab.seen(`/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles/${name}`)).toBeDefined();
  });
});

describe('what does not belong to a release', () => {
  const marked = (release: string, namespace: string) => ({
    annotations: { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': namespace },
  });

  it('is not changed by a roll back, which says so before and does nothing', async () => {
    await plant(1, {
      manifest: configMap('a', `  v: "1"\n`) + configMap('b', `  v: "1"\n`),
      status: 'superseded',
    });
    await plant(2, { manifest: configMap('a', `  v: "2"\n`) });
    await lab.put(maps, { metadata: { name: `${name}-a` }, data: { v: 'not of this release' } });
    await lab.put(maps, {
      metadata: { name: `${name}-b`, ...marked('other', 'shop') },
      data: { v: 'theirs' },
    });
    const planned = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(planned.plan?.lines.map(({ group }) => group)).toEqual(['Refused', 'Refused']);
    expect(planned.plan?.lines.map(({ about }) => about).toSorted()).toEqual([
      `It belongs to the release shop/other by its annotations, not to shop/${name}.`,
      `It is on the cluster, but its annotations do not say that it belongs to the release shop/${name}.`,
    ]);
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'failed' });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({ data: { v: 'not of this release' } });
    expect(await lab.seen(`${maps}/${name}-b`)).toMatchObject({ data: { v: 'theirs' } });
    expect(await kept(3)).toBeUndefined();
  });

  it('stays when the release is uninstalled', async () => {
    await plant(1, { manifest: configMap('a', `  v: "1"\n`) + configMap('b', `  v: "1"\n`) });
    await lab.put(maps, { metadata: own('a') });
    await lab.put(maps, { metadata: { name: `${name}-b` }, data: { v: 'not of this release' } });
    const outcome = await act(admin, 'release.uninstall');
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await lab.seen(`${maps}/${name}-a`)).toBeUndefined();
    expect(await lab.seen(`${maps}/${name}-b`)).toMatchObject({ data: { v: 'not of this release' } });
  });

  it('is what lies in the namespace where a release is stored that is installed in another', async () => {
    const target = `target-${name}`;
    await lab.put('/api/v1/namespaces', { metadata: { name: target } });
    const there = `/api/v1/namespaces/${target}/configmaps`;
    await plant(1, { manifest: configMap('a', `  v: "1"\n`), status: 'superseded', namespace: target });
    await plant(2, { manifest: configMap('a', `  v: "2"\n`), namespace: target });
    await lab.put(there, { metadata: { name: `${name}-a`, ...marked(name, target) }, data: { v: '2' } });
    await lab.put(maps, { metadata: { name: `${name}-a` }, data: { v: 'not of this release' } });
    const planned = await act(admin, 'release.rollback', { revision: 1 }, { dryRun: true });
    expect(planned.plan?.lines).toMatchObject([{ group: 'Changed', name: `ConfigMap ${target}/${name}-a` }]);
    const outcome = await act(admin, 'release.rollback', { revision: 1 });
    expect(await ended(outcome.job)).toMatchObject({ status: 'succeeded' });
    expect(await lab.seen(`${there}/${name}-a`)).toMatchObject({
      data: { v: '1' },
      metadata: marked(name, target),
    });
    expect(await lab.seen(`${maps}/${name}-a`)).toMatchObject({ data: { v: 'not of this release' } });
  });
});

describe('an uninstallation', () => {
  it('deletes the objects but those to be kept, then what is kept of the revisions', async () => {
    const manifest =
      configMap('a', `  colour: red\n`) +
      configMap('d', `  stays: yes\n`, `  annotations: { helm.sh/resource-policy: keep }\n`);
    await plant(1, { manifest, status: 'superseded' });
    await plant(2, { manifest });
    await lab.put(maps, { metadata: own('a') });
    await lab.put(maps, { metadata: own('d') });
    const planned = await act(admin, 'release.uninstall', {}, { dryRun: true });
    expect(
      planned.plan?.lines.map(({ group, name: one }) => [group, one.replace(`shop/${name}-`, '')]),
    ).toEqual([
      ['Deleted', 'ConfigMap a'],
      ['Stay', 'ConfigMap d'],
    ]);
    const outcome = await act(admin, 'release.uninstall');
    expect(await ended(outcome.job)).toMatchObject({
      status: 'succeeded',
      message: `${name} is uninstalled. One object stays, as the chart says.`,
    });
    expect(await lab.seen(`${maps}/${name}-a`)).toBeUndefined();
    expect(await lab.seen(`${maps}/${name}-d`)).toBeDefined();
    expect([await kept(1), await kept(2)]).toEqual([undefined, undefined]);
  });

  it('asks for the name of a protected cluster', async () => {
    await plant(1, { manifest: '' });
    await lab.console.store.db.update(clusters).set({ isProtected: true });
    expect(await refusal(act(admin, 'release.uninstall'))).toMatchObject({
      status: 409,
      issues: [{ path: 'confirm' }],
    });
    await lab.console.store.db.update(clusters).set({ isProtected: false });
    expect(await kept(1)).toBe('deployed');
  });
});
