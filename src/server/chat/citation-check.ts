import { escapePattern } from '../../kube/escape-pattern.ts';
import type { Evidence } from '../../contract/diagnosis.ts';

/** Names in a sentence: code, and words with a hyphen, slash or dot between letters or digits. */
const codePattern = /`([^`\n]{1,200})`/g;
const namePattern = /(?<![\w/.:-])[a-z0-9]+(?:[-/.:][a-z0-9]+)+(?![\w/-])/gi;
/** Numbers that are no part of a name. */
const numberPattern = /(?<![\w.,/:-])\d+(?:[.,]\d+)?(?![\w:/-]|\.\d)/g;
/** States and reasons as Kubernetes writes them: `CrashLoopBackOff`, `OOMKilled`. */
const statePattern = /\b(?:[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|OOMKilled|[A-Z]{2,}[a-z]+[A-Za-z]*)\b/g;
/** States of one word, which sentences also begin with. */
const plainStates =
  /\b(?:Pending|Running|Failed|Succeeded|Evicted|Terminating|Unknown|Completed|Ready|NotReady|Available|Unavailable|Bound|Lost|Suspended)\b/g;

/** Names of kinds, programs and abbreviations of sentences, which are no states. */
const plainNames = new Set(
  `configmap configmaps statefulset statefulsets daemonset daemonsets replicaset replicasets cronjob cronjobs
  networkpolicy networkpolicies persistentvolume persistentvolumeclaim persistentvolumeclaims serviceaccount
  storageclass endpointslice limitrange resourcequota poddisruptionbudget horizontalpodautoscaler ingressclass
  priorityclass rolebinding clusterrole clusterrolebinding coredns e.g i.e etc. pods jobs nodes crds pvcs`.split(
    /\s+/,
  ),
);

/** Words of numbers that a model writes out. */
const numberWords: Readonly<Record<string, string>> = { '0': 'no', '1': 'one', '2': 'two', '3': 'three' };

const trimmed = (text: string): string => text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** The names, counts and states in a sentence. Blocks of code are quotations as a whole, and are not looked through. */
export function claimsIn(sentence: string): readonly string[] {
  if (/^\s*(?:```|~~~)/.test(sentence)) return [];
  // The number of an item of a list counts nothing.
  const text = sentence.replace(/^\s*\d{1,3}[.)]\s/, '');
  const plain = text.replaceAll(codePattern, ' ');
  const claims = [
    ...[...text.matchAll(codePattern)].map(([, code = '']) => code),
    ...(plain.match(namePattern) ?? []),
    ...(plain.match(numberPattern) ?? []),
    ...(plain.match(statePattern) ?? []),
    ...(plain.slice(1).match(plainStates) ?? []),
  ].map(trimmed);
  return [...new Set(claims)].filter((claim) => claim !== '' && !plainNames.has(claim.toLowerCase()));
}

/** The content of evidence as one text. */
export function textOfEvidence(evidence: Evidence): string {
  const { kind, namespace = '', name } = evidence.ref;
  const object = `${kind} ${namespace}/${name} ${namespace} ${name}`;
  switch (evidence.type) {
    case 'field':
      return `${object} ${evidence.path} ${evidence.value ?? ''}`;
    case 'event':
      return `${object} ${evidence.reason} ${evidence.message} ${evidence.count}`;
    case 'log':
      return `${object} ${evidence.container} ${evidence.line ?? ''}`;
    case 'object':
      return object;
    default:
      return evidence satisfies never;
  }
}

/**
 * The names, counts and states of a sentence that are nowhere in what it cites.
 * @param sources what the cited evidence says, and what was read with it
 */
export function unprovenIn(sentence: string, sources: readonly string[]): readonly string[] {
  const text = sources.join('\n').toLowerCase().replaceAll(',', '');
  return claimsIn(sentence).filter((claim) => {
    const wanted = claim.toLowerCase().replaceAll(',', '');
    const isNumber = /^\d+(?:\.\d+)?$/.test(wanted);
    if (!isNumber) return !text.includes(wanted) && !isReference(wanted, text);
    const word = numberWords[wanted];
    return (
      !new RegExp(`(?<![\\d.])${escapePattern(wanted)}(?![\\d]|\\.\\d)`).test(text) &&
      (word === undefined || !new RegExp(`\\b${word}\\b`).test(text))
    );
  });
}

/** Whether each part of a name with its place is there: `deployment/web`, `shop/web`. */
const isReference = (claim: string, text: string): boolean =>
  claim.includes('/') && claim.split('/').every((part) => part !== '' && text.includes(part));
