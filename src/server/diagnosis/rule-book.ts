import type { RuleBook } from './diagnose.ts';
import { podRules, podTrails } from './rules/pod.ts';
import { workloadTrails } from './rules/workload.ts';

/** All rules and trails. A new file of rules is added here. */
export const ruleBook: RuleBook = {
  rules: [...podRules],
  trails: [...workloadTrails, ...podTrails],
};
