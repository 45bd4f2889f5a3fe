/** The id of a completion, by its place. */
export const completionId = (id: string, at: number): string => `${id}${at}`;
