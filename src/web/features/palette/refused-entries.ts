import { actionFactsById } from '../../../../commands/kinds/later-facts.ts';
import { lacking } from '../../../contract/needs.ts';
import type { Need } from '../../../contract/permissions.ts';
import { type Command, plainTitle } from '../../../registry/commands/command.ts';
import type { Subject } from '../../../registry/commands/invocation.ts';
import type { ActionFacts, KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { fitsSubject } from '../../../registry/palette/steps.ts';
import { type Lacked, lackingFor, type Registry } from '../../../registry/commands/registry.ts';
import { matches } from '../../../registry/commands/when.ts';
import { isOffered } from './command-entries.ts';
import type { Entry } from './entries.ts';
import type { PaletteOpening } from './opening.ts';
import { type Candidate, candidate } from './rank-entries.ts';

/** Heading of what the person may not do. */
const refusedHeading = 'Why can I not …';

/** Boost of what is refused on the palette's subject over the same on something else. */
const ownBoost = 300;

/** Actions on the palette's subject that the server refuses, with the kind of the subject. */
export interface RefusedActions {
  readonly kind: Pick<KindFacts, 'permissions'> & { readonly actions: readonly ActionFacts[] };
  /** Ids of the actions. */
  readonly refused: readonly string[];
}

/** The permissions that a command needs and the person lacks here; none for a command that they may run. */
function lackingOf(
  command: Command,
  { context, may, subject, clusterId }: PaletteOpening,
  own: RefusedActions | undefined,
): readonly Lacked[] {
  const action =
    own !== undefined && isForSubject(command, subject)
      ? own.kind.actions.find(({ id }) => id === command.id)
      : undefined;
  if (action !== undefined && own !== undefined) {
    const need: Need = action.needs ?? own.kind.permissions.manage;
    // What is held in another namespace is not held in this one: the server knows.
    if (own.refused.includes(action.id)) return typeof need === 'string' ? [need] : need;
    return lacking(need, may, context.role === 'admin');
  }
  const lacked = lackingFor(command, context, may);
  // Without a cluster nobody holds a permission, and nothing is kept from anybody.
  return clusterId === undefined && subject.type !== 'objects' && !isOfOrganisation(lacked) ? [] : lacked;
}

const isOfOrganisation = (lacked: readonly Lacked[]): boolean =>
  lacked.includes('owner') || lacked.includes('team');

const isForSubject = (command: Command, subject: Subject): boolean =>
  command.type === 'action' && command.actsOn !== undefined && fitsSubject(command.actsOn, subject);

/** The question that a person would ask: `Why can I not scale checkout?` */
function questionOf(command: Command, { subject }: PaletteOpening): string {
  const title = (typeof command.title === 'string' ? plainTitle(command) : (command.prompt ?? '')).replace(
    /…$/,
    '',
  );
  const isView = command.type === 'route' || command.places?.includes('object-view') === true;
  const isVerb = !isView || /^open /i.test(title);
  const act = isVerb ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : `open ${title}`;
  if (!isForSubject(command, subject) || subject.type !== 'objects') return `Why can I not ${act}?`;
  const what = subject.refs.length === 1 ? subject.refs[0].name : `${subject.refs.length} objects`;
  return `Why can I not ${act}${isView ? ' of' : ''} ${what}?`;
}

/**
 * What the person may not do here, as questions: everything that would be offered to somebody with the permission.
 * Nothing before it is known what they may do.
 */
export function refusedCandidates(
  registry: Registry,
  opening: PaletteOpening,
  own: RefusedActions | undefined,
): readonly Candidate[] {
  if (!opening.isPermitted) return [];
  const explain = registry.has('help.whyNot') ? registry.get('help.whyNot') : undefined;
  if (explain === undefined) return [];
  const isHere = (command: Command) =>
    isOffered(command) &&
    matches(command.offered, opening.context) &&
    // As what one may do: an action on objects also where one can still be chosen.
    (matches(command.when, opening.context) || (command.type === 'action' && command.actsOn !== undefined));
  const clusterSubject: Subject =
    opening.clusterId === undefined
      ? { type: 'none' }
      : { type: 'cluster', cluster: String(opening.clusterId) };
  const team = registry.match(opening.here)?.params['teamId'];
  const questions = registry.commands.filter(isHere).flatMap((command) => {
    const missing = lackingOf(command, opening, own);
    if (missing.length === 0) return [];
    const title = questionOf(command, opening);
    const entry: Entry = {
      id: `why ${command.id}`,
      section: refusedHeading,
      title,
      note: noteOf(missing),
      icon: 'help',
      act: {
        type: 'command',
        command: explain,
        args: {
          what: plainTitleOf(command),
          needs: missing.includes('owner') ? 'owner' : missing.join(','),
          ...(missing.includes('team') && team !== undefined ? { team } : {}),
        },
        // What is of the organisation is of no cluster.
        subject: isForSubject(command, opening.subject)
          ? opening.subject
          : isOfOrganisation(missing)
            ? { type: 'none' }
            : clusterSubject,
      },
    };
    const words = [...(command.keywords ?? []), actionFactsById(command.id)?.title ?? ''];
    return [candidate(entry, words, isForSubject(command, opening.subject) ? ownBoost : 0)];
  });
  const isOwn = ({ boost }: Candidate) => Number(boost >= ownBoost);
  return questions.toSorted((a, b) => isOwn(b) - isOwn(a));
}

function noteOf(missing: readonly Lacked[]): string {
  if (missing.includes('owner')) return 'for Owners';
  return missing.includes('team') ? 'for TeamAdmins of the team and Owners' : `needs ${missing.join(', ')}`;
}

const plainTitleOf = (command: Command): string =>
  (typeof command.title === 'string' ? command.title : (command.prompt ?? command.id)).replace(/…$/, '');
