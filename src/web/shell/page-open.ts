/** The page's first requests come first: the counts of the sidebar wait this long, ms. */
const firstTurn = 2_000;

/** Fulfilled once the page had time to open. */
export const pageIsOpen = new Promise<void>((done) => setTimeout(done, firstTurn));
