// A graph is sent as a list. Each row is an object: its uid is the object's reference key (`apps Deployment shop/api`),
// its cells in order are kind, label, namespace, name, status, known, ties.

/**
 * How an object is linked to another, from this object's view: `owner` is its owner, it `uses` and `targets` others,
 * and it is `selected` by another.
 */
export const graphTies = ['owner', 'uses', 'targets', 'selected'] as const;
export type GraphTie = (typeof graphTies)[number];

/**
 * How much is known about an object of a graph.
 * - `live`: watched; the status is current
 * - `missing`: another object refers to it, and it does not exist
 * - `named`: another object refers to it; whether it exists is unknown
 */
export type GraphKnown = 'live' | 'missing' | 'named';

/** Maximum number of objects in a graph; `total` is the full number. */
export const graphLimit = 5_000;
