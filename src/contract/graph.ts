// A graph travels as a list: each row is an object, its uid the object's reference key (`apps Deployment shop/api`), its
// cells in this order: kind, label, namespace, name, status, known, ties.

/**
 * How an object is tied to another. Read from the object: `owner` is its owner, it `uses` and `targets` others, it is
 * `selected` by another one.
 */
export const graphTies = ['owner', 'uses', 'targets', 'selected'] as const;
export type GraphTie = (typeof graphTies)[number];

/**
 * What is known of an object of a graph.
 * - `live`: followed, its status is that of this moment
 * - `missing`: another object names it, and it does not exist
 * - `named`: another object names it; whether it exists is not followed
 */
export type GraphKnown = 'live' | 'missing' | 'named';

/** Objects that one graph may have; `total` says how many there are where there are more. */
export const graphLimit = 5_000;
