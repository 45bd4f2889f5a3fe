import { distanceOf } from '../../../registry/edit-distance.ts';
import { actionsByWord, askedWords, kindsByWord, plainWords } from './question-words.ts';
import { timeIn } from './question-time.ts';

/** Identifies a sort of question that the rules answer. */
export type IntentId =
  | 'help'
  | 'room'
  | 'permission'
  | 'holders'
  | 'trouble'
  | 'changes'
  | 'uses'
  | 'usage'
  | 'logs'
  | 'count'
  | 'rollout'
  | 'image'
  | 'events'
  | 'list';

/** A word of a question that may be the name of an object. */
export interface NameWord {
  readonly name: string;
  /** From `shop/web`. */
  readonly namespace?: string;
  /** Ids of the kinds beside it: `service web`. */
  readonly kinds: readonly string[];
  /** A place is expected: `in shop`. */
  readonly isPlace: boolean;
  /** It is a word of sentences as well: if nothing has the name, it is taken as that. */
  readonly isDoubtful: boolean;
}

/** The meaning of a question, as far as its words say. */
export interface ParsedQuestion {
  /** Undefined where the words say nothing that the rules answer. */
  readonly intent: IntentId | undefined;
  /** Ids of the kinds that it names. */
  readonly kinds: readonly string[];
  /** In the order of the question. */
  readonly names: readonly NameWord[];
  /** The last parts of the ids of actions that it asks about. */
  readonly actions: readonly string[];
  /** The words of a person's name, in lower case, where it asks what somebody may do. */
  readonly person: readonly string[];
  /** The number of replicas that it asks about: in all, or besides those that run. */
  readonly amount: { readonly count: number; readonly isMore: boolean } | undefined;
  /** The time from which on it asks, epoch seconds. */
  readonly since: number | undefined;
  /** In lower case, without ä, ö, ü, ß and quotes. */
  readonly text: string;
}

/** Number of words of a question that may be names. */
const nameLimit = 12;
/** Minimum length of a misspelt kind, and of one with two mistakes. */
const [minMisspelt, minMisspeltTwice] = [4, 8];

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** Names of kinds in several words: `config map`. */
const splitKinds =
  /\b(config|stateful|daemon|replica|cron|storage|ingress|priority|custom|network|service|role|cluster) (maps?|sets?|jobs?|class(?:es)?|policy|policies|accounts?|bindings?)\b/g;

/** A text in lower case, in letters of names. */
export const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => umlauts[letter] ?? letter)
    .replaceAll(/['’`´](?=s\b)/g, '')
    .replaceAll(/(?<=[a-z])['’](?=[a-z])/g, '');

/** A word as it was typed, and whether it is in quotes. */
interface Token {
  readonly word: string;
  readonly isQuoted: boolean;
}

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(/["“„'‘`]([\w./:-]{1,253})["”“'’`]|([\p{L}\p{N}][\p{L}\p{N}./:_@-]*)/gu)].flatMap(
    ([, inQuotes, bare]) => {
      const word = (inQuotes ?? bare ?? '').replaceAll(/^[./:_-]+|[./:_-]+$/g, '');
      return word === '' ? [] : [{ word, isQuoted: inQuotes !== undefined }];
    },
  );
}

/** Whether a word is only a number or a time. */
const isNumber = (word: string): boolean =>
  /^\d+(?:[.:-]\d+)*(?:am|pm|h|m|s|d|min|uhr|st|nd|rd|th)?z?$/.test(word);

/** Whether a word has a meaning in a question besides that of a name. */
const isVocabulary = (word: string): boolean =>
  plainWords.has(word) || askedWords.has(word) || kindsByWord.has(word) || isNumber(word);

/** Words before a name. */
const beforeNames = new Set(['in', 'of', 'on', 'from', 'von', 'auf', 'im', 'named', 'called', 'namens']);
/** Words before the name of a namespace. */
const places = new Set(['in', 'im', 'from', 'inside', 'within']);

/** Ids of the kinds that a word means, also misspelt where no object has that name. */
function kindsOf(word: string, isName: (word: string) => boolean): readonly string[] {
  const exact = kindsByWord.get(word);
  if (exact !== undefined) return exact;
  if (word.length < minMisspelt || /[^a-z]/.test(word) || isVocabulary(word) || isName(word)) return [];
  const limit = word.length >= minMisspeltTwice ? 2 : 1;
  const near = [...kindsByWord]
    .filter(([other]) => other.length >= minMisspelt && other[0] === word[0])
    .map(([other, ids]) => [distanceOf(word, other, limit), ids] as const)
    .filter(([distance]) => distance <= limit)
    .toSorted(([a], [b]) => a - b);
  return near[0]?.[1] ?? [];
}

/**
 * Parses a question.
 * @param isName whether an object has a name: its word is no misspelt kind
 * @param now epoch seconds
 */
export function parseQuestion(
  question: string,
  { isName = () => false, now }: { readonly isName?: (word: string) => boolean; readonly now: number },
): ParsedQuestion {
  const text = plainText(question)
    .replaceAll(splitKinds, '$1$2')
    .replaceAll(/\bneu (?:zu )?starten\b/g, 'neustarten')
    .replaceAll(/\broll back\b/g, 'rollback');
  const tokens = tokensOf(text);
  const person = personIn(tokens, isName);
  const kindsAt = tokens.map(({ word, isQuoted }) =>
    isQuoted || person.includes(word) ? [] : kindsOf(word, isName),
  );
  const names: NameWord[] = [];
  const kinds = new Set<string>();
  for (const [index, { word, isQuoted }] of tokens.entries()) {
    if (person.includes(word)) continue;
    const own = kindsAt[index] ?? [];
    const before = tokens[index - 1]?.word ?? '';
    const beside = [...(kindsAt[index - 1] ?? []), ...(kindsAt[index + 1] ?? [])];
    const slash = word.indexOf('/');
    if (slash > 0 && !isQuoted) {
      const [head, tail] = [word.slice(0, slash), word.slice(slash + 1)];
      const of = kindsByWord.get(head);
      names.push({
        name: tail,
        ...(of === undefined ? { namespace: head } : {}),
        kinds: of ?? beside,
        isPlace: false,
        isDoubtful: false,
      });
      continue;
    }
    const isExpected = beforeNames.has(before) || beside.length > 0;
    const isPlace = places.has(before);
    if (own.length > 0 && !(isExpected && names.length === 0 && tokens.length > 2 && isName(word))) {
      for (const id of own) kinds.add(id);
      // `the worker deployment` and `the namespace jobs` name an object by the word of a kind.
      if (beside.length > 0) names.push({ name: word, kinds: beside, isPlace, isDoubtful: true });
      continue;
    }
    if (isQuoted || !isVocabulary(word))
      names.push({ name: word, kinds: beside, isPlace, isDoubtful: false });
    else if (isExpected && word.length > 2 && !isNumber(word))
      names.push({ name: word, kinds: beside, isPlace, isDoubtful: true });
  }
  const seen = new Set<string>();
  const distinct = names.filter(({ namespace = '', name }) => {
    const key = `${namespace}/${name}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  const words = tokens.filter(({ isQuoted }) => !isQuoted).map(({ word }) => word);
  return {
    intent:
      person.length > 0
        ? 'holders'
        : intentOf(` ${words.join(' ')} `, {
            hasKind: kinds.size > 0,
            hasName: distinct.length > 0,
            length: tokens.length,
          }),
    kinds: [...kinds],
    names: distinct.slice(0, nameLimit),
    actions: [
      ...words.flatMap((word) => actionsByWord[baseOf(word)] ?? []),
      ...(takesDown.test(` ${words.join(' ')} `) ? ['drain'] : []),
    ],
    person,
    amount: amountIn(words),
    since: timeIn(text, now),
    text,
  };
}

/** Words before the name of a person whose rights are asked about. */
const beforePeople = /^(?:can|could|may|might|is|does|has|darf|duerfte|kann|koennte|hat|ist)$/;
/** A part of a person's name, or their address. */
const personWord = /^[a-z][a-z.-]*$|^[\w.+-]+@[\w.-]+$/;
/** Acts that a question may ask about besides the actions. */
const furtherActs =
  'see|view|read|edit|change|create|manage|access|exec|open|sehen|lesen|aendern|bearbeiten|erstellen|verwalten|oeffnen';

/**
 * The name of a person whose rights a question is about, as in “can mia delete pods in shop”, in words; empty where it is
 * about no such thing. An object of the name is meant first.
 */
function personIn(tokens: readonly Token[], isName: (word: string) => boolean): readonly string[] {
  if (!beforePeople.test(tokens[0]?.word ?? '')) return [];
  const isPart = ({ word }: Token) =>
    personWord.test(word) &&
    !isVocabulary(word) &&
    !isName(word) &&
    !Object.hasOwn(actionsByWord, baseOf(word));
  const end = tokens.findIndex((token, at) => at > 0 && (at > 3 || !isPart(token)));
  const length = (end < 0 ? tokens.length : end) - 1;
  if (length < 1) return [];
  const isGerman = /^(?:darf|duerfte|kann|koennte|hat|ist)$/.test(tokens[0]?.word ?? '');
  // In “darf mia shop sehen” the second word is a place: one word is a name, two are where English has its verb next.
  const taken = isGerman ? 1 : length;
  const rest = tokens.slice(1 + taken);
  const words = ` ${rest.map(({ word }) => word).join(' ')} `;
  const act = `(?:${verbs}|${furtherActs})`;
  const asks = isGerman
    ? new RegExp(` ${act} | (?:zugriff|rechte?|berechtigt|berechtigung) `)
    : new RegExp(
        `^ (?:still |also |really )*(?:(?:be )?(?:allowed|able|permitted) to |have (?:the )?(?:access|permission|rights?) |${act} )`,
      );
  // “can web scale to 5” asks nothing about anything else.
  const hasObject = rest.some(({ word }) => kindsByWord.has(word) || isName(word) || !isVocabulary(word));
  return asks.test(words) && hasObject ? tokens.slice(1, 1 + taken).map(({ word }) => word) : [];
}

/** Words that make a number one of additional replicas. */
const additional = /^(?:more|additional|extra|another|weitere[nr]?|zusaetzliche[nr]?|mehr|noch|by|um)$/;

/** The number of replicas in the words of a question. */
function amountIn(words: readonly string[]): ParsedQuestion['amount'] {
  const at = words.findIndex((word) => /^\d{1,4}$/.test(word));
  if (at < 0) return words.includes('another') ? { count: 1, isMore: true } : undefined;
  const isMore = [words[at - 1], words[at + 1]].some((word) => additional.test(word ?? ''));
  return { count: Number(words[at]), isMore };
}

/** Words for taking a machine out of use that name no action. */
const takesDown =
  / (?:take|bring|taking|bringing) (?:\S+ ){1,3}(?:down|offline) | (?:shut|turn|switch) (?:\S+ ){0,3}(?:down|off) /;

/** A verb without its ending. */
function baseOf(word: string): string {
  const bases = [
    word,
    word.replace(/(?:ed|ing|s)$/, ''),
    word.replace(/(?:d|ing)$/, 'e').replace(/ing$/, ''),
  ];
  return bases.find((base) => Object.hasOwn(actionsByWord, base)) ?? word;
}

interface Shape {
  readonly hasKind: boolean;
  readonly hasName: boolean;
  readonly length: number;
}

const any = (list: string): RegExp => new RegExp(` (?:${list.trim().split(/\s+/).join('|')}) `);
const startsWith = (list: string): RegExp => new RegExp(`^ (?:${list.trim().split(/\s+/).join('|')}) `);

const verbs = [...new Set(Object.keys(actionsByWord))].join('|');

/** The words of each sort of question, the first sort whose words are there. Spaces surround each word. */
const intentPatterns: readonly (readonly [IntentId, RegExp | ((text: string, shape: Shape) => boolean)])[] = [
  [
    'help',
    / what (?:can|do) you | what can i ask | was kannst du | was kann ich (?:dich )?fragen |^ (?:help|hilfe|hello|hallo|hi)(?: me)? $/,
  ],
  [
    'room',
    / (?:room|capacity|headroom|platz|kapazitaet) (?:left |frei )?(?:for|to|fuer|um|zum) | enough (?:room|space|capacity|cpu|memory|ram|resources|nodes) (?:for|to) | genug (?:platz|cpu|speicher|ram|kapazitaet|ressourcen|knoten) | reicht (?:der |die |das )?(?:platz|cpu|speicher|ram|kapazitaet) | (?:fit|fits|passt|passen) /,
  ],
  [
    'holders',
    new RegExp(
      `^ (?:can|could|may|darf|kann) (?:anyone|anybody|someone|somebody|jemand)(?: else| sonst)? .*\\b(?:${verbs}|${furtherActs}) `,
    ),
  ],
  [
    'holders',
    (text) =>
      /^ (?:who|which (?:people|users|teams|persons)|wer|welche (?:leute|benutzer|personen|teams)) (?:else |all |sonst |alles )?(?:can|could|may|is allowed|are allowed|is able|are able|is permitted|are permitted|has (?:the )?(?:access|permission|permissions|rights?)|have (?:the )?(?:access|permission|permissions|rights?)|darf|duerfen|duerfte|kann|koennen|hat (?:das )?(?:zugriff|rechte?|berechtigung)|haben (?:zugriff|rechte?)) /.test(
        text,
      ) &&
      // The person to ask is another question.
      !/ (?:give|gives|grant|grants|help|ask|approve|contact|me|us|i|we|mir|uns|ich|wir|geben|helfen|fragen|freigeben|freischalten) /.test(
        text,
      ),
  ],
  [
    'permission',
    / (?:whom?|who|wen|wer) .*(?:ask|contact|give|gives|grant|grants|allow|access|permission|permissions|rights|permitted|responsible|fragen|erlauben|freigeben|zugriff|rechte|berechtigung|darf|duerfen) /,
  ],
  [
    'permission',
    / (?:who|wer) (?:is|are|ist|sind) (?:the |an |our |der |die )?(?:owner|owners|admin|admins) | why (?:can|may) (?:i|we) not | why (?:cant|am i not|can not) | warum (?:kann|darf) ich | how do i get (?:access|permission|the permission) | access to | zugriff auf /,
  ],
  [
    'permission',
    new RegExp(
      `^ (?:may|can|could|am|are|is|darf|kann|duerfen|koennen|should|shall|soll) .*(?:i|we|ich|wir|it|to|man|safe|safely|allowed|permitted) .*\\b(?:${verbs}|see|view|read|edit|change|create|manage|sehen|lesen|aendern|erstellen)(?:ed|ing|s)? `,
    ),
  ],
  ['permission', new RegExp(`^ (?:please |bitte )?(?:${verbs}) `)],
  ['permission', takesDown],
  ['trouble', startsWith('why warum wieso weshalb diagnose debug troubleshoot')],
  ['count', / how many | number of | wie ?viele | anzahl | zahl der |^ count /],
  [
    'logs',
    / (?:last|latest|recent|newest|letzten?) (?:errors?|fehler|lines?|zeilen|output|meldungen) (?:of|from|in|by|von|aus) |^ tail /,
  ],
  ['logs', any('log logs stdout stderr output protokoll protokolle ausgabe logzeilen printed')],
  [
    'usage',
    any(
      'cpu memory ram load utilisation utilization consumption usage processor cores metrics hog hogs hogging eats eating greedy speicher verbrauch verbraucht auslastung prozessor heavy busy',
    ),
  ],
  ['events', / (?:events?|ereignis|ereignisse|warnings|warnungen|meldungen) /],
  [
    'rollout',
    /^ (?:is|are|was|has|ist|sind) .*(?:rolled out|deployed|ausgerollt) (?:already|yet|now|schon|fertig)? ?$| (?:rolled out|deployed|ausgerollt) (?:already|yet|completely) |^ (?:is|ist) .* (?:already|schon) (?:rolled out|deployed|ausgerollt) /,
  ],
  [
    'changes',
    any(
      'change changed changes changing edited modified updated altered deployed difference differences history verlauf geaendert aenderung aenderungen veraendert ausgerollt upgraded released',
    ),
  ],
  [
    'changes',
    / who (?:deleted|scaled|restarted|drained|removed|touched|rolled) | wer .* (?:geloescht|neugestartet|skaliert) | (?:happened|passiert|new|neu) .*(?:since|today|yesterday|ago|seit|last|gestern|heute|morning|afternoon|evening|night|tonight|week|monday|tuesday|wednesday|thursday|friday|saturday|sunday|woche|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag) | anything get (?:deleted|created|changed) | (?:got|was|were|wurde|wurden) (?:\S+ )?(?:deleted|removed|created|geloescht|entfernt|erstellt) | when was | how old | wie alt /,
  ],
  ['rollout', any('rollout rollouts revision revisions progress fortschritt')],
  ['rollout', / (?:finished|complete|done|fertig|abgeschlossen) /],
  ['image', /^ (?:which|what|welche[rsnm]?) (?:docker |container )?(?:image|images|version|abbild|tag) /],
  [
    'uses',
    any(
      'use uses used using depend depends dependency dependencies mount mounts mounted refer refers reference references require requires consume consumes benutzt benutzen verwendet verwenden nutzt nutzen braucht brauchen abhaengig',
    ),
  ],
  ['uses', / (?:who|what|which \S+|wer|was) (?:needs?|calls?|ruft) | belongs? to | is behind /],
  ['image', any('image images version versions tag tags abbild')],
  [
    'list',
    (text, { hasKind }) =>
      hasKind &&
      /^ (?:which|list|show|what|where|give|get|find|display|view|are there|is there|any|welche[rsnm]?|zeige?|liste|nenne|wo|gibt) /.test(
        text,
      ) &&
      !/ wrong | matter | (?:going|los) | endpoints? /.test(text),
  ],
  ['list', (text, { hasName }) => hasName && /^ (?:where|wo|find) /.test(text)],
  [
    'trouble',
    any(`wrong broken break breaks breaking bug crash crashed crashes crashing crashloop crashlooping
    crashloopbackoff degraded died dies dying down error errors fail failed failing fails failure failures fault faulty
    flapping hang hanging hangs health healthy ill imagepullbackoff incident issue issues kaputt killed offline oom
    oomkilled pending problem problems ready red restarting restarts restarted running sick slow start starting starts
    started status state stuck terminating trouble unavailable unhealthy unready unschedulable unreachable endpoints endpoint fire burning alert alerts alarm alarms expire expires expired expiring expiry wait waiting work
    working works ok okay fine good up matter happened happening diagnosis evicted loop looping notready run runs online
    defekt abgestuerzt abstuerzen absturz fehler fehlerhaft geht gesund haengt krank langsam laeuft laufen los funktioniert
    probleme startet stirbt stoerung tot zustand wartet passiert gut brennt ablaufen abgelaufen`),
  ],
  // An object, or a kind of objects, and no more: how it is.
  ['trouble', (_text, { hasName, length }) => hasName && length <= 3],
  ['list', (_text, { hasKind, hasName, length }) => hasKind && !hasName && length <= 3],
];

function intentOf(text: string, shape: Shape): IntentId | undefined {
  return intentPatterns.find(([, pattern]) =>
    pattern instanceof RegExp ? pattern.test(text) : pattern(text, shape),
  )?.[0];
}
