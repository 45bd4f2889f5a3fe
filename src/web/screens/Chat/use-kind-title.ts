import { parseKindName } from '../../../registry/resource-key.ts';
import { kindById } from '../../core/kinds/declared.ts';

/** How one object of a kind is called: the Kubernetes kind where it is declared, else the word of its name. */
export const useKindTitle =
  () =>
  (kind: string): string =>
    kindById(kind)?.kind ?? parseKindName(kind)?.word ?? kind;
