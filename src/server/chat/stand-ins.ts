import type { ChatPart } from '../../contract/chat.ts';
import { addressOfActor } from '../access/person.ts';
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

/** Where no longer address begins; behind a line end or another character that JSON writes out, one does. */
const beginning = String.raw`(?:(?<![\p{L}\p{N}_.+-])|(?<=\\(?:[bfnrt]|u[0-9a-f]{4})))`;
const end = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_])`;
const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);

/**
 * The people of an answer, by whom a model is told who did something: `person 1` instead of an address. The page, whose
 * reader may see it, shows the address. Members get a number when their address first stands in a text.
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
  #last = 0;

  /**
   * @param known those of the answers before, which keep their number; the last one of a number counts
   * @param members addresses that a model is never told
   */
  constructor(known: readonly KnownPerson[], members: readonly string[] = []) {
    for (const person of new Map(known.map((one) => [one.part.id, one])).values()) {
      this.#known.set(person.part.address.toLowerCase(), person.part);
      this.#before.set(person.part, person);
      this.#last = Math.max(this.#last, Number(person.part.id.split(' ')[1]));
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

  /** A text with stand-ins in place of the addresses of members, and of whoever is known. Mask before cutting. */
  masked(text: string): string {
    if (!isAddress(text)) return text;
    const lower = text.toLowerCase();
    const there = [...this.#addresses].filter((address) => lower.includes(address));
    if (there.length === 0) return text;
    // The longest first: one may be the end of another behind a character that parts them.
    const choices = there
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
      .join('|');
    return text.replaceAll(new RegExp(`${beginning}(?:${choices})${end}`, 'giu'), (address) => {
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
    this.#last += 1;
    const part: PersonPart = { type: 'person', id: `person ${this.#last}`, address };
    this.#known.set(key, part);
    this.#addresses.add(key);
    return part;
  }
}
