import type { WebSocket } from 'ws';
import type { GlobalSettingsChange } from '../../contract/cluster-settings.ts';
import type { ClusterState, KubeconfigContext } from '../../contract/clusters.ts';
import type { Member } from '../access/person.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { Rules } from './credential-rules.ts';
import type { PastedKubeconfig } from './pasted-kubeconfig.ts';
import type { ActingPerson } from './acting.ts';
import type { KubeRequest, LiveTransport, Transport } from './transport.ts';

/** The console's clusters: stored rows on one side, living connections on the other. */
export interface ClusterDirectory {
  /** The transport to a cluster, shared by everyone who may use it: authorise first. Throws Problem 404. */
  transport(clusterId: number): Promise<LiveTransport>;
  /**
   * The transport for what a person does to a cluster: where the cluster is to know people, changes and questions of
   * permission are sent as the person. Authorise first. Throws Problem 404.
   */
  acting(acting: ActingPerson): Promise<Transport>;
  /**
   * Opens a WebSocket to a cluster (exec, attach), by the first of these subprotocols that it knows: authorise first. It
   * is paused until somebody listens. It is sent as the person where the cluster is to know people. Throws Problem.
   */
  socket(acting: ActingPerson, request: KubeRequest, protocols: readonly string[]): Promise<WebSocket>;
  /**
   * The namespaces to read one by one where the credential may not list the whole cluster: those of the cluster's
   * rules, the context's own, and those that the credential's rules or grants of the console name. Throws Problem.
   */
  namespaces(clusterId: number): Promise<readonly string[]>;
  /**
   * Rights of the credential in the whole cluster or in one of its namespaces; undefined where that is not known.
   * Throws Problem.
   */
  rules(clusterId: number): Promise<Rules | undefined>;
  /** The last known state of a cluster. */
  state(clusterId: number): ClusterState;
  /** Reaches a cluster now (at most 5 s). Never throws: not reaching it is an answer. */
  probe(clusterId: number): Promise<ClusterState>;
  /** The contexts of a kubeconfig text and what keeps each from being added. Throws Problem 400 on an unreadable file. */
  read(kubeConfigContent: string): KubeconfigContext[];
  /** Parses, reaches once, seals, stores. Throws Problem naming the cluster. */
  add(person: Member, input: { name: string; description: string } & PastedKubeconfig): Promise<ClusterRow>;
  /** Same, for the credential of a stored cluster. */
  replace(person: Member, clusterId: number, input: PastedKubeconfig): Promise<ClusterRow>;
  /** Changes what holds for everybody on a cluster. Throws Problem 404. */
  configure(person: Member, clusterId: number, settings: GlobalSettingsChange): Promise<ClusterRow>;
  remove(person: Member, clusterId: number): Promise<void>;
  /** Called after a cluster's credential or settings changed or the cluster went away. Returns a disposer. */
  onChange(listener: (clusterId: number) => void): () => void;
  /**
   * Called after grants of a company changed: other namespaces of its clusters may be named by them.
   * @param listener gets the company; undefined where it may be any
   * @returns a disposer
   */
  onGrants(listener: (companyId: number | undefined) => void): () => void;
  close(): Promise<void>;
}

/** A directory that also manages the clusters that the console added by itself. */
export interface OwnedDirectory extends ClusterDirectory {
  /**
   * Gives the playground and the operator's contexts their rows once there is a company. Called at start and to be
   * called after a company was created.
   */
  adopt(): Promise<void>;
}
