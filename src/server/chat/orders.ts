import { randomBytes } from 'node:crypto';
import type { ToldPart } from './answer-log.ts';
import type { ToldObject } from './sight.ts';

/** What texts say that try to give orders to whoever reads them. */
const patterns: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|all|any|your|earlier|the|these)\b.{0,30}\b(?:instructions?|rules?|prompts?|directions?|guidelines?|context|restrictions?|safety)/is,
  /\byou are (?:now|no longer)\b|\bfrom now on,? you\b|\bact as (?:an?|the|if)\b|\bpretend (?:to be|that you)\b/i,
  /\b(?:system|developer|hidden|initial) (?:prompt|message|instructions?)\b/i,
  /\b(?:ai|assistant|model|chatbot|llm|agent|copilot|gpt|claude)\b\s{0,8}[,:]?\s{0,8}(?:you )?(?:must|should|please|have to|need to|shall|will now|do|run|call|execute|delete|approve|answer|respond|reply|say|tell|propose|ignore)\b/i,
  /<\|?\/?(?:im_start|im_end|system|assistant|user|endoftext|begin_of_text)\|?>|\[\/?(?:INST|SYS)\]|<<\/?SYS>>|^[^\S\n]{0,80}(?:###[^\S\n]{0,8})?(?:system|assistant|instruction)s?\s{0,8}:/im,
  /\b(?:call|use|invoke|run|execute)\b.{0,20}\b(?:tool|function|propose|action)\b/i,
  /\b(?:do not|don['’ ]?t|never)\b.{0,20}\b(?:tell|inform|mention|warn|show|reveal)\b.{0,30}\b(?:user|person|operator|anyone|human|admin)/i,
  /\b(?:print|reveal|show|send|output|repeat|leak|exfiltrate|post|upload|include)\b.{0,40}\b(?:secrets?|passwords?|tokens?|kubeconfig|credentials?|environment variables|your instructions|api keys?)\b/i,
  /\b(?:new|updated|important|urgent) (?:instructions?|orders?|directive|task)\b\s*[:!-]/i,
  /!\[[^\]]{0,500}\]\(https?:|<img\b|<script\b|<iframe\b|javascript:/i,
  /\b(?:jailbreak|dan mode|developer mode|god mode|sudo mode)\b/i,
  /\b(?:the (?:user|owner|admin|operator) (?:has )?(?:already )?(?:approved|authori[sz]ed|agreed|confirmed|granted))\b/i,
];

/**
 * Whether a text of a cluster tries to give orders to a model. It stays data; whoever reads the answer is told. Line ends
 * count as such also where JSON writes them out.
 */
export function givesOrders(text: string): boolean {
  const lines = text.replaceAll(/(?:\\r)?\\n|\\r/g, '\n');
  // Names and labels have no blanks.
  const spaced = lines.replaceAll(/(?<=[a-z0-9])[-_](?=[a-z0-9])/gi, ' ');
  return patterns.some((pattern) => pattern.test(lines) || pattern.test(spaced));
}

/**
 * What people are told where one of some texts does; nothing where none does.
 * @param what where the texts are from, in a few words
 * @param objects what the texts tell of
 */
export function noticeOfOrders(
  texts: readonly string[],
  what: string,
  objects: readonly ToldObject[],
): readonly ToldPart[] {
  if (!texts.some(givesOrders)) return [];
  const text = `Text from the cluster (${what}) contains instructions for the assistant. The model may have followed them: check what it says and proposes.`;
  return [{ part: { type: 'notice', text }, objects }];
}

/** Text of a cluster between marks that it cannot know: what stands there is data, whatever it says. */
export function fence(text: string): string {
  const mark = randomBytes(9).toString('base64url');
  return `<data ${mark}>\n${text}\n</data ${mark}>`;
}
