import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftsLimit } from '../../../src/contract/drafts.ts';
import { textLimits } from '../../../src/server/manifests/parser.ts';
import { audit } from '../../../src/server/store/schema/audit.ts';
import { drafts } from '../../../src/server/store/schema/profile.ts';
import { startConsole, type TestConsole, type TestPerson } from '../harness.ts';

let console: TestConsole;
let companyId: number;
let person: TestPerson;

beforeAll(async () => {
  console = await startConsole();
  companyId = await console.company();
  person = await console.person({ companyId });
});
afterAll(() => console.close());

const save = (text: string, place = 'create', who = person) =>
  who.client.call('saveDraft', { params: { place }, body: { text } });
const read = async (place = 'create', who = person) =>
  (await who.client.call('draft', { params: { place } })).draft;

describe('drafts', () => {
  it('are kept for their person alone, sealed, until they are discarded', async () => {
    expect(await read()).toBeNull();
    expect(await save('kind: ConfigMap # first')).toEqual({ isKept: true });
    await save('kind: ConfigMap # second');
    expect(await read()).toMatchObject({ text: 'kind: ConfigMap # second', base: null });
    const rows = await console.store.db.select().from(drafts);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text.includes('second')).toBe(false);
    expect(await read('create', await console.person({ companyId }))).toBeNull();
    const discard = () => person.client.call('deleteDraft', { params: { place: 'create' } });
    expect(await discard()).toEqual({ wasKept: true });
    expect(await read()).toBeNull();
    expect(await discard()).toEqual({ wasKept: false });
  });

  it.each([
    'apiVersion: v1\nkind: Secret\ndata: {a: aGk=}',
    'kind: "secret"',
    '{"kind":"Secret"',
    'kind: !!str Secret',
    'kind: "\\u0053ecret"',
    'apiVersion: v1\nkind: List\nitems: [{kind: "S\\x65cret"}]',
    'a: 1\n---\nkind: Secret',
    'stringData:\n  password: x',
    'kind: &k Secret',
    'KIND: x\nkind: sEcReT',
    'apiVersion: v1\nkind: ConfigMap\n---\napiVersion: v1\nkind: SECRET\n---\na: 1',
    'apiVersion: v1\nkind: List\nitems:\n  - kind: ConfigMap\n  - kind: secret\n    data: {a: aGk=}',
    'a: &s Secret\nkind: *s',
    '? kind\n: "Secr\\\n  et"',
    // What cannot be read yet is judged by its words, and kept by nobody where those do not tell.
    'a: &s Secret\nkind: *s\nb: [',
    'kind: "\\x53ecret"\ndata: {a: aGk=',
    'kind: |-\n  Secret\nb: [',
    JSON.stringify({ version: '1', base: 'a: 1', text: 'apiVersion: v1\nkind: Secret\ndata: {}' }),
    JSON.stringify({ version: '1', base: 'apiVersion: v1\nkind: "\\u0053ecret"\n', text: 'a: 1' }),
  ])('are never kept of a Secret, and what was kept before goes: %j', async (text) => {
    await save('kind: ConfigMap', 'edit');
    expect(await save(text, 'edit')).toEqual({ isKept: false });
    expect(await read('edit')).toBeNull();
  });

  it.each([
    'kind: ConfigMap\ndata: {a: [',
    'spec:\n  volumes:\n    - secret: {secretName: keys}\n  kind: "Deploy',
    'kind: Dep',
  ])('are kept of a text that is not finished: %j', async (text) => {
    expect(await save(text, 'unfinished')).toEqual({ isKept: true });
    await person.client.call('deleteDraft', { params: { place: 'unfinished' } });
  });

  it('are never kept of the edit of a Secret, whatever its text says', async () => {
    expect(await save('a: 1', 'edit 1 secret shop keys')).toEqual({ isKept: false });
    expect(await save('a: 1', 'edit 1 configmap shop secret')).toEqual({ isKept: true });
    await person.client.call('deleteDraft', { params: { place: 'edit 1 configmap shop secret' } });
  });

  it('give way to newer ones beyond the limit, and leave no audit rows', async () => {
    for (let at = 0; at <= draftsLimit; at += 1) await save('a: 1', `place ${at}`);
    expect(await read('place 0')).toBeNull();
    expect(await read(`place ${draftsLimit}`)).not.toBeNull();
    expect(await console.store.db.select().from(audit)).toEqual([]);
  });

  it('that take long to read delay no other company', async () => {
    const others = [await console.person({ companyId }), await console.person({ companyId })];
    const victims = await console.company();
    const victim = await console.person({ companyId: victims, isOwner: true });
    const clusterId = await console.cluster(victims);
    // Just below the limit of a draft's tokens, and slow to parse.
    const heavy = ': '.repeat(textLimits.draft.tokens / 2 - 1_000);
    const ended: string[] = [];
    const drafts = others.flatMap((who) =>
      ['a', 'b', 'c'].map(async (place) => {
        await save(heavy, place, who).catch(() => undefined);
        ended.push('draft');
      }),
    );
    // The first of them is being read.
    await expect.poll(() => ended.length, { timeout: 20_000 }).toBe(1);
    const answer = await victim.client.send('POST', `/api/clusters/${clusterId}/create-resource`, {
      yaml: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}',
    });
    ended.push('create');
    // It was read, and sent to a cluster that nothing listens for.
    expect(answer.status).toBe(502);
    expect(ended.indexOf('create')).toBeLessThanOrEqual(2);
    await Promise.all(drafts);
    expect(ended).toHaveLength(7);
  });

  it('that cannot be scanned in time are not kept, with a message', async () => {
    await save('kind: ConfigMap', 'heavy');
    const wide = '- 1\n'.repeat(textLimits.draft.tokens / 4);
    expect(await save(wide, 'heavy')).toEqual({ isKept: false, isUnread: true });
    expect(await read('heavy')).toBeNull();
  });
});
