import { epochSeconds } from './age.ts';
import type { KubeObject } from './object.ts';
import { isPlainObject } from './plain.ts';

/** When parts of an object were last written, epoch seconds; undefined where it does not say. */
export interface Writes {
  /** Its spec, by anybody: a scaling counts, labels and annotations do not. Never before its creation. */
  readonly spec: number | undefined;
  /** Its status, by its controller. */
  readonly status: number | undefined;
}

const laterTime = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);

/** Reads the times of the last writes from the managed fields. */
export function lastWrites({ metadata }: KubeObject): Writes {
  let spec = epochSeconds(metadata?.creationTimestamp) ?? undefined;
  let status: number | undefined;
  // An object of the cluster is not bound to our types.
  const managed: unknown = metadata?.managedFields;
  for (const entry of Array.isArray(managed) ? (managed as unknown[]) : []) {
    if (!isPlainObject(entry)) continue;
    const { time, subresource = '', fieldsV1 } = entry;
    const at = typeof time === 'string' ? (epochSeconds(time) ?? undefined) : undefined;
    if (subresource === 'status') status = laterTime(status, at);
    else if (subresource === 'scale' || (isPlainObject(fieldsV1) && 'f:spec' in fieldsV1))
      spec = laterTime(spec, at);
  }
  return { spec, status };
}
