import type { KubeChange, ObjectAddress } from '../../kube/change.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Transport } from '../clusters/transport.ts';

/** Inputs of a procedure. */
export interface ProcedureContext {
  readonly transport: Transport;
  readonly kind: AnyKind;
  readonly object: KubeObject;
  readonly address: ObjectAddress;
  /** Validated already. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** Finds out what has to be sent, reading more of the cluster. Throws Problem when it cannot be done. */
export type Procedure = (context: ProcedureContext) => Promise<readonly KubeChange[]>;
