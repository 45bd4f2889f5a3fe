import { describe, expect, test } from 'vitest';
import { holds } from '../../../src/registry/commands/registry.ts';
import type { Entry } from '../../../src/web/features/palette/entries.ts';
import type { PaletteOpening } from '../../../src/web/features/palette/opening.ts';
import { ask, moments } from './moments.ts';
import { actsOnNames, names, type Wanted } from './wanted.ts';
import { commands, furtherWords, lists } from './wanted-commands.ts';
import * as wanted from './wanted-moments.ts';

/** `title (note)`, with the namespace or the cluster where that is asked for. */
function isWanted(entry: Entry | undefined, text: string): boolean {
  const [, title = text, told] = /^(.*?)(?: \((.*)\))?$/.exec(text) ?? [];
  if (entry?.title !== title || entry.reason !== undefined) return false;
  return (told ?? '').split(/ (?=@)|^(?=@)/).every((part) => {
    if (part === '') return true;
    if (part.startsWith('@')) return entry.cluster?.name === part.slice(1);
    if (part.startsWith('in ')) return entry.namespace === part.slice(3);
    return entry.note === part;
  });
}

/** Whether an action may change something in a cluster, and the person may not do it. */
const changes = ({ act, reason }: Entry): boolean =>
  act.type === 'command' &&
  act.command.type === 'action' &&
  act.command.needs !== undefined &&
  reason === undefined;

/** What people who only view are never offered. */
const nothing = 'nothing that changes';

function isFirst(query: string, entry: string, opening: PaletteOpening): boolean {
  const { entries } = ask(query, opening);
  if (entry !== nothing) return isWanted(entries[0], entry);
  const { may } = opening;
  return !entries.some(
    (one) => changes(one) && one.act.type === 'command' && !holds(one.act.command.needs, may),
  );
}

const told = (query: string, opening: PaletteOpening): string =>
  ask(query, opening)
    .entries.slice(0, 4)
    .map(({ title, note, namespace, cluster, section }) =>
      [title, note, namespace, cluster?.name, section].join('|'),
    )
    .join('; ');

interface Table {
  readonly moment: keyof typeof moments;
  readonly rows: Wanted;
  /** Every row must hold: acts on the thing in hand, and names. */
  readonly matters: boolean;
}

const tables: Readonly<Record<string, Table>> = {
  'acts on names': { moment: 'dashboard', rows: actsOnNames, matters: true },
  names: { moment: 'dashboard', rows: names, matters: true },
  lists: { moment: 'dashboard', rows: lists, matters: false },
  commands: { moment: 'dashboard', rows: commands, matters: false },
  'further words': { moment: 'dashboard', rows: furtherWords, matters: false },
  'no cluster': { moment: 'home', rows: wanted.home, matters: false },
  'a pod in its list': { moment: 'podRow', rows: wanted.podRow, matters: true },
  'three selected pods': { moment: 'selection', rows: wanted.selection, matters: true },
  'the page of a deployment': { moment: 'deploymentPage', rows: wanted.deploymentPage, matters: true },
  'a node in its list': { moment: 'nodeRow', rows: wanted.nodeRow, matters: true },
  'the log of a pod': { moment: 'log', rows: wanted.log, matters: false },
  'a release': { moment: 'release', rows: wanted.release, matters: true },
  'somebody who may only view': { moment: 'viewer', rows: wanted.viewer, matters: true },
  'one tile': { moment: 'viewer', rows: wanted.oneTile, matters: false },
  'two tiles': { moment: 'tiles', rows: wanted.tiles, matters: false },
  'a held change': { moment: 'held', rows: wanted.held, matters: true },
};

const failures = ({ moment, rows }: Table): readonly string[] =>
  rows
    .filter(([query, entry]) => !isFirst(query, entry, moments[moment]))
    .map(([query, entry]) => `“${query}” wants ${entry}: ${told(query, moments[moment])}`);

describe('the first entry of the palette is what a person wants', () => {
  test.each(Object.entries(tables).filter(([, { matters }]) => matters))('always: %s', (_, table) => {
    expect(failures(table)).toEqual([]);
  });

  test('for 95 of 100 of all queries', () => {
    const all = Object.values(tables);
    const count = all.reduce((sum, { rows }) => sum + rows.length, 0);
    expect(count).toBeGreaterThanOrEqual(150);
    const failed = all.flatMap(failures);
    expect(failed.length / count, failed.join('\n')).toBeLessThanOrEqual(0.05);
  });
});
