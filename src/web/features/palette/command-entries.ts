import { type Command, plainTitle } from '../../../registry/commands/command.ts';
import type { Subject } from '../../../registry/commands/invocation.ts';
import { kindsWithoutFile } from '../../../registry/commands/kind-commands.ts';
import type { Verb } from '../../../registry/palette/intent.ts';
import { fitsKind } from '../../../registry/commands/object-views.ts';
import { fitsSubject, missingSteps } from '../../../registry/palette/steps.ts';
import { wordsOf } from '../../../registry/palette/words.ts';
import { paramNames } from '../../../registry/path.ts';
import { holds, isAllowed, type Registry } from '../../../registry/commands/registry.ts';
import { tiers } from '../../../registry/palette/rank.ts';
import { clausesOf, matches, valuesOf } from '../../../registry/commands/when.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import type { Entry } from './entries.ts';
import type { PaletteOpening } from './opening.ts';
import { type Candidate, candidate } from './rank-entries.ts';

/** Whether a command exists only while something lies over the page, which is gone before the palette runs anything. */
const isOfOverlay = ({ when }: Command): boolean =>
  when !== undefined &&
  clausesOf(when).every(({ overlay }) => overlay !== undefined && !valuesOf(overlay).includes('none'));

/**
 * Whether the palette offers a command. It does not offer itself, its own keys and those of other overlays, screens
 * without chrome, and routes whose title comes from their arguments alone (the second address of a page).
 */
export function isOffered(command: Command): boolean {
  if (command.id === 'palette.open' || isOfOverlay(command)) return false;
  if (command.type !== 'route') return true;
  if (typeof command.title !== 'string' && command.prompt === undefined) return false;
  return command.bare !== true;
}

/** Arguments that the context gives: the selected cluster of a path. Whom a command is about is always asked. */
function givenArgs(command: Command, opening: PaletteOpening): Readonly<Record<string, unknown>> {
  if (command.type !== 'route' || opening.clusterId === undefined) return {};
  return paramNames(command.path).includes('clusterId') ? { clusterId: String(opening.clusterId) } : {};
}

/** Whether a command is there for this moment: an action on objects also where one can still be chosen. */
export function isThere(command: Command, { context, may }: PaletteOpening): boolean {
  if (!isAllowed(command, context, may)) return false;
  if (!matches(command.offered, context)) return false;
  if (matches(command.when, context)) return true;
  return command.type === 'action' && command.actsOn !== undefined;
}

/** The subject of a chosen command: the palette's subject if it fits. */
function subjectFor(command: Command, { subject, clusterId }: PaletteOpening): Subject {
  const none: Subject =
    clusterId === undefined ? { type: 'none' } : { type: 'cluster', cluster: String(clusterId) };
  if (command.type !== 'action' || command.actsOn === undefined) return subject;
  return fitsSubject(command.actsOn, subject) ? subject : none;
}

/** The title of a command before its arguments are known: with dots where the palette will ask. */
function promptOf(command: Command, asks: boolean): string {
  const title = command.prompt ?? plainTitle(command);
  return asks && !/[…?]$/.test(title) ? `${title}…` : title;
}

/** Most kinds that an action is named after: what more have, anything has. */
const maxKinds = 3;
/** Boost of actions on the palette's subject over the same actions on something else. */
export const ownBoost = 300;
/** A list comes before what is done to one of its objects: `svc` means Services. */
export const listBoost = 200;
/** A keyword typed whole comes after the beginning of a title, several words together before it. */
const [keywordTier, phraseTier] = [tiers.prefix - 0.5, tiers.prefix + 0.5];
/** Longest keyword that is a name of its own rather than the beginning of a title: `sh` is not meant as `Show`. */
const longestShort = 3;
/** Of such a keyword: in the tier of whole titles also after what is taken off for what asks for more. */
const shortTier = tiers.equal + 0.1;
/** Boost of commands of the focused view over the same commands elsewhere. */
const viewBoost = 100;
/** A log, graph or text has the keyboard for itself: what it does comes before what its object can be told. */
const toolBoost = 400;
/** What there is to do at this moment only comes before everything else of its name. */
const momentaryBoost = 450;
/** What must ask for an object first comes after what can be done at once. */
const askingBoost = -100;

/** Whether a command is one of the focused view's own: of a list, a log, a graph. */
const isOfView = ({ when }: Command, { context: { focus } }: PaletteOpening): boolean =>
  when !== undefined && clausesOf(when).some((clause) => clause.focus === focus);

/** Whether an entry is something to do with the thing in hand, or of the focused view. */
export const isAtHand = ({ act }: Entry, opening: PaletteOpening): boolean =>
  act.type === 'command' &&
  (isOwn(act.command, opening) || isOfView(act.command, opening) || act.command.offered !== undefined);

/** How far a command comes before others that the same text finds equally well. */
function boostOf(command: Command, opening: PaletteOpening): number {
  if (command.offered !== undefined) return momentaryBoost;
  if (isOwn(command, opening)) return ownBoost;
  if (isOfView(command, opening))
    return opening.context.focus === 'table' || opening.context.focus === 'page' ? viewBoost : toolBoost;
  if (command.type === 'route' && command.shows === 'list') return listBoost;
  return command.type === 'action' && command.actsOn !== undefined ? askingBoost : 0;
}

/**
 * How well a command is found by one of its keywords typed whole. A list's aliases are its names, and of what is at hand
 * people use any word; whatever else has keywords is meant by them less than by its title.
 */
function keywordTierOf(command: Command, entry: Entry, opening: PaletteOpening): (keyword: string) => number {
  const isName = (command.type === 'route' && command.shows === 'list') || isAtHand(entry, opening);
  return (keyword) => {
    if (isName) return tiers.equal;
    if (keyword.length <= longestShort) return shortTier;
    return keyword.includes(' ') ? phraseTier : keywordTier;
  };
}

/** The kinds that an action is for, in words; none for an action of nearly every kind. */
function kindsOf(command: Command): readonly string[] {
  if (command.type !== 'action' || command.actsOn === undefined) return [];
  if (command.actsOn.length > maxKinds) return [];
  return command.actsOn.map((kind) => (kind === kindsWithoutFile ? 'custom resources' : kindLabel(kind)));
}

/**
 * Every word by which people name the kinds that an action is for: `delete pod` finds what deletes anything.
 * @param own only the kinds of this subject: on a Deployment `delete pod` does not mean the Deployment
 */
export function kindWords(command: Command, own?: Subject): readonly string[] {
  if (command.type !== 'action' || command.actsOn === undefined) return [];
  const isMeant = (id: string) =>
    own?.type !== 'objects' || own.refs.some(({ kind }) => fitsKind([id], kind));
  return command.actsOn.filter(isMeant).flatMap(wordsOfKind);
}

/** Every word by which people name a kind. */
function wordsOfKind(id: string): readonly string[] {
  if (id === kindsWithoutFile) return ['custom', 'resource'];
  const { title = '', aliases = [] } = kindById(id) ?? {};
  return [kindLabel(id), title, ...aliases];
}

/** The kinds that a text names among those that a command takes: `delete pod` asks for a pod. Undefined where it names none. */
export function kindsNamed(command: Command, text: string): readonly string[] | undefined {
  if (command.type !== 'action' || command.actsOn === undefined) return undefined;
  const words = wordsOf(text);
  const named = command.actsOn.filter((id) =>
    wordsOfKind(id).some((word) => words.includes(word.toLowerCase())),
  );
  return named.length === 0 ? undefined : named;
}

/** Whether a command is for what the palette was opened on. */
export const isOwn = (command: Command, { subject }: PaletteOpening): boolean =>
  command.type === 'action' && command.actsOn !== undefined && fitsSubject(command.actsOn, subject);

/** The kind that an action is for: several kinds have actions with the same title. */
function noteOf(command: Command, { subject }: PaletteOpening, isForIt: boolean): string | undefined {
  if (!isForIt) return kindsOf(command).join(', ') || undefined;
  if (subject.type !== 'objects') return undefined;
  return subject.refs.length === 1 ? subject.refs[0].name : `${subject.refs.length} selected`;
}

/** The keys of a command; undefined where they do something else in the focused view. */
const keysHere = (command: Command, { keysOf, context }: PaletteOpening): string | undefined =>
  command.type !== 'action' || matches(command.keysWhen, context) ? keysOf(command.id) : undefined;

/** One command as an entry, under the heading of its group or another. */
export function commandEntry(
  command: Command,
  opening: PaletteOpening,
  section: string = command.group,
): Entry {
  const args = givenArgs(command, opening);
  const subject = subjectFor(command, opening);
  const steps = missingSteps(command, { args, subject });
  const enabled =
    steps.length > 0 || command.enabled === undefined
      ? true
      : command.enabled({ args: args as never, subject, source: 'palette', target: 'here' });
  return {
    id: `command ${command.id}`,
    section,
    title:
      steps.length > 0 || command.prompt === undefined
        ? promptOf(command, steps.length > 0)
        : plainTitle(command, args as never),
    note: noteOf(command, opening, isOwn(command, opening)),
    icon: command.icon,
    keys: keysHere(command, opening),
    reason: enabled === true ? undefined : enabled,
    act: { type: 'command', command, args, subject },
  };
}

/** Every command of the moment, ready to be ranked. */
export function commandCandidates(registry: Registry, opening: PaletteOpening): readonly Candidate[] {
  return registry.commands
    .filter((command) => isOffered(command) && isThere(command, opening))
    .map((command) => {
      const entry = commandEntry(command, opening);
      const keywords = command.keywords ?? [];
      return candidate(
        entry,
        [
          ...keywords,
          command.group,
          ...kindWords(command, isOwn(command, opening) ? opening.subject : undefined),
        ],
        boostOf(command, opening),
        {
          words: keywords,
          tierOf: keywordTierOf(command, entry, opening),
        },
      );
    });
}

/** Every action on objects of the moment, with the words for the kinds it takes: a query may name one beside an object. */
export function verbsOf(registry: Registry, opening: PaletteOpening): readonly Verb[] {
  return registry.commands
    .filter((command) => command.type === 'action' && command.actsOn !== undefined)
    .filter((command) => isOffered(command) && holds(command.needs, opening.may))
    .map((command) => ({
      command,
      kindWords: kindWords(command).map((word) => word.toLowerCase()),
    }));
}

/** Every command of the moment that acts on no object: a query that is its title names none. */
export function othersOf(registry: Registry, opening: PaletteOpening): readonly Command[] {
  return registry.commands.filter(
    (command) =>
      (command.type !== 'action' || command.actsOn === undefined) &&
      isOffered(command) &&
      isThere(command, opening),
  );
}
