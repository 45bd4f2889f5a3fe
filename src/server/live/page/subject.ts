import type { SubscribeMessage } from './plan.ts';

/** What a subscription shows, for the log and for figures: a kind, or a word for what has none; never a name. */
export function subjectOf(message: SubscribeMessage): string {
  if ('dashboard' in message) return 'dashboard';
  if ('tallies' in message) return 'tallies';
  if ('graph' in message) return 'graph';
  // A page may ask for anything; those that are no name of a kind are not repeated.
  if (!/^[\w./-]{1,200}$/.test(message.kind)) return 'unknown kind';
  return 'name' in message ? `one ${message.kind}` : message.kind;
}
