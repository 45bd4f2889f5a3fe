import { useState } from 'react';
import { useLive } from '../../data/live/use-live.ts';
import type { ObjectTarget } from '../../data/live/targets.ts';
import type { Refs } from './acting.ts';

/**
 * Whether the one object an action is asked for was seen to be gone since; it stays so, as another object of its name is
 * not the one that was meant. Several objects are not followed: each gets an outcome of its own.
 * @param isBusy the action is under way: what it takes away itself is its outcome's to tell
 */
export function useGone(refs: Refs, isBusy: boolean): boolean {
  const [{ cluster, kind, namespace, name }] = refs;
  const target: ObjectTarget = { type: 'object', clusterId: Number(cluster), kind, namespace, name };
  const data = useLive(refs.length === 1 ? target : undefined, true);
  const [wasGone, setGone] = useState(false);
  // Data that an earlier view left behind may be out of date.
  const isGone = data?.gone !== undefined && data.pausedAt === undefined && !isBusy;
  if (isGone && !wasGone) setGone(true);
  return wasGone || isGone;
}
