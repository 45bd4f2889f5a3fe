import { type Attention, variantOf } from '../kinds/attention.ts';
import type { KindStatus } from '../kinds/kind.ts';
import type { CustomHealth } from './conclude.ts';

/** The status of an object with this health. */
export const statusOf = ({ tone, label, later }: CustomHealth): KindStatus => ({
  tone,
  label,
  ...(later === undefined ? {} : { later: { at: later.at, status: statusOf(later.health) } }),
});

/** The problem of an object with this health, now or later; undefined if there is none. @param title by its label */
export function attentionOf(
  { later, ...now }: CustomHealth,
  rule: string,
  title: (label: string) => string,
): Attention | undefined {
  const { tone, label, message, since } = later?.health ?? now;
  if (tone !== 'bad' && tone !== 'warn') return undefined;
  return {
    rule,
    variant: variantOf(label),
    tone,
    // A degraded object that fails has become worse.
    extent: tone === 'bad' ? 2 : 1,
    title: title(label),
    ...(message === undefined ? {} : { detail: message }),
    ...(since === undefined ? {} : { since }),
    ...(later === undefined ? {} : { notBefore: later.at }),
  };
}
