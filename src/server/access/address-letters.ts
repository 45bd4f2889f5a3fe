import { domainToUnicode } from 'node:url';
import { Problem } from '../../contract/problem.ts';

/** Letters of other scripts, and rare Latin ones, that look like letters from a to z (from the confusables of UTS 39). */
const lookalike = /[аьԁеһіјӏкмпорԛгѕтуѵхԝҽүսոօցզհյαβγεηικνορτυχωςɑɡıɩʟɴʀʏʋʍꜱⅼ]/u;
/** Scripts that share the shapes of letters with Latin: no word of a language mixes them. */
const sharing = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Lisu'].map(
  (script) => new RegExp(String.raw`\p{Script=${script}}`, 'u'),
);

/**
 * Whether an address can be taken for another one: it has letters beyond ASCII, or its domain is written with `xn--` and
 * stands for a name that mixes scripts or looks like plain letters throughout. Whether an account has the other address is
 * not asked, so the answer does not tell.
 * @param email lower case
 */
export function looksLikeAnother(email: string): boolean {
  if (/[^\x21-\x7e]/.test(email)) return true;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (!domain.includes('xn--')) return false;
  const decoded = domainToUnicode(domain);
  // No name that this Node knows: a mail program may know one.
  if (decoded === '' || decoded.includes('xn--')) return true;
  return decoded.split('.').some((label) => {
    const letters = Array.from(label.normalize('NFKC')).filter((character) => /\p{L}/u.test(character));
    const foreign = letters.filter((letter) => !/[a-z]/.test(letter));
    if (foreign.length === 0) return false;
    const scripts = sharing.filter((script) => letters.some((letter) => script.test(letter)));
    const hasLatin = letters.some((letter) => /\p{Script=Latin}/u.test(letter));
    return scripts.length + (hasLatin ? 1 : 0) > 1 || foreign.every((letter) => lookalike.test(letter));
  });
}

/** Throws Problem 400 for an address that can be taken for another one: no account and no invitation gets it. */
export function requirePlainAddress(email: string): void {
  if (!looksLikeAnother(email)) return;
  const title =
    'A letter of this address belongs to another script but looks like a plain letter, so the address can be mistaken for somebody else’s. Check it with the person.';
  throw new Problem({ status: 400, title, issues: [{ path: 'email', message: title }] });
}
