/** Words between an act and its object that name neither. */
export const fillers: ReadonlySet<string> = new Set(
  'a an at for from in it kubectl me my of on please the this to'.split(' '),
);
/** Words before an object that ask for no more than its page. */
export const openWords: ReadonlySet<string> = new Set(
  'decode describe details find get go goto inspect k list open reveal show view'.split(' '),
);

/** The words of a query, in lower case. `deploy/checkout` is two words, as kubectl reads it. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('…', '')
    .split(/[\s/]+/)
    .filter((word) => word !== '');

/** A query without the words that ask for no more than a page: `kubectl get pods` is `pods`. Never empty unless `text` is. */
export function withoutOpenWords(text: string): string {
  const words = text.split(/[\s/]+/).filter((word) => word !== '');
  const isPlain = (word: string) => openWords.has(word.toLowerCase()) || fillers.has(word.toLowerCase());
  const from = words.findIndex((word) => !isPlain(word));
  // At the end it is what is asked for: `copy kubectl`.
  const to = words.findLastIndex((word) => word.toLowerCase() === 'kubectl' || !isPlain(word));
  return from < 0 ? text : words.slice(from, to + 1).join(' ');
}

/** Words of a query that name nothing: of questions, of kubectl's and docker's lines, and around what is meant. */
export const idleWords: ReadonlySet<string> = new Set(
  [
    ...fillers,
    'kubectl docker k9s k kube how do does i we you can could should want need would like what whats where wheres which is are be was were am it them us much many more too very left really thing things one make let lets help here two im ive there into onto with by as all some any please our your its that these those and or so just now get show list view go open find see again',
  ].flatMap((words) => words.split(' ')),
);
