import { createHash } from 'node:crypto';
import { Problem } from '../../contract/problem.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { credentialContext } from '../store/sealed.ts';
import type { Vault } from '../store/vault.ts';
import { type AddressGuard, loopbackCidrs } from './address.ts';
import { chooseContext, parseKubeconfig } from './kubeconfig.ts';
import type { OperatorFile } from './operator-file.ts';
import { type PlaygroundSource, stagingContext } from './playground-source.ts';
import { type Target, toKubeconfig } from './target.ts';
import { ClusterProblem } from './transport.ts';

/** Where targets of stored clusters come from. */
export interface TargetSources {
  readonly guard: AddressGuard;
  readonly vault: Vault;
  readonly file: OperatorFile;
  readonly playground: PlaygroundSource | undefined;
}

/** The target of a stored cluster. */
export interface GuardedTarget {
  readonly target: Target;
  /** Checks the addresses of this target. */
  readonly guard: AddressGuard;
  /** Identifies a credential that may change without its row; empty if only the row changes it. */
  readonly digest: string;
}

const replaceAdvice = 'An Owner can replace its kubeconfig under Clusters.';
const unsealAdvice =
  'An Owner can replace its kubeconfig under Clusters; or start the server with the key that the credential was encrypted with.';

/** The target of a cluster's row. Throws Problem when the row leads to none. */
export async function targetOfRow(row: ClusterRow, sources: TargetSources): Promise<GuardedTarget> {
  switch (row.source) {
    case 'playground':
      return await playgroundTarget(row, sources);
    case 'operator':
      return await operatorTarget(row, sources);
    default: {
      if (row.kubeconfig === null) throw unusableCluster(row, `has no stored credential. ${replaceAdvice}`);
      return { target: storedTarget(row, row.kubeconfig, sources.vault), guard: sources.guard, digest: '' };
    }
  }
}

async function playgroundTarget(
  row: ClusterRow,
  { playground, guard }: TargetSources,
): Promise<GuardedTarget> {
  if (playground === undefined) {
    throw unusableCluster(row, 'is the playground, which this server was started without.');
  }
  const { server, ca, token } = await playground.target(
    row.context === stagingContext ? 'staging' : 'company',
  );
  const target: Target = {
    server,
    ca,
    tlsServerName: undefined,
    disableCompression: false,
    namespace: undefined,
    credential: { token },
    impersonate: undefined,
  };
  return { target, guard: guard.allowing(loopbackCidrs), digest: digestOf(target) };
}

async function operatorTarget(row: ClusterRow, { file, guard }: TargetSources): Promise<GuardedTarget> {
  const context = (await file.contexts()).get(row.context ?? '');
  if (context === undefined) {
    throw unusableCluster(
      row,
      `was context "${row.context ?? ''}" of the operator's kubeconfig, which this server was started without. Start it with --kubeconfig again, or remove the cluster.`,
    );
  }
  const { target, problems } = context;
  if (target === undefined) throw unusableCluster(row, `cannot be used. ${problems.join(' ')}`);
  // The operator chose the file, and kind and minikube listen on loopback.
  return { target, guard: guard.allowing(loopbackCidrs), digest: digestOf(target) };
}

function storedTarget(row: ClusterRow, sealed: Buffer, vault: Vault): Target {
  const text = unseal(row, sealed, vault);
  try {
    const { target } = chooseContext(parseKubeconfig(text), undefined);
    if (target !== undefined) return target;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  throw unusableCluster(row, `has a stored credential that is no longer accepted. ${replaceAdvice}`);
}

function unseal(row: ClusterRow, sealed: Buffer, vault: Vault): string {
  try {
    return vault.open(sealed, credentialContext(row.id));
  } catch (error) {
    throw new ClusterProblem(
      {
        status: 502,
        title: `The stored credential of ${row.name} cannot be decrypted with this server's keys. ${unsealAdvice}`,
        retryable: false,
        where: { cluster: row.name },
      },
      {},
      { cause: error },
    );
  }
}

function unusableCluster({ name }: ClusterRow, sentence: string): ClusterProblem {
  return new ClusterProblem(
    { status: 502, title: `${name} ${sentence}`, retryable: false, where: { cluster: name } },
    {},
  );
}

/** Tells one credential from another without keeping it. */
function digestOf(target: Target): string {
  return createHash('sha256')
    .update(toKubeconfig(target))
    .update(JSON.stringify(target.credential))
    .digest('hex')
    .slice(0, 16);
}
