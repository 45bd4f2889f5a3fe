import { escapePattern } from '../../kube/escape-pattern.ts';
import { randomInt } from 'node:crypto';
import type { ChatPart } from '../../contract/chat.ts';
import { addressOfActor } from '../access/person.ts';
import { redacted } from '../kit/redact-text.ts';
import type { ToldPart } from './answer-log.ts';
import type { ToldObject } from './sight.ts';

/** Who a stand-in means. */
export type PersonPart = Extract<ChatPart, { readonly type: 'person' }>;

/** A person of an answer before. */
export interface KnownPerson {
  readonly part: PersonPart;
  /** What the text told of in which the stand-in stood. */
  readonly objects: readonly ToldObject[];
  /** Whether the person who asks may see that answer. */
  readonly isSeen: boolean;
}

/** Whether something is the address of a person, and not a part of the console as `retention`. */
const isAddress = (actor: string): boolean => actor.includes('@');

/** Characters of the part of an address before its @, but those that quotes allow. */
const local = String.raw`\p{L}\p{N}_.+-`;
/** Where a word begins; behind a character that JSON or an address of a page writes out, one does. */
const beginning = String.raw`(?:(?<![${local}])|(?<=\\(?:[bfnrt]|u[0-9a-f]{4}))|(?<=%[0-9a-f]{2}))`;
/** What may stand before an address or behind it within one word, as in `by-ann@x.io`. */
const wordStart = String.raw`(?:[${local}]*[_.+-])?`;
const wordEnd = String.raw`(?:[_-][\p{L}\p{N}_-]*)?`;
const end = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_])`;
/** An address as a text may have it: with a tag, or as addresses of pages write it. */
const patternOf = (address: string): string => {
  const at = address.lastIndexOf('@');
  const domain = escapePattern(address.slice(at + 1));
  return `${escapePattern(address.slice(0, at))}(?:\\+[${local}]{0,64})?(?:@|%40)${domain}`;
};

/** Any address of mail. One behind a scheme is a user of a host, and one before a colon a place of git or an image. */
const anyAddress =
  /(?<![\w.+%/:@-])([\p{L}\p{N}_.+-]{1,64})(?:@|%40)((?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})(?![\p{L}\p{N}_:/-]|\.[\p{L}\p{N}])/gu;
const programNames = /^(?:git|root|system|postgres|admin|nobody|[a-z0-9-]+-sa)$/i;
const programDomains = /(?:gserviceaccount\.com|\.svc|\.local|\.internal|\.cluster|\.localdomain)$/i;

/** Words that contain an address of somebody and are none of theirs, as this answer numbers them at most. */
const otherLimit = 100;
/** Longest of these words, characters: an address has no more. */
const longestWord = 320;

/** Numbers that nobody guesses who writes texts into a cluster: with one, a text would speak of somebody it cannot know. */
const randomNumber = (): number => randomInt(100_000, 1_000_000);

/**
 * The people of an answer, by whom a model is told who did something: `person 482913` instead of an address. The page,
 * whose reader may see it, shows the address. Members get a number when their address first stands in a text.
 */
export class StandIns {
  /** By the address in lower case. */
  readonly #known = new Map<string, PersonPart>();
  /** Addresses of members and of those who are known, in lower case. */
  readonly #addresses: Set<string>;
  readonly #before = new Map<PersonPart, KnownPerson>();
  /** Those whose address stood in a text of this answer, and those who are known from the audit. */
  readonly #stood = new Set<PersonPart>();
  readonly #audited = new Set<PersonPart>();
  readonly #told = new Set<PersonPart>();
  readonly #ids = new Set<string>();
  readonly #newNumber: () => number;
  #others = 0;

  /**
   * @param known those of the answers before, which keep their number; the last one of a number counts
   * @param members addresses that a model is never told
   * @param newNumber gives another number each time, sooner or later
   */
  constructor(
    known: readonly KnownPerson[],
    members: readonly string[] = [],
    newNumber: () => number = randomNumber,
  ) {
    this.#newNumber = newNumber;
    for (const person of new Map(known.map((one) => [one.part.id, one])).values()) {
      this.#known.set(person.part.address.toLowerCase(), person.part);
      this.#before.set(person.part, person);
      this.#ids.add(person.part.id);
    }
    this.#addresses = new Set([
      ...this.#known.keys(),
      ...members.filter(isAddress).map((one) => one.toLowerCase()),
    ]);
  }

  /** How a model is told of an actor of the audit: people by their stand-in, what else did it by its name. */
  of(actor: string): string {
    const address = addressOfActor(actor);
    if (!isAddress(address)) return actor;
    const part = this.#numbered(address);
    this.#audited.add(part);
    return part.id;
  }

  /**
   * A text with stand-ins in place of the addresses of members, and of whoever is known. A longer word with such an address
   * in it gets one of its own: it may be somebody else's. Mask before cutting.
   */
  masked(text: string): string {
    const lower = text.toLowerCase().replaceAll('%40', '@');
    if (!isAddress(lower)) return text;
    return this.#withoutStrangers(this.#withoutMembers(text, lower));
  }

  #withoutMembers(text: string, lower: string): string {
    const there = [...this.#addresses].filter((address) => {
      const at = address.lastIndexOf('@');
      return (
        lower.includes(address) ||
        (lower.includes(`${address.slice(0, at)}+`) && lower.includes(address.slice(at)))
      );
    });
    if (there.length === 0) return text;
    // The longest first: one may be the end of another behind a character that parts them.
    const choices = there
      .toSorted((a, b) => b.length - a.length)
      .map(patternOf)
      .join('|');
    const pattern = new RegExp(`${beginning}${wordStart}(?:${choices})${wordEnd}${end}`, 'giu');
    return text.replaceAll(pattern, (word) => {
      const address = word.replaceAll('%40', '@');
      if (!this.#addresses.has(address.toLowerCase())) {
        if (this.#others === otherLimit || address.length > longestWord) return redacted;
        this.#others += 1;
      }
      const part = this.#numbered(address);
      this.#stood.add(part);
      return part.id;
    });
  }

  /** Addresses of others, as of customers, get stand-ins as well; accounts of programs and hosts keep their names. */
  #withoutStrangers(text: string): string {
    return text.replaceAll(anyAddress, (word, name: string, domain: string) => {
      if (programNames.test(name) || programDomains.test(domain)) return word;
      const address = word.replaceAll('%40', '@');
      if (!this.#addresses.has(address.toLowerCase())) {
        if (this.#others === otherLimit) return redacted;
        this.#others += 1;
      }
      const part = this.#numbered(address);
      this.#stood.add(part);
      return part.id;
    });
  }

  /**
   * Who the stand-ins in a text mean, each once in an answer, for those who may see the text. That somebody acted is known
   * from the audit: Owners alone read it. A stand-in that the text repeats from an answer before, without the address,
   * stays with those who may see that answer too.
   * @param objects what the text tells of
   */
  untold(text: string, objects: readonly ToldObject[]): ToldPart[] {
    const fresh = [...this.#known.values()].filter(
      (part) =>
        !this.#told.has(part) &&
        (this.#stood.has(part) || this.#audited.has(part) || this.#before.get(part)?.isSeen === true) &&
        new RegExp(String.raw`\b${part.id}\b`).test(text),
    );
    for (const part of fresh) this.#told.add(part);
    return fresh.map((part) => ({
      part,
      objects: [
        ...objects,
        ...(this.#audited.has(part) ? [{ kind: 'namespace', need: 'owner' } as const] : []),
        ...(this.#stood.has(part) ? [] : (this.#before.get(part)?.objects ?? [])),
      ],
    }));
  }

  /** The person with an address, who gets the next number if there is none yet. */
  #numbered(address: string): PersonPart {
    const key = address.toLowerCase();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const part: PersonPart = { type: 'person', id: this.#freeId(), address };
    this.#known.set(key, part);
    this.#addresses.add(key);
    return part;
  }

  #freeId(): string {
    for (;;) {
      const id = `person ${this.#newNumber()}`;
      if (this.#ids.has(id)) continue;
      this.#ids.add(id);
      return id;
    }
  }
}
