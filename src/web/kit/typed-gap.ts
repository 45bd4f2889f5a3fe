/** Maximum time between two keys of one typed text, ms. */
export const typedGap = 500;
