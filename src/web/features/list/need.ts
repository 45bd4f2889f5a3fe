import type { Need } from '../../../contract/permissions.ts';

/** A sentence that names the missing permission; `WhyNotButton` beside it tells who can grant it. */
export function needText(need: Need): string {
  if (need === 'owner') return 'Only Owners may.';
  const names = typeof need === 'string' ? need : need.join(' and ');
  return `This needs ${names}.`;
}
