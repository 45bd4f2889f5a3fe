import { pino } from 'pino';
import { expect, test } from 'vitest';
import { definitionKind } from '../../../commands/kinds/custom.ts';
import { definitionNames } from '../../../src/server/live/source/definition-names.ts';
import { conflictCandidates, NameConflicts } from '../../../src/server/live/definitions/name-conflicts.ts';
import { createProjector, type Entry } from '../../../src/server/live/source/projector.ts';
import { createFakeClock } from './fake-clock.ts';

const clock = createFakeClock();
const log = pino({ level: 'silent' });
const projectName = createProjector(definitionNames, log, clock);
const projectWhole = createProjector(definitionKind, log, clock);

/** A definition by name, as the list of all names has it. */
function nameOf(name: string, generation: number, resourceVersion = '1'): Entry {
  const entry = projectName({ metadata: { name, uid: name, generation, resourceVersion } }, undefined);
  if (entry === undefined) throw new Error(name);
  return entry;
}

/** A definition that is served and whose new names are taken, or not. */
function wholeOf(name: string, isTaken: boolean): Entry | undefined {
  const accepted = isTaken ? { status: 'False', reason: 'KindConflict' } : { status: 'True' };
  const conditions = [
    { type: 'NamesAccepted', ...accepted },
    { type: 'Established', status: 'True' },
  ];
  return projectWhole(
    { apiVersion: 'apiextensions.k8s.io/v1', metadata: { name, uid: name }, status: { conditions } } as never,
    undefined,
  );
}

test('only a definition whose spec was changed, in a group with others, may have new names that are taken', () => {
  const definitions = [
    nameOf('first.a.example.org', 1),
    nameOf('changed.a.example.org', 2),
    nameOf('alone.b.example.org', 5),
  ];
  expect(conflictCandidates(definitions).map(({ name }) => name)).toEqual(['changed.a.example.org']);
});

test('those are read once for each version, two a second, and are in trouble while their names are taken', async () => {
  const asked: string[] = [];
  const taken = new Set(['t1.a.example.org']);
  let changes = 0;
  const run = {
    read: async (name: string) => {
      asked.push(name);
      return await Promise.resolve(wholeOf(name, taken.has(name)));
    },
    onChange: () => {
      changes += 1;
    },
  };
  const conflicts = new NameConflicts({ clock, log });
  const names = ['t0', 't1', 't2'].map((name) => `${name}.a.example.org`);
  const look = (version: string) =>
    conflicts.look(
      names.map((name) => nameOf(name, 2, name === 't1.a.example.org' ? version : '1')),
      run,
    );
  look('1');
  expect(conflicts.isRead).toBe(false);
  await clock.advance(400);
  expect(asked).toHaveLength(1);
  await clock.advance(5_000);
  expect(asked).toEqual(names);
  expect([...conflicts.found.values()]).toMatchObject([
    {
      name: 't1.a.example.org',
      attention: { rule: 'customresourcedefinition.names', tone: 'warn' },
    },
  ]);
  expect(conflicts.isRead).toBe(true);
  // Once for the conflict, once when all were read.
  expect(changes).toBe(2);

  // A result is kept while no dashboard is open; another version is read again.
  conflicts.stop();
  look('1');
  await clock.advance(5_000);
  expect(asked).toHaveLength(3);
  taken.clear();
  look('2');
  expect(conflicts.isRead).toBe(false);
  await clock.advance(5_000);
  expect(asked).toEqual([...names, 't1.a.example.org']);
  expect(conflicts.found.size).toBe(0);
  expect(changes).toBe(3);
  conflicts.stop();
  expect(clock.pending).toBe(0);
});
