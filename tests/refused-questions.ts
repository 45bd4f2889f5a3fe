import { commands } from '../commands/index.ts';
import { kindById } from '../commands/kinds/index.ts';
import type { Command } from '../src/registry/commands/command.ts';
import type { Subject } from '../src/registry/commands/invocation.ts';
import { kindsWithoutFile } from '../src/registry/commands/kind-commands.ts';
import { type ContextKeys, clausesOf, valuesOf, type When } from '../src/registry/commands/when.ts';
import { isOffered } from '../src/web/features/palette/command-entries.ts';
import { refusedCandidates } from '../src/web/features/palette/refused-entries.ts';
import { openingWith, pageContext, registry } from './web/palette-moment.ts';

/** Where somebody asks: ids of a cluster and a team that they see. */
interface AskedPlace {
  readonly clusterId: number;
  readonly teamId: number;
}

/** A question of the palette: what `help.whyNot` runs with. */
export interface RefusedQuestion {
  readonly args: Readonly<Record<string, unknown>>;
  readonly subject: Subject;
}

/** Whether somebody can lack a right for a command. */
export const canBeRefused = (command: Command): boolean =>
  command.needs !== undefined ||
  (command.type !== 'template' && (command.access === 'owner' || command.access === 'team'));

/** The commands that need a right and that the palette offers whoever has it. */
export const guardedCommands: readonly Command[] = commands.filter(
  (command) => canBeRefused(command) && isOffered(command),
);

/** A context in which a command exists, of a person who is no Owner and no TeamAdmin. */
export function contextFor({ when }: { readonly when?: When | undefined }): ContextKeys {
  const [clause = {}] = when === undefined ? [] : clausesOf(when);
  const wanted = Object.fromEntries(
    Object.entries(clause).map(([key, value]) => [key, valuesOf(value)[0] ?? '']),
  );
  return { ...pageContext, ...wanted, role: 'member', team: 'none' };
}

/** What the palette of somebody without any right asks about a command; undefined where it asks nothing. */
export function questionAbout(
  command: Command,
  { clusterId, teamId }: AskedPlace,
): RefusedQuestion | undefined {
  const context = contextFor(command);
  const on = command.type === 'action' ? command.actsOn?.[0] : undefined;
  const kind = on === kindsWithoutFile ? 'example.com~v1~things' : on;
  const declared = kind === undefined ? undefined : kindById(kind);
  const opening = openingWith({
    clusterId,
    context,
    may: () => false,
    here:
      context.route === 'teams.one' || command.id.startsWith('teams.') ? `/settings/teams/${teamId}` : '/',
    subject:
      kind === undefined
        ? { type: 'cluster', cluster: String(clusterId) }
        : {
            type: 'objects',
            refs: [
              {
                cluster: String(clusterId),
                kind,
                name: 'web',
                ...(declared?.scope === 'Cluster' ? {} : { namespace: 'shop' }),
              },
            ],
            from: 'row',
          },
  });
  const own = declared === undefined ? undefined : { kind: declared, refused: [command.id] };
  const found = refusedCandidates(registry, opening, own).find(
    ({ entry }) => entry.id === `why ${command.id}`,
  );
  return found?.entry.act.type === 'command' ? found.entry.act : undefined;
}
