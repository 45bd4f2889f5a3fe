import { splitHref } from '../../../registry/path.ts';
import type { FirstStep } from '../../core/state/first-steps.ts';
import { parseSearch } from '../../workspace/search.ts';

/** What tells of the first steps: addresses the person was at, and how many commands they ran from the palette. */
export interface Traces {
  readonly places: readonly string[];
  readonly runs: number;
}

/** The steps that these traces show to be done. */
export function stepsIn({ places, runs }: Traces): readonly FirstStep[] {
  const searches = places.map((href) => parseSearch(splitHref(href).search));
  return [
    ...(runs > 0 ? (['palette'] as const) : []),
    ...(searches.some(({ view }) => view === 'logs') ? (['logs'] as const) : []),
    ...(searches.some(({ q }) => q !== undefined && q !== '') ? (['filter'] as const) : []),
  ];
}
