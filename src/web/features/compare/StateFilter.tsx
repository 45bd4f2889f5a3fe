import { type ComparedObject, type ComparedState, comparedStates } from '../../../contract/compare.ts';
import type { Tone } from '../../../registry/tone.ts';
import { Glyph } from '../../kit/marks.tsx';

/** Which objects of a comparison show. */
export type StateChoice = ComparedState | 'all';

/** Reads it from the address: everything for anything else. */
export const shownAs = (text: string | undefined): StateChoice =>
  comparedStates.find((one) => one === text) ?? 'all';

/** Whether an object of a state shows. */
export const isShown = (state: ComparedState, shown: StateChoice): boolean =>
  shown === 'all' || state === shown;

/** The look of each state. */
export const stateTones: Readonly<Record<ComparedState, Tone>> = {
  differs: 'warn',
  left: 'info',
  right: 'info',
  equal: 'ok',
};

/** A state in words. @param titles of the two places */
export function stateText(state: ComparedState, [left, right]: readonly [string, string]): string {
  if (state === 'differs') return 'Differs';
  if (state === 'equal') return 'Equal';
  return `Only in ${state === 'left' ? left : right}`;
}

interface StateFilterProps {
  readonly objects: readonly ComparedObject[];
  readonly shown: StateChoice;
  readonly titles: readonly [left: string, right: string];
  readonly onShow: (shown: StateChoice) => void;
}

/** How many objects are of each state; pressing one shows those alone. */
export function StateFilter({ objects, shown, titles, onShow }: StateFilterProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1" role="group" aria-label="Objects to show">
      {(['all', ...comparedStates] as const).map((one) => (
        <button
          key={one}
          type="button"
          className="inline-flex max-w-full items-center gap-1.5 rounded-sm border border-border px-2 py-0.75 text-text-2 focus-visible:-outline-offset-2 aria-pressed:border-accent aria-pressed:bg-fill aria-pressed:text-text"
          aria-pressed={one === shown}
          onClick={() => onShow(one === shown ? 'all' : one)}
        >
          {one !== 'all' && <Glyph tone={stateTones[one]} size={11} />}
          <span className="min-w-0 truncate">{one === 'all' ? 'All' : stateText(one, titles)}</span>
          <b className="font-semibold">{objects.filter(({ state }) => isShown(state, one)).length}</b>
        </button>
      ))}
    </div>
  );
}
