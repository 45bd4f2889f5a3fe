import type { UseQueryResult } from '@tanstack/react-query';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import { kindsWithoutFile } from '../../../registry/commands/kind-commands.ts';
import type { PaletteStep } from '../../../registry/palette/steps.ts';
import { isDeclared, listedKinds } from '../../core/kinds/listed.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { useNow } from '../../data/now.ts';
import { Optional } from '../../kit/Optional.tsx';
import type { Content } from './content.ts';
import { bounded, type Entry } from './entries.ts';
import type { Frame } from './frames.ts';
import { withExcluded } from './object-entries.ts';
import type { PaletteOpening } from './opening.ts';
import type { Pending } from './pending.ts';
import { candidate, rankEntries } from './rank-entries.ts';
import {
  clusterChoices,
  companyChoices,
  filterChoices,
  invitationChoices,
  memberChoices,
  namespaceChoices,
  objectChoices,
  optionChoices,
  personChoices,
  resourceChoices,
  revisionChoices,
  teamChoices,
  troubleChoices,
} from './step-choices.ts';
import { StepPreview } from './StepPreview.tsx';
import { presentValue, typedContent } from './typed-argument.ts';
import { type StepData, useStepData } from './use-step-data.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

// The palette opens without it.
const TemplateChange = lazyPart(async () => (await import('../actions/TemplateChange.tsx')).TemplateChange);

/** The level of the palette that asks for one argument: its choices, or the reading of what is typed. */
export function useStep(
  opening: PaletteOpening,
  pending: Pending | undefined,
  step: PaletteStep | undefined,
  frame: Pick<Frame, 'text' | 'showsExcluded'>,
): Content {
  const { text } = frame;
  const now = useNow();
  const data = useStepData(opening, pending, step, frame);
  if (pending === undefined || step === undefined) return { entries: [], placeholder: '' };
  switch (step.type) {
    case 'subject':
    case 'object':
      return {
        entries: bounded(
          withExcluded(objectChoices(data.objects.hits, text, data.clusters), data.objects.excluded),
        ),
        placeholder: `Choose ${askedObject(step)} by its name`,
        isPending: data.objects.isPending,
        notes: data.objects.notes,
      };
    case 'resource': {
      const kinds = listedKinds(data.customKinds.data?.kinds ?? []).filter(({ id }) => !isDeclared(id));
      return {
        entries: bounded(resourceChoices(kinds, text)),
        placeholder: 'Choose a resource',
        isPending: data.customKinds.isFetching,
      };
    }
    case 'arg':
      return argContent(pending, step, { text, now, data, atHand: opening.atHand });
    default:
      return step satisfies never;
  }
}

/** What is to be chosen: `a Pod` where it has to be one. */
function askedObject(step: PaletteStep): string {
  const [kind, ...others] = step.type === 'subject' ? step.kinds : [];
  if (kind === undefined || others.length > 0 || kind === kindsWithoutFile) return 'an object';
  const label = kindLabel(kind);
  return `${/^[AEIO]/.test(label) ? 'an' : 'a'} ${label}`;
}

interface Moment {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly data: StepData;
  readonly atHand: PaletteOpening['atHand'];
}

/** The choices of an argument, ranked by what is typed, or the value that is typed. */
function argContent(
  pending: Pending,
  { name, arg }: Extract<PaletteStep, { readonly type: 'arg' }>,
  { text, now, data, atHand }: Moment,
): Content {
  const isRoute = pending.command.type === 'route';
  const preview = previewOf(pending, name);
  const placeholder = `Choose ${arg.label.toLowerCase()}`;
  const { facts, isReading } = data.facts;
  switch (arg.type) {
    case 'cluster':
      return {
        entries: ranked(clusterChoices(data.clusters, isRoute), text),
        placeholder: 'Choose a cluster',
      };
    case 'namespace':
      return {
        // A path needs a name; a filter does without one.
        entries: ranked(namespaceChoices(data.namespaces.data ?? [], !isRoute), text),
        placeholder: 'Choose a namespace',
        ...progressOf(data.namespaces),
      };
    case 'company':
      return {
        entries: ranked(companyChoices(data.companies.data?.companies ?? []), text),
        placeholder: 'Choose an organisation',
        ...progressOf(data.companies),
        empty: 'You belong to no other organisation.',
      };
    case 'person':
      return {
        entries: ranked(personChoices(data.members.data ?? [], atHand?.person), text),
        placeholder: 'Choose a person',
        ...progressOf(data.members),
      };
    case 'invitation':
      return {
        entries: ranked(
          invitationChoices(data.invitations.data?.invitations ?? [], atHand?.invitation),
          text,
        ),
        placeholder: 'Choose an invitation',
        ...progressOf(data.invitations),
        empty: 'No invitation is open.',
      };
    case 'trouble':
      return {
        entries: ranked(
          troubleChoices(data.troubles?.dashboard?.attention ?? [], data.clusterId, atHand?.trouble),
          text,
        ),
        placeholder: 'Choose an object that needs attention',
        isPending: data.clusterId !== undefined && data.troubles?.dashboard === undefined,
        empty:
          data.clusterId === undefined
            ? 'Select a cluster first.'
            : 'Nothing needs attention that you can view.',
      };
    case 'team':
      return {
        entries: ranked(teamChoices(data.teams.data ?? []), text),
        placeholder: 'Choose a team',
        ...progressOf(data.teams),
        empty: 'There is no team yet.',
      };
    case 'saved-filter':
      return {
        entries: ranked(filterChoices(data.filters.data ?? []), text),
        placeholder: 'Choose a filter',
        ...progressOf(data.filters),
        empty: 'No saved filters yet. Filter a list, then save the filter there.',
      };
    case 'choice':
      return { entries: ranked(optionChoices(arg), text), placeholder, preview };
    case 'revision':
      return revisionContent(data, text, now);
    case 'member': {
      // Only its members are choices, so Enter waits until they are read.
      if (isReading) return { entries: [], placeholder, isPending: true };
      const members = facts[arg.of];
      if (!Array.isArray(members)) break;
      return {
        entries: ranked(memberChoices(arg.label, members as readonly string[]), text),
        placeholder,
        preview,
      };
    }
    case 'number':
    case 'text':
    case 'map':
      break;
    default:
      return arg satisfies never;
  }
  return typedContent(arg, text, { present: presentValue(arg, pending, facts), preview });
}

function revisionContent({ revisions, self }: StepData, text: string, now: number): Content {
  const all = revisions.data?.revisions ?? [];
  return {
    // The one before comes first: it is what rolling back means. The current one cannot be chosen.
    entries: ranked(
      revisionChoices(
        all.toSorted((a, b) => Number(a.isCurrent) - Number(b.isCurrent)),
        self?.name,
        now,
      ),
      text,
    ),
    placeholder: 'Choose a revision',
    isPending: revisions.isPending,
    notes: notesOf(revisions),
    empty: 'The cluster keeps no earlier revision.',
    preview: (entry) => {
      const value = entry?.act.type === 'answer' ? entry.act.value : undefined;
      const chosen = all.find(({ revision }) => revision === value);
      return chosen === undefined ? null : (
        <Optional what="The change of the pod template">
          <TemplateChange
            revision={chosen.revision}
            current={revisions.data?.current}
            template={chosen.template}
          />
        </Optional>
      );
    },
  };
}

/** The entries that match what is typed, the best first. */
function ranked(entries: readonly Entry[], text: string): readonly Entry[] {
  const candidates = entries.map((entry) => candidate(entry, [entry.note ?? '']));
  return bounded(rankEntries(candidates, text).map(({ entry }) => entry));
}

const notesOf = ({ isError, error }: Pick<UseQueryResult, 'isError' | 'error'>): readonly string[] =>
  isError ? [sentenceOf(error)] : [];

const progressOf = (query: Pick<UseQueryResult, 'isFetching' | 'isError' | 'error'>) => ({
  isPending: query.isFetching,
  notes: notesOf(query),
});

/** Shows what the highlighted answer would change, where it is the last one that an action on objects needs. */
function previewOf(pending: Pending, name: string): Content['preview'] {
  const { command, subject, args } = pending;
  if (command.type !== 'action' || command.actsOn === undefined || subject.type !== 'objects')
    return undefined;
  if (Object.keys(command.args ?? {}).some((one) => one !== name && !(one in args))) return undefined;
  return (entry) =>
    entry?.act.type === 'answer' ? (
      <StepPreview
        acting={{ actionId: command.id, refs: subject.refs }}
        args={{ ...args, [name]: entry.act.value }}
      />
    ) : null;
}
