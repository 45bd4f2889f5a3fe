import type { Relation } from './model.ts';

/** Dashes of the line that stands for a relation, in px of stroke and gap; the one of owners is whole. */
export const dashes: Readonly<Record<Relation, string | undefined>> = {
  owns: undefined,
  uses: '6 4',
  targets: '9 3 2 3',
  selects: '2 3',
};
