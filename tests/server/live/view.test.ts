import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pod } from '../../../commands/kinds/pod.ts';
import type { Row } from '../../../src/contract/live.ts';
import type { Entry } from '../../../src/server/live/source/projector.ts';
import type { SharedText } from '../../../src/server/live/wire/shared-text.ts';
import { type Change, changeBodies, rowText, snapshotBodies } from '../../../src/server/live/feed/rows.ts';
import {
  compareCells,
  createView,
  type RowSource,
  sortColumn,
  viewKey,
  type ViewSpec,
} from '../../../src/server/live/feed/view.ts';
import { proof } from '../../prove.ts';

fc.configureGlobal(proof());

const age = pod.columns.findIndex((column) => column.id === 'age');

function entryOf(uid: string, namespace: string, created: number, labels: Entry['labels'] = {}): Entry {
  const cells = pod.columns.map((_, index) =>
    index === age ? created : index < 2 ? [namespace, uid][index] : null,
  );
  return {
    uid,
    name: uid,
    namespace,
    version: '1',
    labels,
    owners: [],
    refs: [],
    facts: {},
    attention: undefined,
    cells: cells.map((cell) => cell ?? null),
  };
}

interface Body {
  rows?: Row[];
  upserts?: Row[];
  removes?: string[];
  total?: number;
}
const parse = (body: string) => JSON.parse(`{${body}}`) as Body;
const parseShared = (body: SharedText) => JSON.parse(`{${String(body.plain)}`) as Body;

const source = (held: ReadonlyMap<string, Entry>): RowSource => ({
  entries: () => held.values(),
  find: (uid) => held.get(uid),
  text: (entry) => rowText(entry),
});

/** A view, the rows behind it, and mirrors that know only what was sent. */
function mirrored(spec: ViewSpec) {
  const held = new Map<string, Entry>();
  const view = createView(spec, pod, source(held));
  const mirrors: Set<string>[] = [];
  let total: number | undefined;
  const join = () => {
    const mirror = new Set<string>();
    for (const body of view.snapshot()) for (const [uid] of parseShared(body()).rows ?? []) mirror.add(uid);
    mirrors.push(mirror);
    return mirror;
  };
  return {
    held,
    view,
    mirror: join(),
    mirrors,
    join,
    total: () => total,
    apply: (changes: Map<string, Change>) => {
      for (const body of view.flush(changes)?.bodies ?? []) {
        const message = parse(body);
        for (const mirror of mirrors) {
          for (const [uid] of message.upserts ?? []) mirror.add(uid);
          for (const uid of message.removes ?? []) mirror.delete(uid);
        }
        total = message.total;
      }
    },
  };
}

describe('a view', () => {
  test('of a namespace sends only its rows, and nothing for changes elsewhere', () => {
    const { held, view } = mirrored({ namespace: 'shop' });
    const [a, b] = [entryOf('a', 'shop', 1), entryOf('b', 'other', 2)];
    held.set('a', a).set('b', b);
    const changes = new Map([
      ['a', { entry: a, gone: false, shown: true }],
      ['b', { entry: b, gone: false, shown: true }],
    ]);
    expect(view.flush(changes)?.uids).toEqual(['a']);
    expect(view.flush(new Map([['b', { entry: b, gone: true, shown: true }]]))).toBeUndefined();
    expect(
      view
        .snapshot()
        .flatMap((body) => parseShared(body()).rows ?? [])
        .map(([uid]) => uid),
    ).toEqual(['a']);
  });

  test('with a limit shows the newest first rows, how many there are, and lets rows move in and out', () => {
    const { held, apply, mirror, total } = mirrored({ sort: '-age', limit: 2 });
    const put = (uid: string, created: number) => {
      const entry = entryOf(uid, 'shop', created);
      held.set(uid, entry);
      apply(new Map([[uid, { entry, gone: false, shown: true }]]));
    };
    put('a', 1);
    put('b', 2);
    put('c', 3);
    expect([...mirror].sort()).toEqual(['b', 'c']);
    expect(total()).toBe(3);
    const gone = held.get('c');
    held.delete('c');
    if (gone !== undefined) apply(new Map([['c', { entry: gone, gone: true, shown: true }]]));
    expect([...mirror].sort()).toEqual(['a', 'b']);
    expect(total()).toBe(2);
  });

  test('mirrors, change by change, what a fresh snapshot would show', () => {
    const change = fc.record({
      uid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      gone: fc.boolean(),
      created: fc.integer({ min: 0, max: 9 }),
      app: fc.constantFrom('web', 'api'),
    });
    // An object never moves to another namespace under its uid.
    const namespaceOf = (uid: string) => (uid < 'd' ? 'shop' : 'other');
    const spec = fc.record({
      namespace: fc.option(fc.constantFrom('shop', 'other'), { nil: undefined }),
      where: fc.option(fc.constantFrom({ labels: 'app=web' }, { labels: 'app!=web' }), { nil: undefined }),
      sort: fc.option(fc.constantFrom('age', '-age', 'name', '-status'), { nil: undefined }),
      limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    });
    const rounds = fc.array(
      fc.record({ changes: fc.array(change, { maxLength: 5 }), latecomer: fc.boolean() }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(spec, rounds, (asked, all) => {
        const { held, apply, join, mirrors } = mirrored(asked);
        for (const round of all) {
          const changes = new Map<string, Change>();
          for (const { uid, gone, created, app } of round.changes) {
            const before = held.get(uid);
            if (gone && before === undefined) continue;
            const entry =
              gone && before !== undefined ? before : entryOf(uid, namespaceOf(uid), created, { app });
            if (gone) held.delete(uid);
            else held.set(uid, entry);
            changes.set(uid, { entry, gone, shown: gone || before?.cells !== entry.cells });
          }
          // Somebody comes between a change and the moment it is sent.
          if (round.latecomer) join();
          apply(changes);
          const fresh = createView(asked, pod, source(held));
          const rows = fresh.snapshot().flatMap((body) => parseShared(body()).rows ?? []);
          for (const mirror of mirrors) {
            expect([...mirror].sort()).toEqual(rows.map(([uid]) => uid).sort());
          }
        }
      }),
    );
  });

  test('is shared by equal wishes alone: whatever one asks or may see besides makes it another', () => {
    const where: Required<ViewSpec>['where'] = { labels: 'app=web' };
    const wishes: readonly Required<ViewSpec>[] = [
      {
        namespace: 'shop',
        within: new Set(['shop', 'data']),
        excluded: new Set(['ops']),
        where,
        joins: ['metrics'],
        sort: 'age',
        limit: 10,
      },
      {
        namespace: 'data',
        within: new Set(['shop']),
        excluded: new Set(['ops', 'web']),
        where: { labels: 'app=api' },
        joins: [],
        sort: '-age',
        limit: 20,
      },
    ];
    const [one, other] = wishes as [Required<ViewSpec>, Required<ViewSpec>];
    expect(viewKey({ ...one, within: new Set(['data', 'shop']) })).toBe(viewKey(one));
    for (const part of Object.keys(one) as (keyof ViewSpec)[]) {
      expect([part, viewKey({ ...one, [part]: other[part] })]).not.toEqual([part, viewKey(one)]);
      expect([part, viewKey({ ...one, [part]: undefined })]).not.toEqual([part, viewKey(one)]);
    }
  });

  test('sorts numbers by value, texts by code unit, and what is missing last', () => {
    const sorted = [null, 10, 9, null].sort(compareCells);
    expect(sorted).toEqual([9, 10, null, null]);
    expect(
      [
        ['b', 'ok'],
        ['a', 'bad'],
      ].sort(compareCells),
    ).toEqual([
      ['a', 'bad'],
      ['b', 'ok'],
    ]);
    expect(sortColumn(pod, '-age')?.id).toBe('age');
    expect(sortColumn(pod, 'nonsense')).toBeUndefined();
  });

  test('cuts long snapshots, after a first screenful, and changes into messages of a thousand rows', () => {
    const entries = Array.from({ length: 2_001 }, (_, index) => entryOf(`u${index}`, 'shop', index));
    expect(snapshotBodies(entries, undefined).map((body) => parseShared(body()).rows?.length)).toEqual([
      100, 1000, 901,
    ]);
    expect(snapshotBodies([], undefined).map((body) => parseShared(body()))).toEqual([{ rows: [] }]);
    const removes = entries.map((entry) => entry.uid);
    const bodies = changeBodies(
      entries.slice(0, 1_500).map((entry) => rowText(entry)),
      removes,
      undefined,
    ).map(parse);
    expect(bodies.map((body) => [body.upserts?.length, body.removes?.length])).toEqual([
      [1000, 1000],
      [500, 1000],
      [0, 1],
    ]);
  });
});
