import type { ClusterState, KubeconfigContext } from '../../contract/clusters.ts';
import type { Member } from '../access/person.ts';
import type { ClusterRow } from '../store/schema.ts';
import type { Transport } from './transport.ts';

/** The console's clusters: stored rows on one side, living connections on the other. */
export interface ClusterDirectory {
  /** The way to a cluster, shared by everyone who may use it: authorise first. Throws Problem 404. */
  transport(clusterId: number): Promise<Transport>;
  /** What was last learnt of a cluster. */
  state(clusterId: number): ClusterState;
  /** Reaches a cluster now (at most 5 s). Never throws: not reaching it is an answer. */
  probe(clusterId: number): Promise<ClusterState>;
  /** The contexts of a kubeconfig text and what keeps each from being added. Throws Problem 400 on an unreadable file. */
  read(kubeConfigContent: string): KubeconfigContext[];
  /** Parses, reaches once, seals, stores. Throws Problem naming the cluster. */
  add(
    person: Member,
    input: { name: string; description: string; kubeConfigContent: string; context?: string | undefined },
  ): Promise<ClusterRow>;
  /** Same, for the credential of a stored cluster. */
  replace(
    person: Member,
    clusterId: number,
    input: { kubeConfigContent: string; context?: string | undefined },
  ): Promise<ClusterRow>;
  remove(person: Member, clusterId: number): Promise<void>;
  /** Called after a cluster's credential or settings changed or the cluster went away. Returns a disposer. */
  onChange(listener: (clusterId: number) => void): () => void;
  close(): Promise<void>;
}
