import { epochSeconds } from './age.ts';
import type { KubeObject } from './object.ts';
import { isPlainObject } from './plain.ts';

/** When parts of an object were last written, epoch seconds; undefined if unknown. */
export interface Writes {
  /**
   * The latest write to the spec by anybody, including scaling but not labels and annotations. Never before the
   * creation.
   */
  readonly spec: number | undefined;
  /** The latest write to the status by its controller. */
  readonly status: number | undefined;
}

const laterTime = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);

/** Reads the times of the latest writes from the managed fields. */
export function lastWrites({ metadata }: KubeObject): Writes {
  let spec = epochSeconds(metadata?.creationTimestamp) ?? undefined;
  let status: number | undefined;
  // Objects from a cluster need not match our types.
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

/** The managed fields of an object as far as `lastWrites` reads them: none of the fields that somebody wrote. */
export function keptWrites({ metadata }: KubeObject): readonly object[] {
  const managed: unknown = metadata?.managedFields;
  return (Array.isArray(managed) ? (managed as unknown[]) : []).flatMap((entry) => {
    if (!isPlainObject(entry)) return [];
    const { time, subresource, fieldsV1 } = entry;
    const hasSpec = isPlainObject(fieldsV1) && 'f:spec' in fieldsV1;
    return [{ time, subresource, ...(hasSpec ? { fieldsV1: { 'f:spec': {} } } : {}) }];
  });
}
