import { familiesInLines } from './family-lines.ts';
import { familiesWithRules } from './family-rules.ts';
import type { Polarity } from './polarity.ts';
import type { StatusRule } from './rule.ts';
import type { Saying } from './words.ts';

const families = [...familiesWithRules, ...familiesInLines];

/** Names of kinds whose objects do one piece of work and end. */
const workKind =
  /(?:Run|(?<!Cron|Scaled)Job|Backup|Restore|(?<!Cron)Workflow|Migration|Task|Operation|Experiment|Build|Snapshot)$/;
/** Meanings of words about work, which runs until it ends. */
const workTones: Readonly<Record<string, Saying>> = {
  running: 'info',
  started: 'info',
  active: 'info',
  executing: 'info',
};
/** The same of conditions. */
const workPolarity: Readonly<Record<string, Polarity>> = { Running: 'progress' };

const isBelow = (group: string, pattern: string) =>
  pattern.startsWith('*.') ? group.endsWith(pattern.slice(1)) : group === pattern;

const familyOf = (group: string, kind: string) =>
  families.find(
    ({ groups, kinds }) =>
      groups.some((pattern) => isBelow(group, pattern)) && (kinds === undefined || kinds.includes(kind)),
  );

/** Whether a kind belongs to a well-known project. */
export const isWellKnown = (group: string, kind: string): boolean => familyOf(group, kind) !== undefined;

/** The status rule of a kind: that of a well-known project, or what its name says; empty for any other. */
export function statusRuleOf(group: string, kind: string): StatusRule {
  const rule = familyOf(group, kind)?.rule ?? {};
  if (!workKind.test(kind)) return rule;
  return {
    ...rule,
    tones: { ...workTones, ...rule.tones },
    polarity: { ...workPolarity, ...rule.polarity },
  };
}
