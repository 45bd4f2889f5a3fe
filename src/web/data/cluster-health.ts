import type { Cluster } from '../../contract/clusters.ts';
import type { Tone } from '../../registry/tone.ts';

/** How a cluster does, as far as the console knows: a tone and words. */
export function clusterHealth({ state }: Pick<Cluster, 'state'>): {
  readonly tone: Tone;
  readonly text: string;
} {
  switch (state.status) {
    case 'reachable':
      return { tone: 'ok', text: state.version ?? 'Reachable' };
    case 'unreachable':
      return { tone: 'bad', text: 'Unreachable' };
    case 'forbidden':
      return { tone: 'warn', text: 'Credential rejected' };
    case 'unknown':
      return { tone: 'idle', text: 'Not checked yet' };
    default: {
      const never: never = state.status;
      return never;
    }
  }
}

const day = 86_400_000;
/** A credential that ends within this time is warned of (ms). */
export const expirySoon = 14 * day;

/** When a credential ends, in words; undefined where it says nothing. `now` in ms. */
export function expiryOf(
  expiresAt: string | null,
  now: number,
): { readonly tone: Tone; readonly text: string } | undefined {
  if (expiresAt === null) return undefined;
  const left = Date.parse(expiresAt) - now;
  if (Number.isNaN(left)) return undefined;
  if (left <= 0) return { tone: 'bad', text: 'Expired' };
  const days = Math.floor(left / day);
  const text =
    days > 1 ? `${days} days` : left > day / 24 ? `${Math.floor((left / day) * 24)} h` : 'under an hour';
  return { tone: left < expirySoon ? 'warn' : 'ok', text };
}

/** Where a cluster came from, in words. */
export const sourceText: Readonly<Record<Cluster['source'], string>> = {
  kubeconfig: 'Kubeconfig',
  playground: 'Playground',
  operator: 'Operator’s file',
};
