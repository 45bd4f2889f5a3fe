import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { ActionCommand } from '../../src/registry/commands/command.ts';
import type { Subject } from '../../src/registry/commands/invocation.ts';

const objects: Subject = {
  type: 'objects',
  refs: [{ cluster: '1', kind: 'pod', namespace: 'shop', name: 'cart-0' }],
  from: 'row',
};

/** A value for each argument of a command, so that it asks for nothing more. */
const argsOf = ({ args = {} }: ActionCommand): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(args).map(([name, arg]) => [name, arg.type === 'choice' ? arg.default : 1]),
  );

/** A stand-in for anything that a command uses, which notes the path and first argument of every call. */
function recorded(called: string[], path: string): unknown {
  return new Proxy(() => undefined, {
    // A promise that resolves to something with `then` would wait for it.
    get: (_, name) =>
      name === 'then' || typeof name === 'symbol' ? undefined : recorded(called, `${path}.${name}`),
    apply: (_, __, given: readonly unknown[]) => {
      called.push(typeof given[0] === 'string' ? `${path} ${given[0]}` : path);
      return recorded(called, `${path}()`);
    },
  });
}

/** What a command calls of the page. */
async function callsOf(command: ActionCommand): Promise<readonly string[]> {
  const called: string[] = [];
  const invocation = { args: argsOf(command), subject: objects, source: 'palette', target: 'here' } as const;
  await Promise.resolve(command.run(invocation, recorded(called, 'page') as never)).catch(() => undefined);
  return called;
}

/** Calls that change something on a cluster or in the organisation, or ask for the confirmation of it. */
const changing =
  /^page\.(?:objects\.act\b|organisation\.(?:act|setRole|addToTeam)|view\.tool\(\)\.turn save$|workspace\.open .*[?&]webhook=delete\b)/;

const actions = commands.filter((command) => command.type === 'action');

test('a command says that it changes something exactly where it does', async () => {
  const wrong: string[] = [];
  for (const command of actions) {
    const isChanging = (await callsOf(command)).some((call) => changing.test(call));
    if (isChanging !== (command.changes === true)) wrong.push(command.id);
  }
  expect(wrong).toEqual([]);
});

test('no command calls the API itself but for what is the person’s own', async () => {
  const called = await Promise.all(actions.map(callsOf));
  const own = /^page\.api\.(?:filters|saveFilter|deleteFilter|whoMay|explain\w*)/;
  expect(called.flat().filter((call) => call.startsWith('page.api') && !own.test(call))).toEqual([]);
});
