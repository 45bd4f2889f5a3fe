/** Whether a text contains what a regular expression describes. */
export type RegexTest = (text: string) => boolean;

/** Reads a regular expression; a sentence where it cannot be read. Each expression is read once. */
export type CompileRegex = (source: string) => RegexTest | string;
