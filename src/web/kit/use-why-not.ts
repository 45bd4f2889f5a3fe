import type { RefusalQuestion } from '../../registry/commands/refusal-question.ts';
import type { Need } from '../../contract/permissions.ts';
import { useCommands } from '../core/commands.ts';

/** An act that somebody lacks a permission for, and its place. */
export interface RefusedAct extends Omit<RefusalQuestion, 'needs'> {
  readonly needs: Need;
}

/** The needs, as `help.whyNot` takes them. */
const needsText = (needs: string | readonly string[]): string =>
  typeof needs === 'string' ? needs : needs.join(',');

/** Says which permission is missing where, and who can grant it: the answer of “Why can I not …”. */
export function useWhyNot(): (refused: RefusedAct | RefusalQuestion) => void {
  const { run, whole } = useCommands();
  return ({ cluster, ...refused }) => {
    const args = { ...refused, needs: needsText(refused.needs) };
    const subject =
      cluster === undefined ? ({ type: 'none' } as const) : ({ type: 'cluster', cluster } as const);
    // Where the other commands cannot be had, that was said.
    whole().then(
      () => run('help.whyNot', args, { subject, source: 'menu' }),
      () => undefined,
    );
  };
}
