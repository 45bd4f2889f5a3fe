/** The names of a log's own parts of the search: another view of the object begins without them. */
export const optionNames = [
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
