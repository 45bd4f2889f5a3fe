import { escapePattern } from '../../kube/escape-pattern.ts';
import type { Ref } from '../../contract/objects.ts';
import type { ProposedChange } from './tool.ts';

/** A text of the cluster that a model was told. */
export interface ClusterText {
  /** Where it is from, in a few words for people: `Log of shop/web-0`. */
  readonly about: string;
  readonly text: string;
  /** Whether it gives orders. */
  readonly hasOrders: boolean;
}

/** Grounds of a proposal besides texts of the cluster. */
export interface ProposalGround {
  readonly question: string;
  /** Objects at which the question was asked, or that a finding of the rules is about. */
  readonly objects: readonly Ref[];
}

/** Minimum length of a text that is looked for. */
const minLength = 2;

/** The texts and numbers of arguments, however deep. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...leavesOf(inner)])
    : [];
}

/** Whether a text has a word, which may be several with signs between them. */
const hasWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w.-])${escapePattern(word)}(?![\\w-]|\\.\\w)`, 'i').test(text);

/**
 * Why a proposal may be an order of a text of the cluster: some text gives orders, or an object or an argument stands in
 * texts of the cluster alone, and not in the question. Undefined where it is neither.
 */
export function warningOf(
  { refs, args }: Pick<ProposedChange, 'refs' | 'args'>,
  { question, objects }: ProposalGround,
  texts: readonly ClusterText[],
): string | undefined {
  const ordering = [...new Set(texts.filter(({ hasOrders }) => hasOrders).map(({ about }) => about))];
  const isGiven = ({ kind, name, namespace }: Ref) =>
    objects.some((one) => one.kind === kind && one.name === name && one.namespace === namespace);
  const names = refs.filter((ref) => !isGiven(ref)).map(({ name }) => name);
  const values = Object.values(args)
    .flatMap(leavesOf)
    .filter((value) => value.length >= minLength || /^\d$/.test(value));
  const foreign = [...new Set([...names, ...values])].flatMap((word) => {
    if (hasWord(question, word)) return [];
    const source = texts.find(({ text }) => hasWord(text, word));
    return source === undefined ? [] : [`“${word}” (${source.about})`];
  });
  const sentences = [
    ...(ordering.length === 0
      ? []
      : [`Text from the cluster contains instructions for the assistant: ${ordering.join(', ')}.`]),
    ...(foreign.length === 0
      ? []
      : [`Your question does not name ${foreign.join(', ')}: only text from the cluster does.`]),
  ];
  return sentences.length === 0 ? undefined : `${sentences.join(' ')} Check the proposal before you run it.`;
}
