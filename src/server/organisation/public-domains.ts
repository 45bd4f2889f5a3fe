import providers from 'email-providers/all.json' with { type: 'json' };

/** Mail providers that the list of `email-providers` lacks. */
const others = [
  'duck.com',
  'fastmail.com',
  'posteo.de',
  'posteo.net',
  'tuta.io',
  'tutamail.com',
  'tutanota.com',
  'tutanota.de',
] as const;

const publicDomains: ReadonlySet<string> = new Set([...providers, ...others]);

/** Whether a mail provider gives addresses of a domain to anybody. @param domain lower case */
export function isPublicDomain(domain: string): boolean {
  return publicDomains.has(domain);
}
