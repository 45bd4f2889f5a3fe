import type { Row } from '../../../contract/live.ts';

type Rows = ReadonlyMap<string, Row>;

/** What made one state of a list from another. */
export interface RowsChange {
  /** Rows that are new, or that took the place of another. */
  readonly came: readonly Row[];
  /** Rows that left, or whose place another took. */
  readonly gone: readonly Row[];
}

interface Step extends RowsChange {
  readonly from: number;
}

interface Descent {
  readonly id: number;
  /** The last changes that led here, oldest first. The states between are not held, only what changed. */
  readonly steps: readonly Step[];
  /** What changed since the state that was asked about last: many ask about the same two. */
  asked?: { readonly from: number; readonly change: RowsChange };
}

/** So many changes are remembered: what shows a list is rarely further behind. */
const remembered = 16;
const descents = new WeakMap<Rows, Descent>();
let lastId = 0;

function descentOf(rows: Rows): Descent {
  const known = descents.get(rows);
  if (known !== undefined) return known;
  lastId += 1;
  const made: Descent = { id: lastId, steps: [] };
  descents.set(rows, made);
  return made;
}

/** Notes that `next` is `from` after a change, so that who showed `from` need not look at every row again. */
export function noteChange(next: Rows, from: Rows, change: RowsChange): void {
  const { id, steps } = descentOf(from);
  lastId += 1;
  descents.set(next, { id: lastId, steps: [...steps, { ...change, from: id }].slice(-remembered) });
}

/** What changed between two states of a list; undefined where that is not known, and every row has to be looked at. */
export function changeBetween(from: Rows, next: Rows): RowsChange | undefined {
  if (from === next) return { came: [], gone: [] };
  const { id } = descentOf(from);
  const descent = descentOf(next);
  if (descent.asked?.from === id) return descent.asked.change;
  const { steps } = descent;
  const first = steps.findIndex((step) => step.from === id);
  if (first < 0) return undefined;
  const change = joined(steps.slice(first));
  descent.asked = { from: id, change };
  return change;
}

/** Several changes as one. */
function joined(steps: readonly RowsChange[]): RowsChange {
  const [only, ...others] = steps;
  if (only !== undefined && others.length === 0) return { came: only.came, gone: only.gone };
  const came = new Map<string, Row>();
  const gone = new Set<Row>();
  for (const step of steps) {
    for (const row of step.gone) {
      if (came.get(row[0]) === row) came.delete(row[0]);
      else gone.add(row);
    }
    for (const row of step.came) came.set(row[0], row);
  }
  return { came: [...came.values()], gone: [...gone] };
}
