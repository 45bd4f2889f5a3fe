import type { LabelSelector } from '../../kube/selector.ts';

/** A requirement of a label selector as Go prints it (labels.Requirement.String), with its key for sorting. */
interface Printed {
  readonly key: string;
  readonly text: string;
}

const set = (values: readonly string[] | undefined) => `(${[...(values ?? [])].sort().join(',')})`;

function expressionText(key: string, operator: string, values: readonly string[] | undefined): string {
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'NotIn':
      return `${key} notin ${set(values)}`;
    default:
      return `${key} in ${set(values)}`;
  }
}

/**
 * A selector as the API server writes it in `status.selector` of a scale and in tables, by key; '' for one that
 * is absent or empty.
 */
export function selectorText(selector: LabelSelector | undefined): string {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const printed: Printed[] = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...matchExpressions.map(({ key = '', operator = '', values }) => ({
      key,
      text: expressionText(key, operator, values),
    })),
  ];
  return printed
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}
