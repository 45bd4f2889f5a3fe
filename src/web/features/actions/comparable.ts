import type { ObjectBody } from '../../../contract/objects.ts';
import { canonical } from '../../../kube/compared.ts';

/** An object without what every change changes (version, generation) and without its status, its keys in order. */
export function comparable(object: ObjectBody): unknown {
  const { status: _status, metadata = {}, ...rest } = object;
  const { resourceVersion: _version, generation: _generation, managedFields: _fields, ...kept } = metadata;
  return canonical({ ...rest, metadata: kept });
}
