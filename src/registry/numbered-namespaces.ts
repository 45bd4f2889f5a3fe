/** The commands that show the namespaces with the numbers 1 to 9, in order. */
export const numberedNamespaces = [
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
].map((number) => `cluster.namespace${number}`);
