import { beforeEach, describe, expect, test } from 'vitest';
import { filterActions } from '../../commands/actions/filters.ts';
import type { SavedFilter } from '../../src/contract/filters.ts';
import type { Invocation } from '../../src/registry/commands/invocation.ts';
import type { Services } from '../../src/registry/commands/services.ts';

let kept: SavedFilter[] = [];
let said: string[] = [];
let asked: string[] = [];
let href = '';

beforeEach(() => {
  kept = [
    { name: 'sick', place: 'pods?q=is%3Aunhealthy' },
    { name: 'mine', place: 'jobs?q=me' },
  ];
  said = [];
  asked = [];
  href = '/clusters/3/pods?q=web&sort=-restarts';
});

const say = (title: string) => void said.push(title);
const services = {
  api: {
    filters: () => Promise.resolve({ filters: kept }),
    saveFilter: ({
      params: { name },
      body: { place },
    }: {
      params: { name: string };
      body: { place: string };
    }) => {
      kept = [...kept.filter((one) => one.name !== name), { name, place }];
      return Promise.resolve();
    },
    deleteFilter: ({ params: { name } }: { params: { name: string } }) => {
      kept = kept.filter((one) => one.name !== name);
      return Promise.resolve();
    },
  },
  workspace: { href: () => href, open: (path: string) => say(`opened ${path}`) },
  toast: { success: say, warning: say },
  palette: { ask: (id: string) => void asked.push(id) },
} as unknown as Services;

async function run(id: string, args: Readonly<Record<string, string>>): Promise<void> {
  const action = filterActions.find((one) => one.id === id);
  if (action === undefined) throw new Error(`There is no command ${id}.`);
  const invocation = { args, subject: { type: 'cluster', cluster: '7' }, target: 'here' };
  await action.run(invocation as unknown as Invocation<typeof args>, services);
}

describe('saved filters', () => {
  test('are kept with the list, its filter and its sort, without the cluster', async () => {
    await run('filter.save', { name: 'slow' });
    expect(kept.at(-1)).toEqual({ name: 'slow', place: 'pods?q=web&sort=-restarts' });
    expect(said).toEqual(['Saved the filter “slow”']);
  });

  test('say when one of the same name was another', async () => {
    await run('filter.save', { name: 'sick' });
    await run('filter.save', { name: 'sick' });
    expect(said).toEqual(['Replaced the filter “sick”', 'Saved the filter “sick”']);
  });

  test('are opened on the present cluster, whatever the list is of', async () => {
    await run('filter.open', { name: 'mine' });
    await run('filter.open', { name: 'gone' });
    expect(said).toEqual(['opened /clusters/7/jobs?q=me', 'There is no filter “gone” any more.']);
  });

  test('are renamed, but never over another one', async () => {
    await run('filter.rename', { name: 'sick', to: 'ill' });
    expect(kept.map(({ name, place }) => [name, place])).toEqual([
      ['mine', 'jobs?q=me'],
      ['ill', 'pods?q=is%3Aunhealthy'],
    ]);
    await run('filter.rename', { name: 'ill', to: 'mine' });
    await run('filter.rename', { name: 'gone', to: 'new' });
    expect(kept).toHaveLength(2);
    expect(said).toEqual([
      'Renamed the filter “sick” to “ill”',
      'There is a filter “mine” already.',
      'There is no filter “gone” any more.',
    ]);
  });

  test('are asked for where the command was given none', async () => {
    await run('filter.rename', { name: 'sick' });
    await run('filter.forget', {});
    expect(asked).toEqual(['filter.rename', 'filter.forget']);
  });
});
