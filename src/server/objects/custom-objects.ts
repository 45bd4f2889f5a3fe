import type { ObjectBody } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { objectPath } from '../../kube/change.ts';
import { isBuiltInGroup } from '../../registry/kinds/builtin.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Reach } from '../access/grants.ts';
import type { ClusterDirectory } from '../clusters/directory.ts';
import { addressOf } from './address.ts';
import { type ListPageQuery, readListPage } from './list-page.ts';
import { presentObject } from './present.ts';
import { objectIn } from './read.ts';

/** A kind that a definition of a cluster makes. */
interface CustomPlace {
  readonly cluster: Pick<Reach['cluster'], 'id' | 'name'>;
  readonly kind: AnyKind;
  readonly signal: AbortSignal;
}

/** Custom resources, straight from the cluster. All methods throw Problem 404 for a kind that no definition makes. */
export class CustomObjects {
  readonly #clusters: Pick<ClusterDirectory, 'transport'>;

  constructor(clusters: Pick<ClusterDirectory, 'transport'>) {
    this.#clusters = clusters;
  }

  /** One page of those of a namespace, or of all. */
  async list(
    { cluster, kind, signal }: CustomPlace,
    namespace: string | undefined,
    query: ListPageQuery,
  ): Promise<{ items: ObjectBody[]; continue?: string }> {
    requireCustom(kind, cluster);
    const transport = await this.#clusters.transport(cluster.id);
    return await readListPage(transport, { kind, namespace, cluster: cluster.name }, query, signal);
  }

  /** The one with a name. */
  async one(
    { cluster, kind, signal }: CustomPlace,
    ref: { readonly namespace?: string; readonly name: string },
  ): Promise<ObjectBody> {
    requireCustom(kind, cluster);
    const transport = await this.#clusters.transport(cluster.id);
    const path = objectPath(addressOf(kind, ref));
    return presentObject(kind, objectIn(await transport.json<unknown>({ path, signal }), cluster.name));
  }
}

/** Throws Problem 404 for a resource that no definition makes: those have their own calls. */
function requireCustom({ group, plural }: AnyKind, { name }: CustomPlace['cluster']): void {
  if (!isBuiltInGroup(group)) return;
  throw new Problem({ status: 404, title: `${name} has no definition ${plural}.${group || 'core'}.` });
}
