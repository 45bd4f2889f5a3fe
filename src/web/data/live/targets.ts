import type { ClientMessage, SubscribeGraph, SubscribeTallies, Where } from '../../../contract/live.ts';
import type { LiveDashboard } from './dashboard.ts';
import type { LiveObject } from './object.ts';
import type { LiveList } from './rows.ts';
import type { LiveTallies } from './tallies.ts';

/** One live list: a kind in a cluster, of one namespace or of all. */
export interface ListTarget {
  readonly type?: 'list';
  readonly clusterId: number;
  readonly kind: string;
  readonly namespace?: string | undefined;
  /** Only the rows that meet these conditions. */
  readonly where?: Where | undefined;
  /** With the namespaces that the person leaves out of their views. */
  readonly withExcluded?: boolean | undefined;
  /** The joined columns of the wide table as well. */
  readonly wide?: boolean | undefined;
  /** For kinds without an end: only the first `limit` rows by this column. The same for every list of a kind. */
  readonly window?: { readonly sort: string; readonly limit: number } | undefined;
}

/** One object by kind and name. */
export interface ObjectTarget {
  readonly type: 'object';
  readonly clusterId: number;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The dashboard of a cluster. */
export interface DashboardTarget {
  readonly type: 'dashboard';
  readonly clusterId: number;
  /** With the namespaces that the person leaves out of their views. */
  readonly withExcluded?: boolean | undefined;
}

/** How many objects of each kind a cluster has, and how many of them fail. */
export interface TalliesTarget {
  readonly type: 'tallies';
  readonly clusterId: number;
  /** Of the kinds of the sidebar, or of the cluster's custom kinds. */
  readonly of: SubscribeTallies['tallies'];
  /** Of kinds that have namespaces, only what is in this one. */
  readonly namespace?: string | undefined;
}

/** The graph of a namespace, or with kind and name of what belongs to one object. Its rows are its objects. */
export interface GraphTarget {
  readonly type: 'graph';
  readonly clusterId: number;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** With the namespaces that the person leaves out of their views. */
  readonly withExcluded?: boolean | undefined;
}

/** Anything that can be followed live. */
export type Target = ListTarget | ObjectTarget | DashboardTarget | TalliesTarget | GraphTarget;

/** The data of any live target. */
export type LiveData = LiveList | LiveObject | LiveDashboard | LiveTallies;

/** The data of a target of this type. */
export type DataOf<T extends Target> = T extends ObjectTarget
  ? LiveObject
  : T extends DashboardTarget
    ? LiveDashboard
    : T extends TalliesTarget
      ? LiveTallies
      : LiveList;

/** A text that is the same for targets that are followed as one: for lists it leaves the window out. */
export function targetKey(target: Target): string {
  const { clusterId } = target;
  if (target.type === 'dashboard')
    return JSON.stringify([target.type, clusterId, target.withExcluded === true]);
  if (target.type === 'tallies')
    return JSON.stringify([target.type, clusterId, target.of, target.namespace ?? '']);
  const { type = 'list', kind = '', namespace = '' } = target;
  if (target.type === 'object' || target.type === 'graph')
    return JSON.stringify([
      type,
      clusterId,
      kind,
      namespace,
      target.name ?? '',
      ...('withExcluded' in target && target.withExcluded === true ? [true] : []),
    ]);
  const { where = null, wide = false, withExcluded = false } = target;
  return JSON.stringify([type, clusterId, kind, namespace, where, wide, withExcluded]);
}

/** The message that subscribes to a target. */
export function subscribeMessage(target: Target, id: number): ClientMessage {
  const base = { type: 'subscribe', id, clusterId: target.clusterId } as const;
  const excluded =
    'withExcluded' in target && target.withExcluded === true ? { withExcluded: true as const } : {};
  if (target.type === 'dashboard') return { ...base, dashboard: true, ...excluded };
  if (target.type === 'tallies') {
    const { of, namespace } = target;
    return { ...base, tallies: of, ...(namespace === undefined ? {} : { namespace }) };
  }
  if (target.type === 'graph') {
    const { type: _type, clusterId: _clusterId, withExcluded: _withExcluded, ...graph } = target;
    // Members that are undefined are not sent.
    return { ...base, graph: graph as SubscribeGraph['graph'], ...excluded };
  }
  const { kind, namespace } = target;
  const place = { ...base, kind, ...(namespace === undefined ? {} : { namespace }) };
  if (target.type === 'object') return { ...place, name: target.name };
  const { where, wide, window } = target;
  return {
    ...place,
    ...(where === undefined ? {} : { where }),
    ...(wide === true ? { wide } : {}),
    ...excluded,
    ...window,
  };
}
