/** How API servers begin when a patch makes an object they cannot read: with all of it, or of the patch, as text. */
const beginning = '"" is invalid: patch: Invalid value: ';
const quotedObjectPattern = /^"[^"\\]*(?:\\.[^"\\]*)*": (?<reason>.*)$/s;

/**
 * A cluster's message about a patch without the whole object that it quotes: it is unreadable, and may contain values
 * that nobody may see. Undefined for a message that quotes none.
 */
export function withoutObject(said: string): string | undefined {
  // A space stands where the kind would.
  const message = said.trimStart();
  if (!message.startsWith(beginning)) return undefined;
  const reason = quotedObjectPattern.exec(message.slice(beginning.length))?.groups?.['reason'];
  return reason === undefined
    ? 'The cluster cannot decode the changed object. Its message is omitted because it quotes the whole object.'
    : `The cluster cannot decode the changed object: ${reason}`;
}
