import type { ObjectRef, Subject } from './command.ts';

type Refs = readonly ObjectRef[];

/** What could be meant when a command is asked for, most explicit first. */
export interface SubjectSources {
  /** Named by whoever asked: a menu, a button, the arguments. */
  readonly args?: Refs;
  /** The selected rows of the focused view. */
  readonly selection?: Refs;
  /** The row under its cursor. */
  readonly row?: ObjectRef | undefined;
  /** The object its route shows. */
  readonly tile?: ObjectRef | undefined;
  /** Id of the selected cluster. */
  readonly cluster?: string | undefined;
}

function objects(refs: Refs | undefined, from: 'args' | 'selection' | 'row' | 'tile'): Subject | undefined {
  const [first, ...rest] = refs ?? [];
  return first === undefined ? undefined : { type: 'objects', refs: [first, ...rest], from };
}

const one = (ref: ObjectRef | undefined): Refs => (ref === undefined ? [] : [ref]);

/** What a command acts on: explicit references, else the selection, the row, the object on screen, the cluster. */
export function resolveSubject({ args, selection, row, tile, cluster }: SubjectSources): Subject {
  return (
    objects(args, 'args') ??
    objects(selection, 'selection') ??
    objects(one(row), 'row') ??
    objects(one(tile), 'tile') ??
    (cluster === undefined ? { type: 'none' } : { type: 'cluster', cluster })
  );
}
