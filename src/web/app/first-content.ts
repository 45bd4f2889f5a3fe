import type { ListTarget } from '../data/live/targets.ts';
import { listTargetAt } from '../features/list/list-target.ts';
import type { App } from './app.ts';

/** Maximum time that a first list without rows keeps the rest of the page back, ms. */
const patience = 4_000;

/** The list that an address opens, as far as the page knows it before its screen is there. */
export function firstList({ data, tiles, registry, kept }: App): ListTarget | undefined {
  const href = tiles.workspace.href();
  return listTargetAt(href, registry.match(href), data.kinds, kept.columnChoices.get());
}

/**
 * Calls `run` once after the first screen has its content: a list its first rows, or what it says without rows; any
 * other screen is as soon as it is drawn.
 * @returns a function that calls it off
 */
export function afterFirstContent(app: App, run: () => void): () => void {
  const target = firstList(app);
  if (target === undefined) {
    run();
    return () => undefined;
  }
  const { known } = app.data;
  const isThere = () => {
    const list = known.get(target);
    return list !== undefined && (list.rows.size > 0 || list.complete || list.state.status !== 'loading');
  };
  if (isThere()) {
    run();
    return () => undefined;
  }
  const end = () => {
    clearTimeout(timer);
    stop();
  };
  const go = () => {
    end();
    run();
  };
  const timer = setTimeout(go, patience);
  const stop = known.subscribe(target, () => {
    if (isThere()) go();
  });
  return end;
}
