/** The names in a text, separated by spaces or commas; each once. */
export function namespacesIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];
}
