import { Problem } from '../../contract/problem.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';

/** Throws Problem 403 where an Owner turned the chat of a cluster off. */
export function requireChat({ chatMode, name }: Pick<ClusterRow, 'chatMode' | 'name'>): void {
  if (chatMode !== 'off') return;
  throw new Problem({
    status: 403,
    title: `The chat is turned off for ${name}. An Owner of your organisation can turn it on in the cluster settings for everyone.`,
  });
}
