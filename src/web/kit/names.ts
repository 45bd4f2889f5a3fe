/** A name in parts: its stem, the generated middle, and an end that is never cut off. */
export interface NameParts {
  readonly stem: string;
  readonly middle: string;
  readonly end: string;
}

/** The suffix that Kubernetes appends to generated names: `-7d9f8b6c5d-4kx2j`, `-4kx2j`, `-29384410-7wq2k`. */
const generated = /^(.+?)(-(?:[bcdf-hj-np-tv-z2456789]{8,10}|\d{8,10})-|-)([bcdf-hj-np-tv-z2456789]{5})$/;
/** The ordinal of a StatefulSet's pod. */
const ordinal = /^(.+)(-\d{1,4})$/;

/** Splits a name so that a narrow column can cut its middle: the last characters tell siblings apart. */
export function namePartsOf(name: string): NameParts {
  const made = generated.exec(name);
  if (made !== null) return { stem: made[1] ?? '', middle: made[2] ?? '', end: made[3] ?? '' };
  const numbered = ordinal.exec(name);
  if (numbered !== null) return { stem: numbered[1] ?? '', middle: '', end: numbered[2] ?? '' };
  return { stem: name, middle: '', end: '' };
}
