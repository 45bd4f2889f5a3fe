/** A noun in the plural, as people write it. */
export const plural = (noun: string): string =>
  /(?:s|x|ch|sh)$/.test(noun)
    ? `${noun}es`
    : /[^aeiou]y$/.test(noun)
      ? `${noun.slice(0, -1)}ies`
      : `${noun}s`;

/** A number of things: `1 Pod`, `3 Pods`, `2 ingresses`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural(noun)}`;
