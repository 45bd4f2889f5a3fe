import type { ObjectBody } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { namespaceOf } from './address.ts';
import { isTooDeep, maxDepth } from './present.ts';

/** An object as it is sent to its collection. */
export interface NewObject {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly body: ObjectBody;
}

/** Throws Problem 400 for an object or change of more levels than are sent. */
export function requireShallow(value: unknown): void {
  if (!isTooDeep(value)) return;
  throw new Problem({
    status: 400,
    title: `This has more than ${maxDepth} levels of nesting, the maximum that this console sends.`,
  });
}

/** An object with what its kind and the call say of it. Throws Problem 400 when it is of another kind or namespace. */
export function newObjectOf(kind: AnyKind, object: ObjectBody, wanted: string | undefined): NewObject {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  if ((object.kind ?? kind.kind) !== kind.kind || (object.apiVersion ?? apiVersion) !== apiVersion) {
    throw new Problem({
      status: 400,
      title: `This is a ${object.kind ?? '?'} of ${object.apiVersion ?? '?'}, not a ${kind.kind} of ${apiVersion}.`,
    });
  }
  const own = namespaceIn(object);
  if (own !== undefined && wanted !== undefined && own !== wanted) {
    throw new Problem({
      status: 400,
      title: `The object says namespace ${own}, the call says ${wanted}.`,
    });
  }
  const namespace = namespaceOf(kind, own ?? wanted);
  const metadata = { ...object.metadata, ...(namespace === undefined ? {} : { namespace }) };
  return {
    namespace,
    name: object.metadata?.name,
    body: { ...object, apiVersion, kind: kind.kind, metadata },
  };
}

/** Throws Problem 400 for a namespace that is no text. */
function namespaceIn({ metadata }: ObjectBody): string | undefined {
  const namespace = metadata?.['namespace'] ?? '';
  if (typeof namespace === 'string') return namespace || undefined;
  throw new Problem({ status: 400, title: 'The namespace of the object is not a string.' });
}
