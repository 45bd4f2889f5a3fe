import { type LabelSelector, selectorRequirements } from './selector.ts';

/** Formats a selector with sorted keys, as in `status.selector` of a scale. */
export function formatSelector(selector: LabelSelector | undefined): string {
  return (selectorRequirements(selector) ?? [])
    .map(({ key, operator, values }) => {
      if (operator === 'Exists') return key;
      if (operator === 'DoesNotExist') return `!${key}`;
      const sorted = [...values].sort();
      if (operator === 'In')
        return sorted.length === 1 ? `${key}=${sorted[0]}` : `${key} in (${sorted.join(',')})`;
      return `${key} notin (${sorted.join(',')})`;
    })
    .sort()
    .join(',');
}
