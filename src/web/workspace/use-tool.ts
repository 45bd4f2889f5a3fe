import { useLayoutEffect } from 'react';
import type { AtHand, FocusedTool, ToolTurn } from '../../registry/commands/services.ts';
import { useWorkspace } from './port.ts';
import { useView } from './view.ts';

/**
 * Offers what the view around this component shows to the keys, as it is at each render.
 * @param turns what can be done here; undefined where there is nothing to do it with at the moment
 * @param people those that are selected
 */
export function useTool(
  name: FocusedTool['name'],
  turns: Readonly<Partial<Record<ToolTurn, (() => void) | undefined>>>,
  people: readonly AtHand[] = [],
): void {
  const { tools } = useWorkspace();
  const { tab } = useView();
  // Before it is painted: a key that follows what somebody sees acts on it.
  useLayoutEffect(() =>
    tools.publish(tab, {
      name,
      people,
      turn: (what) => {
        turns[what]?.();
        return turns[what] !== undefined;
      },
    }),
  );
}

interface ShownAsProps extends Pick<FocusedTool, 'name'> {
  /** Saves what is edited; absent where there is nothing to save. */
  readonly save?: (() => void) | undefined;
  /** Leaves what is edited; absent while that would lose something. */
  readonly leave?: (() => void) | undefined;
  /** Moves the focus into the text. */
  readonly enter?: (() => void) | undefined;
}

/** Tells the keys what the view around it shows, and what can be done with it. */
export function ShownAs({ name, ...turns }: ShownAsProps): null {
  useTool(name, turns);
  return null;
}
