import { epochSeconds } from '../../kube/age.ts';
import type { KubeObject } from '../../kube/object.ts';
import { contentsOf } from '../objects/secret-contents.ts';

/** The names and times of a certificate. */
export interface CertificateFacts {
  /** The key of the Secret that has it. */
  readonly key: string;
  readonly names: readonly string[];
  /** Epoch seconds. */
  readonly from: number;
  readonly to: number;
  /** Whether the private key of the Secret is that of the certificate; null where that is not known. */
  readonly fitsKey: boolean | null;
}

/** Facts that an object as people see it lacks and rules may know; no value of a Secret is among them. */
export interface ObjectFacts {
  /** When it was last written besides its status, epoch seconds; null if that is not known. */
  readonly changedAt: number | null;
  /** The first certificate of a Secret that is no authority's. */
  readonly certificate?: CertificateFacts;
}

/** The facts of an object as its cluster sends it. */
export function factsOf(object: KubeObject): ObjectFacts {
  const { managedFields, creationTimestamp } = (object.metadata ?? {}) as {
    readonly managedFields?: unknown;
    readonly creationTimestamp?: string;
  };
  const writes = (Array.isArray(managedFields) ? managedFields : []) as readonly {
    readonly time?: unknown;
    readonly subresource?: unknown;
  }[];
  const times = writes.flatMap(({ time, subresource }) =>
    typeof time !== 'string' || subresource === 'status' ? [] : [epochSeconds(time) ?? 0],
  );
  const changedAt = times.length > 0 ? Math.max(...times) : epochSeconds(creationTimestamp);
  if (object.kind !== 'Secret') return { changedAt };
  const { certificates } = contentsOf(object);
  const found = certificates.find(({ isAuthority }) => !isAuthority) ?? certificates[0];
  if (found === undefined) return { changedAt };
  const [from, to] = [epochSeconds(found.validFrom), epochSeconds(found.validTo)];
  if (from === null || to === null) return { changedAt };
  return { changedAt, certificate: { key: found.key, names: found.names, from, to, fitsKey: found.fitsKey } };
}
