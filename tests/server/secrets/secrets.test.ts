import { generateKeyPairSync } from 'node:crypto';
import 'reflect-metadata';
import { cryptoProvider, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { teamRoles } from '../../../src/contract/permissions.ts';
import { maskedText } from '../../../src/kube/masked.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import type { TestPerson } from '../harness.ts';
import { type Lab, refusal, startLab } from '../actions/playground.ts';
import { openLive } from '../live/live-client.ts';

const canary = 'CANARY-4711';
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
/** Every form in which the planted value could show. */
const forms = [canary, base64(canary), encodeURIComponent(base64(canary))];

let lab: Lab;
let viewer: TestPerson;
let secretViewer: TestPerson;
let admin: TestPerson;
let stranger: TestPerson;

beforeAll(async () => {
  lab = await startLab();
  viewer = await lab.member(teamRoles.Viewer);
  secretViewer = await lab.member(teamRoles.SecretViewer);
  admin = await lab.member(teamRoles.TeamAdmin);
  stranger = await lab.console.person({ companyId: await lab.console.company(), isOwner: true });
  await lab.put('/api/v1/namespaces/shop/secrets', {
    metadata: { name: 'keys', annotations: { note: `it is ${canary}` } },
    data: { password: base64(canary), picture: base64(Buffer.from([0, 255, 254])) },
  });
});
afterAll(() => lab.close());

const place = (name = 'keys') => ({ clusterId: lab.clusterId, namespace: 'shop', name });
const reveal = (person: TestPerson, keys: string[], name?: string) =>
  person.client.call('revealSecret', { params: place(name), body: { keys } });
const contents = (person: TestPerson, name?: string) =>
  person.client.call('secretContents', { params: place(name) });
const rows = () => lab.console.store.db.select().from(audit).orderBy(audit.id);

describe('the values of a Secret', () => {
  it('are in no answer, message, row of the audit, line of the log, error or name that is searched', async () => {
    const said: unknown[] = [];
    const page = await openLive(lab.console.url, {
      origin: lab.console.url,
      cookie: secretViewer.client.cookie,
    });
    const list = page.subscribe({ clusterId: lab.clusterId, kind: 'secret' });
    const open = page.open({ clusterId: lab.clusterId, kind: 'secret', namespace: 'shop', name: 'keys' });
    await page.until('both are there', () => list.snapshots > 0 && open.view !== undefined);
    await lab.merge('/api/v1/namespaces/shop/secrets/keys', { metadata: { labels: { turn: '2' } } });
    await page.until('another version came', () => open.versions.length > 1);
    expect(open.view?.object).toMatchObject({ data: { password: maskedText } });
    const names = page.hello?.columns['secret'] ?? [];
    const row = [...list.rows.values()].find((cells) => cells.includes('keys'));
    expect(row?.[names.indexOf('keys')]).toEqual(['password', 'picture']);
    expect(row?.[names.indexOf('size')]).toBe(canary.length + 3);
    said.push([...list.rows], open.versions);
    await page.close();

    said.push(await contents(secretViewer));
    const params = { clusterId: lab.clusterId, kind: 'secret' };
    const query = { namespace: 'shop' };
    said.push(await admin.client.call('objects', { params }));
    const one = await admin.client.call('object', { params: { ...params, name: 'keys' }, query });
    said.push(one);
    const refs = [{ kind: 'secret', namespace: 'shop', name: 'keys' }];
    said.push(
      await admin.client.call('availableActions', { params: { clusterId: lab.clusterId }, body: { refs } }),
    );
    for (const dryRun of [true, false]) {
      said.push(
        await admin.client.call('runAction', {
          params: { clusterId: lab.clusterId, actionId: 'object.labels' },
          body: { refs, args: { labels: { again: 'yes' } }, dryRun },
        }),
      );
    }
    said.push(await admin.client.call('search', { query: { q: 'keys' } }));
    // Refusals: a value that is no base64, and one that the cluster would quote.
    const refused = await refusal(
      admin.client.call('createObject', {
        params,
        query,
        body: { object: { metadata: { name: 'bad' }, data: { password: `${canary} is no base64` } } },
      }),
    );
    said.push(refused.toBody());
    said.push((await refusal(reveal(secretViewer, ['nothing']))).toBody());
    await reveal(secretViewer, ['password']);
    said.push(await rows(), lab.console.log);

    const text = JSON.stringify(said);
    for (const form of forms) expect(text).not.toContain(form);
  });

  it('are revealed key by key, to whom may view Secrets, by a call that nothing keeps', async () => {
    const answer = await secretViewer.client.send(
      'POST',
      `/api/clusters/${lab.clusterId}/namespaces/shop/secrets/keys/reveal`,
      { keys: ['password'] },
    );
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      json: { values: [{ key: 'password', value: base64(canary) }] },
    });
    expect(JSON.stringify(answer.json)).not.toContain('picture');
    expect(await refusal(reveal(viewer, ['password']))).toMatchObject({ status: 403 });
    expect(await refusal(reveal(stranger, ['password']))).toMatchObject({ status: 404 });
    expect(await refusal(contents(viewer))).toMatchObject({ status: 403 });
    expect(await refusal(reveal(secretViewer, ['constructor']))).toMatchObject({
      status: 404,
      title: 'Secret shop/keys has no key “constructor”.',
    });
  });

  it('are on record by the names of their keys, before they are read', async () => {
    await reveal(secretViewer, ['password', 'picture']);
    const found = (await rows()).filter(({ userId }) => userId === secretViewer.id);
    expect(found.at(-1)).toMatchObject({
      action: 'secret.reveal',
      status: 200,
      clusterId: lab.clusterId,
      subject: { namespace: 'shop', names: 'shop/keys', keys: 'password, picture', purpose: 'show' },
    });
    const { db } = lab.console.store;
    const broken = vi.spyOn(db, 'insert').mockImplementationOnce(() => {
      throw new Error('The disk is full.');
    });
    expect(await refusal(reveal(secretViewer, ['password']))).toMatchObject({ status: 503 });
    broken.mockRestore();
    const denied = await db.select().from(audit).orderBy(audit.id).where(eq(audit.userId, stranger.id));
    expect(denied.every(({ action }) => action !== 'secret.reveal')).toBe(true);
  });

  it('are not overwritten by what stands in their place', async () => {
    const opened = await admin.client.call('object', {
      params: { clusterId: lab.clusterId, kind: 'secret', name: 'keys' },
      query: { namespace: 'shop' },
    });
    const patch = (changes: Record<string, unknown>) =>
      admin.client.call('patchObject', {
        params: { clusterId: lab.clusterId, kind: 'secret', name: 'keys' },
        query: { namespace: 'shop' },
        body: { resourceVersion: String(opened.metadata?.['resourceVersion']), patch: changes },
      });
    for (const changes of [
      { data: { password: maskedText } },
      { stringData: { password: maskedText } },
      { metadata: { annotations: { note: maskedText } } },
    ]) {
      expect(await refusal(patch(changes))).toMatchObject({
        status: 422,
        title: expect.stringContaining('is masked: saving it would overwrite the real value.'),
      });
    }
    const create = admin.client.call('createObject', {
      params: { clusterId: lab.clusterId, kind: 'secret' },
      query: { namespace: 'shop' },
      body: { object: { ...opened, metadata: { name: 'copy' } } },
    });
    expect(await refusal(create)).toMatchObject({ status: 422 });
    expect(await lab.seen('/api/v1/namespaces/shop/secrets/keys')).toMatchObject({
      data: { password: base64(canary) },
    });
    await patch({ data: { extra: base64('fine') } });
    expect(await lab.seen('/api/v1/namespaces/shop/secrets/keys')).toMatchObject({
      data: { password: base64(canary), extra: base64('fine') },
    });
  });
});

describe('the contents of a Secret without its values', () => {
  it('are sizes, and whether a value is text', async () => {
    const { keys } = await contents(secretViewer);
    expect(keys.filter(({ key }) => key !== 'extra')).toEqual([
      { key: 'password', size: canary.length, isText: true },
      { key: 'picture', size: 3, isText: false },
    ]);
  });

  it('are the certificates: subject, names, issuer, end, and whether the key belongs to them', async () => {
    cryptoProvider.set(globalThis.crypto);
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=shop.example.org',
      notBefore: new Date('2026-01-01T00:00:00Z'),
      notAfter: new Date('2027-01-01T00:00:00Z'),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'shop.example.org' },
          { type: 'ip', value: '10.1.2.3' },
        ]),
      ],
    });
    const pkcs8 = base64(Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)));
    const pem = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      format: 'pem',
      type: 'pkcs8',
    });
    const put = (name: string, key: string | Buffer) =>
      lab.put('/api/v1/namespaces/shop/secrets', {
        metadata: { name },
        type: 'kubernetes.io/tls',
        data: { 'tls.crt': base64(certificate.toString('pem')), 'tls.key': base64(key) },
      });
    await put('pair', pem);
    await put('mixed', other);
    const told = await contents(secretViewer, 'pair');
    expect(told).toMatchObject({
      type: 'kubernetes.io/tls',
      certificates: [
        {
          key: 'tls.crt',
          subject: 'CN=shop.example.org',
          names: ['shop.example.org', '10.1.2.3'],
          issuer: 'CN=shop.example.org',
          validFrom: '2026-01-01T00:00:00.000Z',
          validTo: '2027-01-01T00:00:00.000Z',
          fitsKey: true,
        },
      ],
    });
    expect(JSON.stringify(told)).not.toContain(pkcs8.slice(0, 20));
    expect((await contents(secretViewer, 'mixed')).certificates[0]?.fitsKey).toBe(false);
  });

  it('are the registries of a docker configuration, without who signs in there', async () => {
    const config = {
      auths: {
        'registry.example.org': { username: 'robot', password: canary, auth: base64(`robot:${canary}`) },
        'https://robot:hunter2@old.example.org': {},
      },
    };
    await lab.put('/api/v1/namespaces/shop/secrets', {
      metadata: { name: 'pull' },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': base64(JSON.stringify(config)) },
    });
    const told = await contents(secretViewer, 'pull');
    expect(told.registries).toEqual([
      { host: 'registry.example.org', hasPassword: true },
      { host: 'https://old.example.org', hasPassword: false },
    ]);
    expect(JSON.stringify(told)).not.toMatch(/robot|hunter2|CANARY/);
  });

  it('survives values that are not what their type says', async () => {
    await lab.put('/api/v1/namespaces/shop/secrets', {
      metadata: { name: 'odd' },
      data: { 'tls.crt': base64(`-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${canary}`) },
    });
    expect(await contents(secretViewer, 'odd')).toMatchObject({
      certificates: [],
      problems: ['“tls.crt” has a certificate that cannot be read.'],
    });
  });
});
