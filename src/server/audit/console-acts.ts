import { actionById, actionIds } from '../../../commands/kinds/index.ts';
import { type ApiName, api } from '../../contract/api.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { inPast } from './phrases.ts';

/** How the audit words one action. */
export interface ActWords {
  /** A clause as `audited` of an endpoint. */
  readonly words: string;
  /** It changes nothing that others see. */
  readonly isRoutine?: boolean | undefined;
}

/** Actions of the audit that are no calls: sockets, clocks, the command line, and calls that are named by what they do. */
export const consoleActs: Readonly<Record<string, ActWords>> = {
  'object.create': { words: 'create {object}[ on {cluster}]' },
  'object.edit': { words: 'edit {object}[ on {cluster}][: {fields}]' },
  'resource.create': { words: 'create {object}[ on {cluster}]' },
  'resource.apply': { words: 'apply {object}[ on {cluster}]' },
  'secret.reveal': { words: 'reveal values of {object}[ on {cluster}][: {keys}]', isRoutine: true },
  'secret.compare': {
    words: 'compare values of {object}[ on {cluster}][ with {otherNames}]',
    isRoutine: true,
  },
  'release.reveal': { words: 'reveal the values of {object}[ on {cluster}]', isRoutine: true },
  'pod.shell': { words: 'open a shell in {object}[ on {cluster}]' },
  'pod.attach': { words: 'attach to {object}[ on {cluster}]' },
  'recording.replay': {
    words: 'replay the recorded shell of {of} in {object}[ on {cluster}]',
    isRoutine: true,
  },
  'recording.download': {
    words: 'download the recorded shell of {of} in {object}[ on {cluster}]',
    isRoutine: true,
  },
  'recording.expire': { words: 'delete {recordings} recorded shells that were kept for {days} days' },
  'groupPlace.gain': {
    words:
      'give {email|userId} the role {role} in the team {team|teamId}, by[ the group {group} of] {provider}',
  },
  'groupPlace.change': {
    words:
      'change the role of {email|userId} in the team {team|teamId}, by[ the group {group} of] {provider}',
  },
  'groupPlace.lose': {
    words:
      'remove {email|userId} from the team {team|teamId}, as no group of {provider} gives that place any more',
  },
  'groupPlace.expire': {
    words:
      'remove {email|userId} from the team {team|teamId}, as the groups of {provider} were not confirmed in time',
  },
  'access.expire': { words: 'end the temporary access of {email|userId}[ to {cluster}]: {permissions}' },
  'access.lapse': {
    words:
      'drop the request of {email|userId} for temporary access[ to {cluster}], which nobody decided in time',
  },
  'subscription.activate': { words: 'activate the plan {plan}[ with seats for {seats}]' },
  'subscription.abandon': {
    words: 'give up the payment of the plan {plan}, for which there is no subscription',
  },
  'audit.expire': { words: 'delete {rows} rows of the audit that were older than it is kept' },
  'audit.gap': { words: 'skip {rows} rows of the audit in its stream' },
  'audit.rule': { words: 'begin to refuse rows that rewrite an entry' },
  setupLink: { words: 'make a set-up link' },
  localOwner: { words: 'make {email|userId} an Owner who signs in by password' },
  resetLink: { words: 'make a reset link for {email|userId}' },
  removePasskeys: { words: 'remove the passkeys of {email|userId}' },
  restored: { words: 'restore the database, and end all sessions' },
  liftRule: { words: 'lift the rule {rule}' },
  giveUpLostKeys: { words: 'give up values whose key was lost' },
  loseAddress: { words: 'take the address {email} from an account that had not confirmed it' },
};

const calls: Readonly<Record<string, Endpoint>> = api;

/** The words of an action that is not one on objects; undefined where it has none. */
export function wordsOf(action: string): ActWords | undefined {
  if (Object.hasOwn(consoleActs, action)) return consoleActs[action];
  if (!Object.hasOwn(calls, action)) return undefined;
  const { audited, isRoutine } = calls[action as ApiName] as Endpoint;
  return audited === undefined ? undefined : { words: audited, isRoutine };
}

/** Every action that has words, with them; those on objects by their titles. */
const actionTexts: readonly (readonly [action: string, text: string])[] = [
  ...Object.entries(calls).map(([name, { audited = '' }]) => [name, audited] as const),
  ...Object.entries(consoleActs).map(([name, { words }]) => [name, words] as const),
  ...actionIds.map((id) => {
    const { title = '', done = '' } = actionById(id) ?? {};
    return [id, `${title} ${done}`] as const;
  }),
].map(([name, text]) => [name, text.replaceAll(/\{[^}]*\}/g, ' ').toLowerCase()]);

/** The actions whose own words have a word in them, in the present or the past. */
export function actionsWithWord(word: string): readonly string[] {
  const wanted = word.toLowerCase();
  return actionTexts.flatMap(([name, text]) =>
    text !== '' && (text.includes(wanted) || inPast(text).includes(wanted)) ? [name] : [],
  );
}

/** The actions that "Changes only" leaves out. */
export const routineActions: readonly string[] = [
  ...Object.entries(calls).flatMap(([name, { isRoutine }]) => (isRoutine === true ? [name] : [])),
  ...Object.entries(consoleActs).flatMap(([name, { isRoutine }]) => (isRoutine === true ? [name] : [])),
];
