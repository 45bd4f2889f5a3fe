import type { ChatPart } from '../../contract/chat.ts';
import { addressOfActor } from '../access/person.ts';
import type { ToldPart } from './answer-log.ts';
import type { ToldObject } from './sight.ts';

/** Who a stand-in means. */
export type PersonPart = Extract<ChatPart, { readonly type: 'person' }>;

/** Whether something is the address of a person, and not a part of the console as `retention`. */
const isAddress = (actor: string): boolean => actor.includes('@');

/**
 * The people of an answer, by whom a model is told who did something: `person 1` instead of an address. The page, whose
 * reader may see it, shows the address.
 */
export class StandIns {
  /** By the address in lower case. */
  readonly #known = new Map<string, PersonPart>();
  readonly #told = new Set<PersonPart>();

  /** @param known those of the answers before, which keep theirs; the last one of a number counts */
  constructor(known: readonly PersonPart[]) {
    const byId = new Map(known.map((part) => [part.id, part]));
    for (const part of byId.values()) this.#known.set(part.address.toLowerCase(), part);
  }

  /** How a model is told of an actor of the audit: people by their stand-in, what else did it by its name. */
  of(actor: string): string {
    const address = addressOfActor(actor);
    if (!isAddress(address)) return actor;
    const key = address.toLowerCase();
    const known = this.#known.get(key);
    if (known !== undefined) return known.id;
    const numbers = [...this.#known.values()].map(({ id }) => Number(id.split(' ')[1]));
    const part: PersonPart = { type: 'person', id: `person ${Math.max(0, ...numbers) + 1}`, address };
    this.#known.set(key, part);
    return part.id;
  }

  /** A text with the stand-ins of these people in place of their addresses. */
  masked(text: string): string {
    let masked = text;
    for (const { id, address } of this.#known.values()) masked = replaced(masked, address, id);
    return masked;
  }

  /**
   * Who the stand-ins in a text mean, each once in an answer. That they acted is known from the audit: Owners alone read it.
   * @param objects what the text tells of
   */
  untold(text: string, objects: readonly ToldObject[]): ToldPart[] {
    const fresh = [...this.#known.values()].filter(
      (part) => !this.#told.has(part) && new RegExp(`\\b${part.id}\\b`).test(text),
    );
    for (const part of fresh) this.#told.add(part);
    return fresh.map((part) => ({ part, objects: [...objects, { kind: 'namespace', need: 'owner' }] }));
  }
}

/** A text without another one in it, in whatever case it is written. */
function replaced(text: string, part: string, by: string): string {
  const lower = text.toLowerCase();
  const wanted = part.toLowerCase();
  // Lower case may have another length, in a few languages.
  if (lower.length !== text.length || wanted === '') return text.replaceAll(part, by);
  let done = '';
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    done += text.slice(from, at) + by;
    from = at + wanted.length;
  }
  return done + text.slice(from);
}
