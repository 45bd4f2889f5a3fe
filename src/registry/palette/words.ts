/** Words between an act and its object that name neither. */
export const fillers: ReadonlySet<string> = new Set(
  'a an at for from in it kubectl me my of on please the this to'.split(' '),
);
/** Words before an object that ask for no more than its page. */
export const openWords: ReadonlySet<string> = new Set(
  'decode describe details find get go goto inspect k list open reveal show view'.split(' '),
);

/** Words of a question and of politeness around what is asked for. */
const asking: ReadonlySet<string> = new Set(
  'how much many do does did i im ive we you can could should shall want would need like what whats where wheres which is are be was were am us let lets your our its that these those and please pls plz thanks thx hi hey hello'.split(
    ' ',
  ),
);
const factWords = "what|whats|what['’]s|who|whos|why|which|when";
const factStart = new RegExp(`^\\s*(?:${factWords})\\s`, 'i');
/** Whether a text asks for a fact, and so for no action: `what changed in cart`. */
export const asksForFact = (text: string): boolean => factStart.test(text);
const questionStart = new RegExp(
  `^\\s*(?:${factWords}|how|where|wheres|is|are|do|does|can|could|should)\\s`,
  'i',
);
/** Whether a text is a question, and so does not say to do something: `how do I roll back`. */
export const isQuestion = (text: string): boolean => questionStart.test(text);

/** Programs whose lines people type, at the beginning of a query. */
export const tools: ReadonlySet<string> = new Set('kubectl k oc docker podman nerdctl crictl k9s'.split(' '));

/** The words of a query without fillers and the program of a line. */
export function askedWords(text: string): readonly string[] {
  const words = wordsOf(text);
  const from = words.length > 1 && tools.has(words[0] ?? '') ? 1 : 0;
  return words.slice(from).filter((word) => !fillers.has(word));
}

/** Those of the words of a query that may name an act or an object: without those of a question. @param asked from `askedWords` */
export const contentWords = (asked: readonly string[]): readonly string[] =>
  asked.filter((word) => !asking.has(word));

/** A query without the politeness and the question at its ends: `how do I scale cart, please` is `scale cart,`. */
export function withoutAsking(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const isPlain = (word: string) => asking.has(word.toLowerCase().replaceAll(/[^\p{L}]/gu, ''));
  const from = words.findIndex((word) => !isPlain(word));
  const to = words.findLastIndex((word) => !isPlain(word));
  return from < 0
    ? text
    : words
        .slice(from, to + 1)
        .join(' ')
        .replace(/[?!.,]+$/, '');
}

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
    ...asking,
    ...tools,
    'kube like more too very left really thing things one make help here two there into onto with by as all some any or just now get show list view go open find see again been being got getting took myself about have has had ok okay via using currently recently lately actually maybe possible able way try trying stuff whole own',
  ].flatMap((words) => words.split(' ')),
);
