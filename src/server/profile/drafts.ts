import { and, desc, eq, notInArray, sql } from 'drizzle-orm';
import { type Draft, draftsLimit } from '../../contract/drafts.ts';
import { Problem } from '../../contract/problem.ts';
import { mayBecomeSecret, mayBeSecret } from '../../kube/secret-text.ts';
import type { Member } from '../access/person.ts';
import type { Asker } from '../manifests/admission.ts';
import type { ManifestParser } from '../manifests/parser.ts';
import { isPlain } from '../objects/read.ts';
import { drafts } from '../store/schema/profile.ts';
import { draftContext } from '../store/sealed.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';

const own = (person: Member) => and(eq(drafts.userId, person.id), eq(drafts.companyId, person.companyId));
const at = (person: Member, place: string) => and(own(person), eq(drafts.place, place));

/**
 * Drafts of people, each person's own in the company of their session. They are sealed: neither other people nor a reader
 * of the database can read an unsent text. A text that may be a Secret is not kept.
 */
export class Drafts {
  readonly #db: Store['db'];
  readonly #vault: Pick<Vault, 'open' | 'seal'>;
  readonly #parser: ManifestParser;

  constructor(parts: {
    readonly store: Pick<Store, 'db'>;
    readonly vault: Pick<Vault, 'open' | 'seal'>;
    readonly parser: ManifestParser;
  }) {
    this.#db = parts.store.db;
    this.#vault = parts.vault;
    this.#parser = parts.parser;
  }

  /** The draft of a place; null without one, and for one that was sealed with a key that is gone, which is logged. */
  async find(
    person: Member,
    place: string,
    log: { error(details: object, message: string): void },
  ): Promise<Draft | null> {
    const [row] = await this.#db.select().from(drafts).where(at(person, place));
    if (row === undefined) return null;
    try {
      const text = this.#vault.open(row.text, draftContext(person.id, place));
      return { text, base: row.base, savedAt: row.savedAt };
    } catch {
      log.error({ place: place.split(' ')[0] }, 'A draft cannot be opened');
      return null;
    }
  }

  /**
   * Keeps a text as the draft of a place, and the newest `draftsLimit` of the person's drafts. A text that may be a
   * Secret, or that is too much to be judged (`isUnread`), is not kept and ends the former draft of the place.
   */
  async save(
    person: Member,
    place: string,
    { text, base, signal }: Pick<Draft, 'text' | 'base'> & { readonly signal: AbortSignal },
  ): Promise<{ isKept: boolean; isUnread?: boolean }> {
    const asker = { who: person.id, isDraft: true, signal };
    const found = isOfSecret(place) ? 'secret' : await look(this.#parser, asker, textsOf(text));
    if (found !== 'harmless') {
      await this.delete(person, place);
      return { isKept: false, ...(found === 'unread' ? { isUnread: true } : {}) };
    }
    const values = {
      companyId: person.companyId,
      text: this.#vault.seal(text, draftContext(person.id, place)),
      base,
      savedAt: sql`now()`,
    };
    await this.#db
      .insert(drafts)
      .values({ userId: person.id, place, ...values })
      .onConflictDoUpdate({ target: [drafts.userId, drafts.companyId, drafts.place], set: values });
    const newest = this.#db
      .select({ place: drafts.place })
      .from(drafts)
      .where(own(person))
      .orderBy(desc(drafts.savedAt))
      .limit(draftsLimit);
    await this.#db.delete(drafts).where(and(own(person), notInArray(drafts.place, newest)));
    return { isKept: true };
  }

  /** Deletes the draft of a place. Returns whether there was one. */
  async delete(person: Member, place: string): Promise<boolean> {
    const gone = await this.#db.delete(drafts).where(at(person, place)).returning({ place: drafts.place });
    return gone.length > 0;
  }
}

/** Whether a place is the edit of a Secret, see the page's `editPlace`. */
const isOfSecret = (place: string) => /^edit \S+ secrets?(?: |$)/i.test(place);

/** The texts of a draft: that of an edit holds two as JSON, `base` that it began from and `text` that it is. */
function textsOf(draft: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(draft);
    const parts = isPlain(value) ? [value['base'], value['text']] : [];
    return [draft, ...parts.filter((one) => typeof one === 'string')];
  } catch {
    return [draft];
  }
}

/** The verdict on a draft: harmless, perhaps a Secret, or unreadable within the limits of a draft. */
type Found = 'harmless' | 'secret' | 'unread';

async function look(parser: ManifestParser, asker: Asker, texts: readonly string[]): Promise<Found> {
  // By their words first: that takes no turn.
  if (texts.some((text) => mayBeSecret(text))) return 'secret';
  for (const text of texts) {
    const found = await lookAt(parser, asker, text);
    if (found !== 'harmless') return found;
  }
  return 'harmless';
}

/** Judges a text by parsing it; a text that is not valid (yet) is judged by its words. */
async function lookAt(parser: ManifestParser, asker: Asker, text: string): Promise<Found> {
  try {
    const manifest = await parser.parse(text, asker);
    if (manifest.type === 'empty') return 'harmless';
    const isSecret =
      manifest.type === 'invalid'
        ? mayBecomeSecret(text)
        : mayBeSecret(
            '',
            manifest.documents.map(({ value }) => value),
          );
    return isSecret ? 'secret' : 'harmless';
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return 'unread';
    throw error;
  }
}
