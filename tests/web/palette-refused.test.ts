import { describe, expect, test } from 'vitest';
import { helpActions } from '../../commands/actions/help.ts';
import { kindById } from '../../commands/kinds/index.ts';
import type { WhyNotAnswer } from '../../src/contract/roles.ts';
import type { Invocation, ObjectRef } from '../../src/registry/commands/invocation.ts';
import type { Services } from '../../src/registry/commands/services.ts';
import { whyNotText } from '../../src/registry/commands/why-not-text.ts';
import { refusedCandidates } from '../../src/web/features/palette/refused-entries.ts';
import { compose, openingWith, pageContext, registry } from './palette-moment.ts';

const checkout: ObjectRef = { cluster: '1', kind: 'deployment', namespace: 'shop', name: 'checkout' };
const views = ['deployments.view', 'pods.view', 'namespaces.view'];
/** The palette of a Member who may only look, on a deployment. */
const opening = openingWith({
  clusterId: 1,
  context: { ...pageContext, role: 'member', focus: 'table', kind: 'deployment', row: 'opens' },
  subject: { type: 'objects', refs: [checkout], from: 'row' },
  may: (permission) => views.includes(permission),
});
const kind = kindById('deployment');
if (kind === undefined) throw new Error('There is no kind deployment.');
const refused = kind.actions.map(({ id }) => id);
const questions = refusedCandidates(registry, opening, { kind, refused });
const found = (text: string) => compose(text, opening, { questions }).entries;

describe('what the person may not do', () => {
  test('is asked about behind everything that a text finds, with the missing permission', () => {
    const entries = found('scale');
    const why = entries.findIndex(({ title }) => title === 'Why can I not scale checkout?');
    expect(entries[why]?.note).toBe('needs deployments.manage');
    expect(entries.slice(0, why).every(({ id }) => !id.startsWith('why '))).toBe(true);
    expect(entries.some(({ id }) => id === 'command deployment.scale')).toBe(false);
  });

  test('is listed as a whole for a text that asks why, and narrowed by its further words', () => {
    const all = found('why');
    expect(all.length).toBeGreaterThan(10);
    expect(all.every(({ section }) => section === 'Why can I not …')).toBe(true);
    for (const text of ['why can I not restart', "why can't i restart", 'why cannot I restart'])
      expect([text, found(text)[0]?.title]).toEqual([text, 'Why can I not restart checkout?']);
    expect(found('why members')[0]).toMatchObject({
      title: 'Why can I not open Members?',
      note: 'for Owners',
      act: { args: { what: 'Members', needs: 'owner' } },
    });
  });

  test('of objects elsewhere is asked about without naming one, behind what is in hand', () => {
    const elsewhere = { ...opening, subject: { type: 'none' as const } };
    const titles = refusedCandidates(registry, elsewhere, undefined).map(({ entry }) => entry.title);
    expect(titles).toContain('Why can I not scale?');
    const first = questions.findIndex(({ entry }) => !entry.title.includes('checkout'));
    expect(questions.slice(first).some(({ entry }) => entry.title.includes('checkout'))).toBe(false);
  });

  test('is nothing for an Owner, and nothing before it is known', () => {
    expect(refusedCandidates(registry, openingWith({ clusterId: 1 }), undefined)).toEqual([]);
    expect(refusedCandidates(registry, { ...opening, isPermitted: false }, undefined)).toEqual([]);
  });

  test('is what the server refuses in a namespace, although it is held in another one', () => {
    const held = { ...opening, may: () => true };
    const own = { kind, refused: ['deployment.restart'] };
    expect(
      refusedCandidates(registry, held, own)
        .map(({ entry }) => entry.title)
        .filter((title) => title.includes('checkout')),
    ).toEqual(['Why can I not restart checkout?']);
  });
});

const answer: WhyNotAnswer = {
  cluster: 'production',
  namespace: 'shop',
  missing: ['deployments.manage'],
  owners: ['Ada', 'Bo'],
  teamAdmins: [{ name: 'Cleo', team: 'Checkout' }],
};

describe('the answer', () => {
  test('names what is missing, where, and who can grant it', () => {
    expect(whyNotText('Scale', answer)).toEqual({
      title: '“Scale” needs deployments.manage on production in the namespace shop, which you do not have.',
      detail:
        'Cleo (TeamAdmin of Checkout) can give you a role that includes it.\nAn Owner of your organisation can grant it: Ada and Bo.',
    });
    expect(whyNotText('Members', { missing: ['owner'], owners: ['Ada'], teamAdmins: [] })).toEqual({
      title: '“Members” is for Owners in your organisation, and you are not an Owner.',
      detail: 'The Owner of your organisation is Ada.',
    });
    expect(whyNotText('Scale', { ...answer, missing: [] }).title).toBe(
      'You have every permission that “Scale” needs on production in the namespace shop.',
    );
  });

  test('is asked for with the object in question; without a question the palette lists them', async () => {
    const asked: unknown[] = [];
    const services = {
      api: {
        whyNot: (call: unknown) => {
          asked.push(call);
          return Promise.resolve(answer);
        },
      },
      palette: { toggle: (text: string) => asked.push(text) },
      toast: { info: (title: string) => asked.push(title) },
    } as unknown as Services;
    const command = helpActions.find(({ id }) => id === 'help.whyNot');
    const run = (args: object, subject: object) =>
      command?.run({ args, subject } as unknown as Invocation<never>, services);
    await run({ what: 'Scale', needs: 'deployments.manage' }, { type: 'objects', refs: [checkout] });
    await run({ what: 'Members', needs: 'owner' }, { type: 'none' });
    await run({}, { type: 'none' });
    expect(asked).toEqual([
      { query: { needs: 'deployments.manage', clusterId: 1, namespace: 'shop' } },
      expect.stringContaining('“Scale” needs'),
      { query: { needs: 'owner' } },
      expect.stringContaining('“Members”'),
      'why ',
    ]);
  });
});
