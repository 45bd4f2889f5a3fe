import type { IconName } from '../../../registry/icon-name.ts';
import { iconOfKind } from '../../core/kinds/listed.ts';

/** The icon of a kind by its id or name; that of any object for a kind without a file. */
export const iconOf = (kind: string | undefined): IconName =>
  kind === undefined ? 'object' : iconOfKind(kind);
