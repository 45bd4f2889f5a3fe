import { describe, expect, it } from 'vitest';
import { intents } from '../../../src/server/chat/rules/intents.ts';
import { similarTo, unknownNamesIn } from '../../../src/server/chat/rules/question-names.ts';
import { type IntentId, parseQuestion } from '../../../src/server/chat/rules/question-parser.ts';
import { timeIn } from '../../../src/server/chat/rules/question-time.ts';
import { suggestionsFrom } from '../../../src/server/chat/suggestions.ts';

/** A Monday, 04:30 UTC. */
const now = Date.parse('2026-11-30T04:30:00Z') / 1000;
const hour = 3_600;
const at = (iso: string): number => Date.parse(iso) / 1000;

/** A question, its sort, the kinds that it names and the words that may be names; a question mark means a doubtful one. */
type Case = readonly [
  question: string,
  intent: IntentId | undefined,
  kinds: readonly string[],
  names: readonly string[],
];

const cases: readonly Case[] = [
  ['What is wrong with web?', 'trouble', [], ['web']],
  ["What's wrong in shop?", 'trouble', [], ['shop']],
  ['Why is shop/web down', 'trouble', [], ['shop/web']],
  ['why does the pod web-7d9f-x2 restart', 'trouble', ['pod'], ['web-7d9f-x2']],
  ['web?', 'trouble', [], ['web']],
  ['Is everything ok?', 'trouble', [], []],
  ['Warum startet web nicht?', 'trouble', [], ['web']],
  ['Was ist in shop kaputt?', 'trouble', [], ['shop']],
  ['Geht es dem Dienst web gut?', 'trouble', ['service'], ['web']],
  ['What changed since yesterday?', 'changes', [], []],
  ['What changed in shop in the last 2 hours?', 'changes', [], ['shop']],
  ['who changed web today', 'changes', [], ['web']],
  ['Was hat sich seit gestern in shop geändert?', 'changes', [], ['shop']],
  ['May I drain worker-1?', 'permission', [], ['worker-1']],
  ['is it safe to drain worker-1', 'permission', [], ['worker-1']],
  ['Darf ich den Knoten worker-1 leeren?', 'permission', ['node'], ['worker-1']],
  ['Whom do I ask to see secrets?', 'permission', ['secret'], []],
  ['Who can give me access to secrets in shop?', 'permission', ['secret'], ['shop']],
  ['Wen muss ich fragen, um Geheimnisse zu sehen?', 'permission', ['secret'], []],
  ['Why can I not delete web?', 'permission', [], ['web']],
  ['restart web', 'permission', [], ['web']],
  ['roll back web', 'permission', [], ['web']],
  ['who are the owners?', 'permission', [], []],
  ['What uses the secret database?', 'uses', ['secret'], ['database']],
  ['Wer benutzt das Secret database?', 'uses', ['secret'], ['database']],
  ['what does web depend on', 'uses', [], ['web']],
  ['How much memory does web use?', 'usage', [], ['web']],
  ['which pods use the most cpu', 'usage', ['pod'], []],
  ['Wie hoch ist die Auslastung?', 'usage', [], []],
  ['logs of web', 'logs', [], ['web']],
  ['Zeig mir das Protokoll von web', 'logs', [], ['web']],
  ['How many pods are in shop?', 'count', ['pod'], ['shop']],
  ['Wie viele Pods laufen in shop?', 'count', ['pod'], ['shop']],
  ['Is the rollout of web complete?', 'rollout', [], ['web']],
  ['Which image does web run?', 'image', [], ['web']],
  ['Which pods are not ready?', 'list', ['pod'], []],
  ['Which pods are on worker-1?', 'list', ['pod'], ['worker-1']],
  ['list deploymnets in shop', 'list', ['deployment'], ['shop']],
  ['where is web', 'list', [], ['web']],
  ['events of web', 'events', ['event'], ['web']],
  ['What can you do?', 'help', [], []],
  ['recommendations?', 'trouble', [], ['recommendations']],
  ['who can delete pods in shop', 'holders', ['pod'], ['shop']],
  ['Wer darf in shop Pods löschen?', 'holders', ['pod'], ['shop']],
  ['who is allowed to view secrets in shop', 'holders', ['secret'], ['shop']],
  ['who has access to the secret database', 'holders', ['secret'], ['database']],
  ['is it ok to take worker-1 down tonight', 'permission', [], ['worker-1']],
  ['could I reboot worker-1 without breaking anything', 'permission', [], ['worker-1']],
  ['kann ich worker-1 neu starten', 'permission', [], ['worker-1']],
  ['anything on fire?', 'trouble', [], []],
  ['which services have no endpoints', 'trouble', ['service'], []],
  ['is the certificate of web about to expire', 'trouble', [], ['web']],
  ['last errors from web', 'logs', [], ['web']],
  ['what happened in shop this morning', 'changes', [], ['shop']],
  ['how old is web', 'changes', [], ['web']],
  ['who calls the service web', 'uses', ['service'], ['web']],
  ['is web rolled out already', 'rollout', [], ['web']],
  ['who is hogging the memory', 'usage', [], []],
  ['welches image benutzt web', 'image', [], ['web']],
  ['how many replicas does web have', 'count', ['pod'], ['web']],
  ['is there room to scale web to 5', 'room', [], ['web']],
  ['is there enough cpu for 3 more of web', 'room', [], ['web']],
  ['would another replica of web fit', 'room', ['pod'], ['web']],
  ['Ist Platz für 5 Pods von web?', 'room', ['pod'], ['web']],
  ['reicht die CPU für 2 weitere web', 'room', [], ['web']],
  ['genug Platz um web auf 5 zu skalieren', 'room', [], ['web']],
  ['can mia delete pods in shop', 'holders', ['pod'], ['shop']],
  ['may Mia Meier restart web', 'holders', [], ['web']],
  ['does mia.meier@corp.example have access to secrets in shop', 'holders', ['secret'], ['shop']],
  ['can rolf see secrets in shop', 'holders', ['secret'], ['shop']],
  ['Darf Mia in shop Pods löschen?', 'holders', ['pod'], ['shop']],
  ['hat mia Zugriff auf secrets', 'holders', ['secret'], []],
  ['could anybody delete pods in shop', 'holders', ['pod'], ['shop']],
  ['can web reach db', undefined, [], ['web', 'reach', 'db']],
  ['can I delete pods in shop', 'permission', ['pod'], ['shop']],
  ['Tell me a joke', undefined, [], ['joke']],
];

describe('a question', () => {
  it.each(cases)('%s', (question, intent, kinds, names) => {
    const parsed = parseQuestion(question, { now });
    const found = parsed.names
      .filter(({ isDoubtful }) => !isDoubtful)
      .map(({ namespace, name }) => (namespace === undefined ? name : `${namespace}/${name}`));
    expect({ intent: parsed.intent, kinds: parsed.kinds, names: found }).toEqual({ intent, kinds, names });
  });

  it.each([
    ['can mia delete pods in shop', ['mia']],
    ['may Mia Meier restart web', ['mia', 'meier']],
    ['Darf Jörg shop sehen', ['joerg']],
    ['does mia@corp.example have access to secrets', ['mia@corp.example']],
    ['can web scale to 5', []],
    ['is web running', []],
    ['can I delete web', []],
    // An object of the name is meant first.
    ['can cart restart web', []],
  ])('names a person: %s', (question, person) => {
    expect(parseQuestion(question, { now, isName: (word) => word === 'cart' }).person).toEqual(person);
  });

  it.each([
    ['is there room to scale web to 5', { count: 5, isMore: false }],
    ['is there room for 3 more pods of web', { count: 3, isMore: true }],
    ['is there room to scale web by 2', { count: 2, isMore: true }],
    ['Ist Platz für 2 weitere web', { count: 2, isMore: true }],
    ['would another web fit', { count: 1, isMore: true }],
    ['is there room for web-2', undefined],
  ])('names a number of replicas: %s', (question, amount) => {
    expect(parseQuestion(question, { now }).amount).toEqual(amount);
  });

  it('takes no name of an object for a misspelt kind', () => {
    expect(parseQuestion('why is nods down', { now })).toMatchObject({ kinds: ['node'] });
    expect(parseQuestion('why is nods down', { now, isName: (word) => word === 'nods' })).toMatchObject({
      kinds: [],
      names: [{ name: 'nods' }],
    });
  });

  it.each(Object.entries(intents))('that is offered as an example is understood: %s', (id, { example }) => {
    expect(parseQuestion(example, { now }).intent).toBe(id);
  });

  it('that is suggested is understood', () => {
    const object = { kind: 'deployment', namespace: 'shop', name: 'web' };
    const finding = { object, path: [object] };
    const suggested = suggestionsFrom({ findings: [finding] as never });
    for (const { question } of suggested) expect(parseQuestion(question, { now }).intent).toBe('trouble');
  });
});

describe('the time of a question', () => {
  it.each([
    ['since yesterday', at('2026-11-29T00:00:00Z')],
    ['heute', at('2026-11-30T00:00:00Z')],
    ['in the last 2 hours', now - 2 * hour],
    ['in the last hour', now - hour],
    ['an hour ago', now - hour],
    ['30 minutes ago', now - hour / 2],
    ['seit 3 tagen', now - 72 * hour],
    ['since 04:00', at('2026-11-30T04:00:00Z')],
    ['since 14:00', at('2026-11-29T14:00:00Z')],
    ['since 2pm', at('2026-11-29T14:00:00Z')],
    ['since monday', at('2026-11-23T00:00:00Z')],
    ['seit freitag', at('2026-11-27T00:00:00Z')],
    ['since 2026-11-20', at('2026-11-20T00:00:00Z')],
    ['why is web down', undefined],
  ])('%s', (text, expected) => {
    expect(timeIn(text, now)).toBe(expected);
  });
});

describe('similar names', () => {
  const ref = (name: string, kind = 'deployment') => ({ kind, namespace: 'shop', name });

  it.each([
    ['wbe', ['web', 'cart'], 'web'],
    ['storefrnt', ['storefront', 'store'], 'storefront'],
    // A number tells one object from the next.
    ['worker-2', ['worker-1'], undefined],
    ['recommendations', ['recommendation-api'], undefined],
    ['cat', ['car', 'bat'], undefined],
  ])('%s', (word, names, typo) => {
    expect(
      similarTo(
        word,
        names.map((name) => ref(name)),
      ).typo,
    ).toBe(typo);
  });
});

describe('names that a question may not show to others', () => {
  it('are words that look like names and belong to nothing that it is known to name', () => {
    const named = [{ namespace: 'shop', name: 'web-api' }];
    expect(unknownNamesIn('Why is web-api slow since orders-db is gone?', named)).toEqual(['orders-db']);
  });
});
