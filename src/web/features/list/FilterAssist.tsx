import type { Completion } from '../../../registry/filter/complete.ts';
import type { FilterProblem } from '../../../registry/filter/parse.ts';
import { menuItem, menuSub } from '../../kit/menu.ts';
import { completionId } from './completion-id.ts';

interface FilterAssistProps {
  /** Of the listbox; other ids are made of it. */
  readonly id: string;
  readonly completions: readonly Completion[];
  /** Which of them is marked; -1 for none. */
  readonly at: number;
  readonly problem: FilterProblem | undefined;
  readonly onTake: (completion: Completion) => void;
}

const boxLook = [
  'absolute top-full left-0 z-menu mt-0.5 w-max max-w-[min(34rem,calc(100vw-1rem))] min-w-full overflow-hidden',
  'rounded-md border border-border bg-overlay text-(length:--text-xs) shadow-menu',
].join(' ');
const helpLook =
  'px-2 py-1 text-text-2 data-wrong:text-bad-fg [&:not(:first-child)]:border-t [&:not(:first-child)]:border-hairline';

/** What hangs below the filter while it has the keys: how to go on, and what is wrong or how filters are written. */
export function FilterAssist({ id, completions, at, problem, onTake }: FilterAssistProps) {
  return (
    // The field keeps the keys whatever is pressed here.
    <div className={boxLook} data-part="filter-assist" onPointerDown={(event) => event.preventDefault()}>
      {completions.length > 0 && (
        <div id={id} role="listbox" aria-label="Ways to go on" className="p-1">
          {completions.map((completion, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above holds focus and keys
            <div
              key={completion.text}
              id={completionId(id, index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              data-highlighted={index === at || undefined}
              className={menuItem()}
              onClick={() => onTake(completion)}
            >
              <span className="mono min-w-0 truncate">{completion.text}</span>
              <span className={`ml-auto flex-none pl-3 ${menuSub}`}>{completion.note}</span>
            </div>
          ))}
        </div>
      )}
      <p id={`${id}help`} className={helpLook} data-wrong={problem?.type === 'wrong' || undefined}>
        {problem?.text ?? (
          <>
            Words, or a column: <b>status:run</b> <b>restarts&gt;5</b> <b>-not</b> <b>this|that</b>. Type{' '}
            <b>?</b> for all.
          </>
        )}
      </p>
    </div>
  );
}
