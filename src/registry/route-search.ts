/** The values of a log's own in the search of its address. */
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

/** Those of a comparison: with what, whether status counts, which rows, and how the two sides stand. */
const compareSearch = ['to', 'status', 'show', 'layout'] as const;

/** Those of a list: namespace, filter, order, all rows of a long one, another view of it, and the pods of a log of several. */
export const listSearch = ['ns', 'q', 'sort', 'all', 'view', 'pods', ...compareSearch, ...logSearch] as const;

/** Those of an object's page: the view of it, and the form of its graph. */
export const objectSearch = ['view', 'form', ...compareSearch, ...logSearch] as const;
