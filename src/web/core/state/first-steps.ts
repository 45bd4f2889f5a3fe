import { splitHref } from '../../../registry/path.ts';
import { type Keeper, persisted } from './persisted.ts';
import type { Cell } from './state.ts';
import { membersOf, parseStored } from './stored.ts';

/** Things that a newcomer is invited to try. */
export const firstSteps = ['palette', 'logs', 'filter', 'alerts'] as const;
export type FirstStep = (typeof firstSteps)[number];

/** Which of them a person has done; hidden once all are, or when the person says so. */
export interface FirstStepsState {
  readonly done: readonly FirstStep[];
  readonly isHidden: boolean;
}

/** The steps that somebody has done who is at this address: reading a log, filtering a list. */
export function stepsAt(href: string): readonly FirstStep[] {
  const search = new URLSearchParams(splitHref(href).search);
  const isFiltered = (search.get('q') ?? '') !== '' || (search.get('filter') ?? '') !== '';
  return [
    ...(search.get('view') === 'logs' ? (['logs'] as const) : []),
    ...(isFiltered ? (['filter'] as const) : []),
  ];
}

/** The state with these steps done; the same one where they were done before. */
export function withSteps(state: FirstStepsState, steps: readonly FirstStep[]): FirstStepsState {
  const done = firstSteps.filter((step) => state.done.includes(step) || steps.includes(step));
  return done.length === state.done.length ? state : { ...state, done };
}

const version = 1;

/** The stored steps; none done where nothing readable is stored. */
export function readFirstSteps(text: string | null): FirstStepsState {
  const { done, isHidden } = membersOf(parseStored(text), version);
  return {
    done: Array.isArray(done) ? firstSteps.filter((step) => done.includes(step)) : [],
    isHidden: isHidden === true,
  };
}

/** The steps as text to store. */
export function storeFirstSteps({ done, isHidden }: FirstStepsState): string {
  return JSON.stringify({ version, done, isHidden });
}

/** The first steps of each person, kept in this browser. Every call for a person returns the same cell. */
export function createFirstSteps(keeper: Keeper): (userId: number) => Cell<FirstStepsState> {
  const cells = new Map<number, Cell<FirstStepsState>>();
  return (userId) => {
    const known =
      cells.get(userId) ??
      persisted(
        { key: `wheelhouse.firstSteps.${userId}`, read: readFirstSteps, write: storeFirstSteps },
        keeper,
      );
    cells.set(userId, known);
    return known;
  };
}
