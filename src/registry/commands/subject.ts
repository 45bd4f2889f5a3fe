import type { ObjectRef, Subject } from './invocation.ts';

type Refs = readonly ObjectRef[];

/** The candidates for a command's subject, most explicit first. */
export interface SubjectSources {
  /** Given by the caller: a menu, a button, the arguments. */
  readonly args?: Refs;
  /** The selected rows of the focused view. */
  readonly selection?: Refs;
  /** The row under the cursor. */
  readonly row?: ObjectRef | undefined;
  /** The object that the tile's route shows. */
  readonly tile?: ObjectRef | undefined;
  /** Id of the selected cluster. */
  readonly cluster?: string | undefined;
}

function objects(refs: Refs | undefined, from: 'args' | 'selection' | 'row' | 'tile'): Subject | undefined {
  const [first, ...rest] = refs ?? [];
  return first === undefined ? undefined : { type: 'objects', refs: [first, ...rest], from };
}

const one = (ref: ObjectRef | undefined): Refs => (ref === undefined ? [] : [ref]);

/**
 * Resolves what a command acts on: explicit references, else the selection, the row, the object on screen, the cluster.
 */
export function resolveSubject({ args, selection, row, tile, cluster }: SubjectSources): Subject {
  return (
    objects(args, 'args') ??
    objects(selection, 'selection') ??
    objects(one(row), 'row') ??
    objects(one(tile), 'tile') ??
    (cluster === undefined ? { type: 'none' } : { type: 'cluster', cluster })
  );
}
