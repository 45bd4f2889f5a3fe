import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { customKind } from '../../../../commands/kinds/custom.ts';
import { Problem } from '../../../../src/contract/problem.ts';
import type { AnyKind } from '../../../../src/registry/kinds/kind.ts';
import { createDefinitions } from '../../../../src/server/live/definitions/definitions.ts';
import {
  createCustomKinds,
  maxCustomKinds,
  maxNamesAsked,
} from '../../../../src/server/live/graph/custom-kinds.ts';
import { settle } from '../fake-clock.ts';

const nameOf = (index: number) => `example.org~v1~thing${index}s`;

function thing(index: number): AnyKind {
  const kind = customKind(
    {
      metadata: { name: `thing${index}s.example.org` },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: `Thing${index}`, plural: `thing${index}s` },
        versions: [{ name: 'v1', served: true, storage: true }],
      },
    },
    undefined,
  );
  if (kind === undefined) throw new Error('The definition defines nothing.');
  return kind;
}

/** The custom kinds of a graph of a cluster that has no place for another list, the feed of definitions included. */
function world(served: (index: number) => boolean, changed: () => void = () => {}) {
  const full = () => {
    throw new Problem({ status: 503, title: 'Too many lists are open.' });
  };
  const asked: string[] = [];
  const errors: unknown[] = [];
  const custom = createCustomKinds(
    {
      find: async (name) => {
        asked.push(name);
        const index = Number(/\d+/.exec(name.slice(name.lastIndexOf('~')))?.[0]);
        if (!served(index)) throw new Problem({ status: 404, title: 'No such kind.' });
        return await Promise.resolve(thing(index));
      },
      definitions: createDefinitions({
        names: full,
        refresh: () => Promise.resolve(thing(0)),
        log: pino({ level: 'silent' }),
      }),
    },
    { mayList: () => true, isFollowed: () => false, changed, onError: (error) => errors.push(error) },
  );
  return { custom, asked, errors };
}

const names = (from: number, end: number) => Array.from({ length: end - from }, (_, at) => nameOf(from + at));

describe('the custom kinds of a graph', () => {
  test('stay what they were found as while the cluster has no place to follow their definitions', async () => {
    let changes = 0;
    const { custom, errors } = world(
      () => true,
      () => {
        changes += 1;
      },
    );
    custom.look([nameOf(0)]);
    await settle();
    expect(custom.kinds.map(({ kind }) => kind)).toEqual(['Thing0']);
    expect(changes).toBe(1);
    expect(errors).toEqual([]);
    custom.end();
    expect(custom.kinds).toEqual([]);
  });

  test('report a failure of the console and continue', async () => {
    const failure = new TypeError('The graph could not be drawn.');
    const { custom, errors } = world(
      () => true,
      () => {
        throw failure;
      },
    );
    custom.look([nameOf(0)]);
    await settle();
    expect(errors).toEqual([failure]);
  });

  test('have as many places, however many names of what does not exist come before them', async () => {
    const { custom, asked } = world((index) => index >= 100);
    custom.look(names(0, maxCustomKinds * 2));
    // Those that wait for an answer take places too.
    expect(asked).toHaveLength(maxCustomKinds);
    custom.look(names(100, 101));
    await settle();
    expect(custom.kinds.map(({ kind }) => kind)).toEqual(['Thing100']);
    custom.look(names(101, 100 + maxCustomKinds * 2));
    await settle();
    expect(custom.kinds).toHaveLength(maxCustomKinds);
    custom.end();
  });

  test('are asked for by a bounded number of names', async () => {
    const { custom, asked } = world(() => false);
    custom.look(names(0, maxNamesAsked * 2));
    await settle();
    custom.look(names(0, maxNamesAsked * 2));
    await settle();
    expect(asked).toHaveLength(maxNamesAsked);
    expect(new Set(asked).size).toBe(maxNamesAsked);
  });
});
