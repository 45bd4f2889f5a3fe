import type { Obj, Rec } from '../kit/values.ts';

/** Computes the cells of an object, by column name. */
export type Cells = (object: Obj, now: number) => Rec;
