/** Why a finding has no next step of its own, as a whole sentence. */
export interface NoStep {
  readonly none: string;
}

/** The next step for the findings of a rule, as a sentence in the imperative; or the reason why there is none. */
export type NextSteps = Readonly<Record<string, string | NoStep>>;

/** The sentence or detail of each finding of the rule ends with what to do. */
export const saidByFinding: NoStep = { none: 'Each sentence of the rule ends with what to do.' };
