/** Longest message of an invitation, in characters. */
export const messageLength = 300;

/**
 * Text of which mail programs make a link: an address with a scheme, a mail address, and a name with a dot and letters after it.
 * Full stops of other scripts separate names as well.
 */
const linkText =
  /[a-z][a-z\d+.-]*:\/\/\S*|\b(?:mailto|tel):\S+|\S+@\S+|[\p{L}\p{N}-]+(?:[.。．｡][\p{L}\p{N}-]+)*[.。．｡](?:\p{L}{2,}|xn--[\da-z-]+)\S*/iu;

/** The first text in a message that a mail program could make a link of; undefined without one. */
export function linkIn(message: string): string | undefined {
  return linkText.exec(message)?.[0];
}

/** Why a message is refused for a link, as a sentence that quotes nothing of it; undefined for one that has none. */
export const linkRefusal = (message: string): string | undefined =>
  linkIn(message) === undefined
    ? undefined
    : 'Leave out links, mail addresses and names such as example.org: mail programs can make links of them.';
