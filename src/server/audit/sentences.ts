import { actionById, kindById } from '../../../commands/kinds/index.ts';
import { type AuditEntry, type AuditOutcome, outcomeOf } from '../../contract/audit.ts';
import { wordsOf } from './console-acts.ts';
import { changedValue, fillPhrase, inPast, type PhraseValues } from './phrases.ts';

/** The parts of an entry that its sentence is made of. */
export type SaidEntry = Pick<
  AuditEntry,
  'action' | 'actor' | 'status' | 'subject' | 'changes' | 'cluster' | 'clusterId'
>;

/** Changes that a sentence has; the detail has all. */
const changesSaid = 3;
/** Longest list of objects in a sentence, in characters. */
const namesLength = 200;

const actors: Readonly<Record<string, string>> = {
  'signed out': 'Somebody signed out',
  expiry: 'The console',
  groups: 'The console',
  retention: 'The console',
  stream: 'The console',
  upgrade: 'The console',
  billing: 'The console',
  operator: 'The operator',
};

/** An entry as a sentence with a full stop. It follows from the entry alone, and from the words of its action. */
export function sentenceOf(entry: SaidEntry): string {
  const { action } = entry;
  const end = actionOf(action, '.end');
  if (end !== undefined) return `${endSentence(entry, end)}.`;
  const cancelled = actionOf(action, '.cancel');
  const own = actionById(action);
  const act = wordsOf(action);
  if (act === undefined && cancelled === undefined && own !== undefined)
    return `${actSentence(entry, own)}${changesText(entry)}.`;
  const words = act?.words ?? (cancelled === undefined ? otherWords(action) : cancelWords(cancelled));
  const clause = fillPhrase(words, valuesOf(entry));
  return `${withOutcome(entry, clause, inPast(clause))}${changesText(entry)}.`;
}

const actionOf = (action: string, ending: string) =>
  action.endsWith(ending) ? actionById(action.slice(0, -ending.length)) : undefined;

const titleOf = ({ title }: { readonly title: string }) => `“${title.replace(/…$/, '')}”`;
const cancelWords = (action: { readonly title: string }) =>
  `cancel ${titleOf(action)} of {object}[ on {cluster}]`;
/** An action that earlier versions had. */
const otherWords = (action: string) => `do “${action.replaceAll(/[{}[\]]/g, '')}”[ on {cluster}]`;

const whoOf = ({ actor }: SaidEntry) => actors[actor] ?? actor;

function withOutcome(entry: SaidEntry, clause: string, past: string): string {
  const who = whoOf(entry);
  if (entry.subject['dryRun'] === true && outcomeOf(entry.status) === 'done')
    return `${who} tried in a dry run to ${clause}: nothing was changed`;
  const said: Readonly<Record<AuditOutcome, string>> = {
    done: `${who} ${past}${partlyFailed(entry)}`,
    refused: `${who} tried to ${clause}, which was refused`,
    failed: `${who} tried to ${clause}, which failed`,
    open: `${who} began to ${clause}; no outcome is recorded`,
  };
  return said[isFailed(entry) ? 'failed' : outcomeOf(entry.status)];
}

const count = (entry: SaidEntry, name: string) => {
  const value = entry.subject[name];
  return typeof value === 'number' ? value : 0;
};

/** A call may succeed with objects of which each failed. */
const isFailed = (entry: SaidEntry) =>
  outcomeOf(entry.status) === 'done' &&
  count(entry, 'failed') > 0 &&
  count(entry, 'failed') === count(entry, 'objects');

function partlyFailed(entry: SaidEntry): string {
  const failed = count(entry, 'failed');
  return failed > 0 && count(entry, 'objects') > failed ? `, of which ${failed} failed` : '';
}

interface ActTitles {
  readonly title: string;
  readonly done: string;
}

/** An action on objects, by its declaration. */
function actSentence(entry: SaidEntry, action: ActTitles): string {
  const place = onCluster(entry);
  const objects = `${objectWords(entry)}${place}`;
  const clause = `do ${titleOf(action)} on ${objects}${fillPhrase('[, revision {revision}]', entry.subject)}`;
  if (outcomeOf(entry.status) !== 'done' || isFailed(entry) || entry.subject['dryRun'] === true)
    return withOutcome(entry, clause, clause);
  const verb = count(entry, 'objects') > 1 ? 'were' : 'was';
  const revision = fillPhrase('[ to revision {revision}]', entry.subject);
  return `${capital(objects)} ${verb} ${action.done}${revision} by ${lowerActor(entry)}${partlyFailed(entry)}`;
}

function endSentence(entry: SaidEntry, action: ActTitles): string {
  const { outcome, done, failed } = entry.subject;
  const steps = fillPhrase('[ with {done} steps done][, {failed} failed]', {
    done: done === 0 ? null : done,
    failed: failed === 0 ? null : failed,
  });
  return `${titleOf(action)} of ${objectWords(entry)}${onCluster(entry)}, begun by ${lowerActor(entry)}, ended: ${changedValue('outcome', outcome)}${steps}`;
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const lowerActor = (entry: SaidEntry) => whoOf(entry).replace(/^The /, 'the ').replace(/^Some/, 'some');

const clusterWords = ({ cluster, clusterId, subject }: SaidEntry): string | undefined => {
  if (cluster !== null) return cluster;
  const id = clusterId ?? subject['clusterId'];
  return typeof id === 'number' ? `cluster ${id}` : undefined;
};
const onCluster = (entry: SaidEntry) => {
  const cluster = clusterWords(entry);
  return cluster === undefined ? '' : ` on ${cluster}`;
};

const valuesOf = (entry: SaidEntry): PhraseValues => ({
  ...entry.subject,
  object: objectWords(entry),
  cluster: clusterWords(entry),
});

/** The kinds of an entry as they are called, such as `Deployment`. */
const kindWords = (kinds: string) =>
  kinds
    .split(', ')
    .map((one) => kindById(one)?.kind ?? one.split('~').at(-1) ?? one)
    .join(', ');

/** The objects of an entry: `Deployment shop/web`, or `3 objects (Deployment: shop/web, shop/api, shop/db)`. */
function objectWords(entry: SaidEntry): string {
  const { subject, action } = entry;
  const text = (name: string) => (typeof subject[name] === 'string' ? subject[name] : '');
  const [namespace, names] = [text('namespace'), text('names') || text('name')];
  const kind = text('kind') === '' ? kindOfAction(action) : kindWords(text('kind'));
  const all = names.length > namesLength ? `${names.slice(0, namesLength - 1).toWellFormed()}…` : names;
  const total = count(entry, 'objects');
  if (total > 1) return `${total} objects (${[kind, all].filter((one) => one !== '').join(': ')})`;
  const isPlaced = namespace === '' || names.includes('/') || namespace.includes(', ');
  return [kind, isPlaced ? all : `${namespace}/${all}`].filter((one) => one !== '').join(' ') || 'objects';
}

/** The kind of objects whose actions name none: shells and recordings are of pods. */
function kindOfAction(action: string): string {
  if (/^(?:pod|recording)\./.test(action)) return 'Pod';
  if (action.startsWith('secret.')) return 'Secret';
  return action.startsWith('release.') ? 'Helm release' : '';
}

/** `: role Viewer → TeamAdmin, namespaces all → shop`; empty where nothing was changed. */
function changesText({ changes }: SaidEntry): string {
  const all = Object.entries(changes ?? {});
  if (all.length === 0) return '';
  const said = all
    .slice(0, changesSaid)
    .map(
      ([name, { before, after }]) =>
        `${changeName(name)} ${changedValue(name, before)} → ${changedValue(name, after)}`,
    );
  const more = all.length > changesSaid ? `, and ${all.length - changesSaid} more` : '';
  return `: ${said.join(', ')}${more}`;
}

/** The name of a setting in words: `isReadOnly` is "read only". */
const changeName = (name: string) =>
  /^[a-z][a-zA-Z]*$/.test(name)
    ? name
        .replace(/^is(?=[A-Z])/, '')
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
    : name;
