import type { Need } from '../../../contract/permissions.ts';

/** What something needs and who can grant it, a sentence. */
export function needText(need: Need): string {
  if (need === 'owner') return 'Only Owners may.';
  const names = typeof need === 'string' ? need : need.join(' and ');
  return `This needs ${names}. An Owner can grant it.`;
}
