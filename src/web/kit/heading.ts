/** The heading of a page. */
export const pageHeading = 'text-xl font-semibold tracking-[-0.01em]';
