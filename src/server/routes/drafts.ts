import { and, desc, eq, notInArray, sql } from 'drizzle-orm';
import { type draftEndpoints, draftsLimit } from '../../contract/drafts.ts';
import { Problem } from '../../contract/problem.ts';
import { mayBecomeSecret, mayBeSecret } from '../../kube/secret-text.ts';
import type { Member } from '../access/person.ts';
import type { Handlers } from '../http/handlers.ts';
import type { Asker } from '../manifests/admission.ts';
import type { ManifestParser } from '../manifests/parser.ts';
import { isPlain } from '../objects/read.ts';
import { drafts } from '../store/schema/profile.ts';
import { draftContext } from '../store/sealed.ts';
import type { RouteParts } from './parts.ts';

/** Handlers of drafts. Drafts are sealed: neither other people nor a reader of the database can read an unsent text. */
export function draftHandlers({
  store,
  vault,
  parser,
}: Pick<RouteParts, 'store' | 'vault' | 'parser'>): Handlers<typeof draftEndpoints> {
  const { db } = store;
  const of = (person: Member, place: string) =>
    and(eq(drafts.userId, person.id), eq(drafts.companyId, person.companyId), eq(drafts.place, place));
  /** Whether there was one. */
  const remove = async (person: Member, place: string): Promise<boolean> => {
    const gone = await db.delete(drafts).where(of(person, place)).returning({ place: drafts.place });
    return gone.length > 0;
  };

  return {
    draft: async ({ params }, { person, log }) => {
      const [row] = await db.select().from(drafts).where(of(person, params.place));
      if (row === undefined) return { draft: null };
      try {
        const text = vault.open(row.text, draftContext(person.id, params.place));
        return { draft: { text, base: row.base, savedAt: row.savedAt } };
      } catch {
        // Sealed with a key that is gone: it cannot be read any more.
        log.error({ place: params.place.split(' ')[0] }, 'A draft cannot be opened');
        return { draft: null };
      }
    },

    saveDraft: async ({ params, body }, { person, signal }) => {
      const { place } = params;
      const asker = { who: person.id, isDraft: true, signal };
      const found = isOfSecret(place) ? 'secret' : await look(parser, asker, textsOf(body.text));
      if (found !== 'harmless') {
        await remove(person, place);
        return { isKept: false, ...(found === 'unread' ? { isUnread: true } : {}) };
      }
      const values = {
        companyId: person.companyId,
        text: vault.seal(body.text, draftContext(person.id, place)),
        base: body.base,
        savedAt: sql`now()`,
      };
      await db
        .insert(drafts)
        .values({ userId: person.id, place, ...values })
        .onConflictDoUpdate({ target: [drafts.userId, drafts.companyId, drafts.place], set: values });
      const own = and(eq(drafts.userId, person.id), eq(drafts.companyId, person.companyId));
      const newest = db
        .select({ place: drafts.place })
        .from(drafts)
        .where(own)
        .orderBy(desc(drafts.savedAt))
        .limit(draftsLimit);
      await db.delete(drafts).where(and(own, notInArray(drafts.place, newest)));
      return { isKept: true };
    },

    deleteDraft: async ({ params }, { person }) => ({ wasKept: await remove(person, params.place) }),
  };
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
