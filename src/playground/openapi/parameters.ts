import type { Rec } from '../kit/values.ts';

const types: Readonly<Record<string, string>> = {
  allowWatchBookmarks: 'boolean',
  force: 'boolean',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  limit: 'integer',
  orphanDependents: 'boolean',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
};

const selecting = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
];
const watching = ['allowWatchBookmarks', ...selecting, 'watch'];
const writing = ['dryRun', 'fieldManager', 'fieldValidation'];
const deleting = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];

/** Names of query parameters by action; custom resources differ in two of them. */
const builtIn: Readonly<Record<string, readonly string[]>> = {
  list: watching,
  watch: watching,
  watchlist: watching,
  get: [],
  post: writing,
  put: writing,
  patch: [...writing, 'force'],
  delete: deleting,
  deletecollection: [...selecting, ...deleting],
};
const custom: Readonly<Record<string, readonly string[]>> = {
  ...builtIn,
  get: ['resourceVersion'],
  deletecollection: watching,
};

/** The parameters of an operation, by name. */
export function parametersOf(path: string, action: string, isCustom: boolean): Map<string, Rec> {
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const inQuery = action === 'connect' ? [] : ['pretty', ...((isCustom ? custom : builtIn)[action] ?? [])];
  const described = [
    ...inPath.map((name) => ({ name, in: 'path', required: true })),
    ...inQuery.map((name) => ({ name, in: 'query' })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(
    described.map((parameter) => [
      parameter.name,
      { ...parameter, schema: { type: types[parameter.name] ?? 'string', uniqueItems: true } },
    ]),
  );
}
