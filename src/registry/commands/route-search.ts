/** Search parameters of a log. */
export const logSearch = [
  'container',
  'previous',
  'since',
  'tail',
  'times',
  'wrap',
  'find',
  'regex',
  'only',
  'level',
  'fields',
  'columns',
] as const;

/**
 * Search parameters of a comparison: the other object, whether status counts, which rows, and the layout of the two
 * sides.
 */
const compareSearch = ['to', 'status', 'show', 'layout'] as const;

/** The value of `excluded` in the address of a view that shows the namespaces which the person leaves out. */
export const excludedShown = 'shown';

/**
 * Search parameters of a list: namespace, whether excluded namespaces show, filter (`filter/former.ts` says why there are two), order, all rows of a long list, another view, and the pods of a joint
 * log.
 */
export const listSearch = [
  'ns',
  'excluded',
  'q',
  'filter',
  'sort',
  'all',
  'view',
  'pods',
  ...compareSearch,
  ...logSearch,
] as const;

/** Search parameters of an object's page: its view, and the form of its graph with what it leaves out. */
export const objectSearch = ['view', 'form', 'excluded', ...compareSearch, ...logSearch] as const;
