/** The numbers 1 to 9, as ids of commands write them. */
export const numberNames = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'] as const;
