import type { ObjectBody } from '../../contract/objects.ts';

/** An object without what every change changes (version, generation) and without its status. */
export function comparable(object: ObjectBody): ObjectBody {
  const { status: _status, metadata = {}, ...rest } = object;
  const { resourceVersion: _version, generation: _generation, managedFields: _fields, ...kept } = metadata;
  return { ...rest, metadata: kept };
}
