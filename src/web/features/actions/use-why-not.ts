import type { Need } from '../../../contract/permissions.ts';
import { useCommands } from '../../core/commands.ts';

/** An act that somebody lacks a permission for, and its place. */
export interface RefusedAct {
  /** In words: `Scale`, `View pods`. */
  readonly what: string;
  readonly needs: Need;
  /** Id of the cluster; without one it is about the organisation. */
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
}

/** What is needed, as `help.whyNot` takes it. */
const needsText = (needs: Need): string => (typeof needs === 'string' ? needs : needs.join(','));

/** Says which permission is missing where, and who can grant it: the answer of “Why can I not …”. */
export function useWhyNot(): (refused: RefusedAct) => void {
  const { run, whole } = useCommands();
  return ({ what, needs, cluster, namespace }) => {
    const args = { what, needs: needsText(needs), ...(namespace === undefined ? {} : { namespace }) };
    const subject =
      cluster === undefined ? ({ type: 'none' } as const) : ({ type: 'cluster', cluster } as const);
    // Where the other commands cannot be had, that was said.
    whole().then(
      () => run('help.whyNot', args, { subject, source: 'menu' }),
      () => undefined,
    );
  };
}
