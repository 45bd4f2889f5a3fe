/** The box of what belongs together, on the deck or in a dialog: as high as what is in it, also where it stands in a column that scrolls. */
export const cardLook = 'min-w-0 flex-none rounded-md border border-border bg-surface';

/** A card's heading; further content may share its line. */
export const cardTitle = 'flex items-baseline gap-2 px-3 pt-2 pb-1.5 font-semibold';

/** Content at the end of a card's head: muted, smaller than the title. */
export const cardAside = 'ml-auto text-(length:--text-xs) font-normal text-text-3';
