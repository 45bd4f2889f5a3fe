import { readOnlyReason } from '../../contract/clusters.ts';
import { Problem } from '../../contract/problem.ts';
import { needsClusterName } from '../../registry/kinds/confirmation.ts';
import type { KindAction } from '../../registry/kinds/kind-action.ts';
import type { Transport } from '../clusters/transport.ts';
import { createLimiter } from '../kit/limiter.ts';
import { nameOf } from '../objects/address.ts';
import { shaped } from '../objects/read.ts';
import { type NamedObject, readIfThere } from './available.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';

/** Throws Problem 403 for a change on a read-only cluster. */
export function requireWritable(cluster: Pick<ClusterRow, 'name' | 'isReadOnly'>): void {
  const reason = readOnlyReason(cluster);
  if (reason !== undefined) throw new Problem({ status: 403, title: reason });
}

/**
 * Throws Problem 409 when something that needs the name of a protected cluster came without it, or with another one.
 * @param typed the body's field `confirm`
 * @param reason why the name is needed, as a clause
 */
export function requireConfirmation(
  cluster: Pick<ClusterRow, 'name' | 'isProtected'>,
  typed: string | undefined,
  reason = 'this ends pods or deletes something',
): void {
  if (!cluster.isProtected || typed === cluster.name) return;
  const { name } = cluster;
  throw new Problem({
    status: 409,
    title:
      typed === undefined
        ? `${name} is protected, and ${reason}: type its name to confirm.`
        : `${name} is protected, and the name you typed does not match. Nothing was changed.`,
    detail: `A call carries the typed name in its body as “confirm”: send ${JSON.stringify({ confirm: name })} with it.`,
    issues: [{ path: 'confirm', message: `Send the name of the cluster, ${name}, as “confirm”.` }],
  });
}

/** Objects that are read at a time. */
const concurrency = 8;

/** An action on some objects, with its validated arguments. */
interface NamedAction {
  readonly action: KindAction;
  readonly args: Readonly<Record<string, unknown>>;
  readonly named: readonly NamedObject[];
}

/**
 * Throws Problem 409 when an action that ends pods or destroys something on a protected cluster came without the
 * cluster's name; ClusterProblem when the cluster cannot be asked what its objects are now.
 */
export async function requireNameFor(
  wanted: NamedAction,
  {
    cluster,
    transport,
    confirm,
  }: {
    readonly cluster: Pick<ClusterRow, 'name' | 'isProtected'>;
    readonly transport: Transport;
    readonly confirm: string | undefined;
  },
): Promise<void> {
  if (!cluster.isProtected || confirm === cluster.name) return;
  if (await asksForName(wanted, transport)) requireConfirmation(cluster, confirm);
}

/** Whether it ends pods or destroys something by what the objects are now; they are read only where that decides. */
async function asksForName({ action, args, named }: NamedAction, transport: Transport): Promise<boolean> {
  if (!needsClusterName(action, args)) return false;
  if (needsClusterName({ ...action, endsPods: false }, args) || typeof action.endsPods === 'boolean')
    return true;
  const limiter = createLimiter(concurrency);
  const answers = await Promise.all(
    named.map(({ kind, ref }) =>
      limiter.run(async () => {
        const object = await readIfThere(transport, kind, ref);
        if (object === undefined) return false;
        const facts = shaped(nameOf(kind, ref), () => kind.facts?.(object) ?? {});
        return needsClusterName(action, args, facts);
      }),
    ),
  );
  return answers.includes(true);
}
