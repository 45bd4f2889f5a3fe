import { describe, expect, test } from 'vitest';
import { contextOfLine, namespaceOfLine, readKindLine } from '../../src/registry/palette/query.ts';
import { withAbsent } from '../../src/web/features/palette/absent.ts';
import { kindEntries } from '../../src/web/features/palette/mode-entries.ts';
import { listedKinds } from '../../src/web/core/kinds/listed.ts';
import { focusBeforeGoing } from '../../src/web/features/palette/palette-focus.ts';
import { clusters, compose, openingWith, registry } from './palette-moment.ts';

const hrefs = (line: string, clusterId?: number) =>
  kindEntries(
    line,
    { kinds: listedKinds([]), clusters, namespaces: ['shop'] },
    openingWith({ clusterId }),
  ).flatMap(({ act }) => (act.type === 'place' ? [act.href] : []));

/** What the palette offers first for a text, with cluster 1 selected. */
const firstOf = (text: string) => compose(text, openingWith({ clusterId: 1 }), { commands: [] }).entries[0];

describe('a line of the kind mode', () => {
  test('says of a list that comes with an add-on why the selected cluster has none, and of no other', () => {
    const opening = openingWith({ clusterId: 1 });
    const prod = { cluster: { id: 1, name: 'prod-eu' }, kinds: ['scaledobject'] };
    const reasons = (text: string) =>
      withAbsent(registry, compose(text, opening).entries, prod).flatMap(({ title, reason }) =>
        title === 'ScaledObjects' ? [reason] : [],
      );
    const reason = 'prod-eu does not have KEDA.';
    expect(reasons(':so')).toEqual([reason]);
    expect(reasons('scaledobj')).toEqual([reason]);
    expect(reasons(':so @staging')).toEqual([undefined]);
    const others = withAbsent(registry, compose(':', opening).entries, prod);
    expect(others.filter((entry) => entry.reason !== undefined)).toHaveLength(1);
  });

  test('names a command where it names no kind, as `:pulse` and `:xray` do in k9s', () => {
    const opening = openingWith({ clusterId: 1 });
    expect(compose(':pulses', opening).entries[0]?.title).toBe('Dashboard');
    expect(compose(':xray', opening).entries[0]?.title).toBe('Resource graph');
    expect(compose(':po', opening).entries.every(({ act }) => act.type === 'place')).toBe(true);
  });

  test('is offered in each cluster while none is selected, one Enter away', () => {
    expect(hrefs('po')).toEqual(['/clusters/1/pods', '/clusters/2/pods']);
    expect(hrefs('po shop /api')).toEqual([
      '/clusters/1/pods?ns=shop&q=api',
      '/clusters/2/pods?ns=shop&q=api',
    ]);
    expect(hrefs('')).toEqual([]);
  });

  test('means the chosen namespace where it names none, and says so; `all` is all of them', () => {
    const opening = openingWith({
      clusterId: 1,
      inChosenNamespace: (href) => (href.startsWith('/clusters/1/') ? `${href}?ns=shop` : href),
    });
    const first = (line: string) => {
      const entry = kindEntries(line, { kinds: listedKinds([]), clusters, namespaces: ['shop'] }, opening)[0];
      return [entry?.act.type === 'place' ? entry.act.href : undefined, entry?.namespace];
    };
    expect(first('po')).toEqual(['/clusters/1/pods?ns=shop', 'shop']);
    expect(first('po all')).toEqual(['/clusters/1/pods', undefined]);
    expect(first('po mail')).toEqual(['/clusters/1/pods?ns=mail', 'mail']);
    expect(first('no'), 'nodes have no namespace').toEqual(['/clusters/1/nodes', undefined]);
    expect(first('po @staging')).toEqual(['/clusters/2/pods', undefined]);
  });

  test('means every namespace by `all`', () => {
    expect(hrefs('po all', 1)).toEqual(['/clusters/1/pods']);
    expect(namespaceOfLine(readKindLine('po all'))).toBeUndefined();
    expect(namespaceOfLine(readKindLine('po shop'))).toBe('shop');
  });

  test.each([
    ['ctx', ''],
    ['ctx prod', 'prod'],
    ['contexts @prod', 'prod'],
    ['context ', ''],
    ['ctxs', undefined],
    ['po', undefined],
  ])('reads of %o the cluster %o', (line, wanted) => {
    expect(contextOfLine(line)).toBe(wanted);
  });

  test.each([
    [':ctx', 'cluster.switch', { clusterId: 1 }],
    [':ctx stag', 'cluster.switch', { clusterId: 2 }],
    [':ns shop', 'cluster.chooseNamespace', { namespace: 'shop' }],
    [':ns all', 'cluster.chooseNamespace', { namespace: '' }],
  ])('chooses cluster and namespace as k9s does: %s', (text, id, args) => {
    const act = firstOf(text)?.act;
    expect(act?.type === 'command' ? [act.command.id, act.args] : act).toEqual([id, args]);
  });

  test('lists namespaces where none is named', () => {
    expect(firstOf(':ns')?.act).toEqual({ type: 'place', href: '/clusters/1/namespaces' });
  });
});

describe('going to another page', () => {
  test('takes the focus out of the shell, where the next Enter would press what had it', () => {
    const link = { closest: () => null } as unknown as Element;
    let went = 0;
    for (const opener of [link, null]) focusBeforeGoing(opener, () => (went += 1));
    expect(went).toBe(2);
  });
});
