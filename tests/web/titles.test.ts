import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { genericKind } from '../../commands/kinds/custom.ts';
import { objectTools } from '../../src/registry/kinds/object-tools.ts';
import { createKnownKinds } from '../../src/web/core/kinds/known.ts';
import { createQueries } from '../../src/web/data/queries.ts';
import { titleOf } from '../../src/web/workspace/titles.ts';
import { routedRegistry } from '../registry/routed.ts';

const registry = routedRegistry(commands);
const topics = genericKind({
  id: 'kafka.strimzi.io~v1~kafkatopics',
  resource: {
    group: 'kafka.strimzi.io',
    version: 'v1',
    plural: 'kafkatopics',
    kind: 'KafkaTopic',
    scope: 'Namespaced',
  },
  permissions: { view: 'namespaces.view', manage: 'resources.manage' },
});
const list = '/clusters/1/crds/kafkatopics.kafka.strimzi.io?ns=shop';
/** As the list of that address asks for its kind. */
const name = registry.match(list)?.command.kindIn?.name({ crdName: 'kafkatopics.kafka.strimzi.io' }) ?? '';

test('the title of a view of an object names the view, whichever it is', () => {
  const kinds = createKnownKinds();
  const object = '/clusters/1/namespaces/shop/deployments/web';
  expect(titleOf({ registry, kinds }, object)).toBe('web');
  for (const tool of objectTools)
    expect(titleOf({ registry, kinds }, `${object}?view=${tool}`), tool).toMatch(/^[A-Z]\w+ web$/);
  for (const view of ['nonsense', 'constructor', 'toString'])
    expect(titleOf({ registry, kinds }, `${object}?view=${view}`)).toBe('web');
});

test('the page of a team or a person has its name in the title once that is known', () => {
  const kinds = createKnownKinds();
  const names = {
    team: (id: string) => (id === '3' ? 'Platform' : undefined),
    member: (id: string) => (id === '7' ? 'Ada' : undefined),
  };
  expect(titleOf({ registry, kinds, names }, '/settings/teams/3')).toBe('Team Platform');
  expect(titleOf({ registry, kinds, names }, '/settings/teams/4')).toBe('Team');
  expect(titleOf({ registry, kinds, names }, '/settings/organization/members/7')).toBe('Member Ada');
  expect(titleOf({ registry, kinds, names }, '/settings/organization/members/3')).toBe('Member');
  expect(titleOf({ registry, kinds, names }, '/settings/teams')).toBe('Teams');
});

describe('the title of a list of custom resources', () => {
  test('is written as their kind is once that is known, on that cluster alone', () => {
    const kinds = createKnownKinds();
    expect(titleOf({ registry, kinds }, list)).toBe('Kafkatopics');
    kinds.learn(1, name, topics);
    expect(kinds.learnt.get()).toBe(1);
    expect(titleOf({ registry, kinds }, list)).toBe('KafkaTopics');
    expect(titleOf({ registry, kinds }, list.replace('clusters/1', 'clusters/2'))).toBe('Kafkatopics');
    kinds.learn(1, name, topics);
    expect(kinds.learnt.get(), 'nothing new').toBe(1);
  });

  test('is known before anybody looked at one, as soon as the accordion or the palette has named its kind', async () => {
    const names = { kind: 'KafkaTopic', plural: 'kafkatopics', shortNames: [] };
    const definition = {
      metadata: { name: 'kafkatopics.kafka.strimzi.io' },
      spec: { group: 'kafka.strimzi.io', scope: 'Namespaced', names },
    };
    const api = {
      definitions: () => Promise.resolve([definition]),
      searchKinds: () => Promise.resolve({ isReading: false, kinds: [{ id: name, title: 'KafkaTopics' }] }),
    };
    for (const asked of ['definitions', 'searchKinds'] as const) {
      const kinds = createKnownKinds();
      const queries = createQueries(api as never, kinds);
      const client = new QueryClient();
      if (asked === 'definitions') await client.fetchQuery(queries.definitions(1));
      else await client.fetchQuery(queries.searchKinds(1));
      expect(titleOf({ registry, kinds }, list), asked).toBe('KafkaTopics');
      expect(kinds.orUnknown('1', name).title, `${asked}: of the list itself`).toBe('KafkaTopics');
      expect(kinds.of('1', name), 'its columns are not known by that').toBeUndefined();
      expect(kinds.learnt.get()).toBe(1);
      client.clear();
    }
  });

  test('is the same after a reload; junk is dropped', () => {
    let kept: string | null = null;
    const store = {
      read: () => kept,
      write: (text: string) => {
        kept = text;
      },
    };
    createKnownKinds(store).learn(1, name, topics);
    expect(titleOf({ registry, kinds: createKnownKinds(store) }, list)).toBe('KafkaTopics');
    for (const junk of [
      '{',
      '7',
      '{"version":1,"titles":[["a"],7,["1 x",3]]}',
      '{"version":2,"titles":[["1 kafka","Topics"]]}',
    ]) {
      kept = junk;
      expect(titleOf({ registry, kinds: createKnownKinds(store) }, list)).toBe('Kafkatopics');
    }
  });
});
