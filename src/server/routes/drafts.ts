import { and, desc, eq, notInArray, sql } from 'drizzle-orm';
import { type draftEndpoints, draftsLimit } from '../../contract/drafts.ts';
import { Problem } from '../../contract/problem.ts';
import { mayBecomeSecret, mayBeSecret } from '../../kube/secret-text.ts';
import type { Member } from '../access/person.ts';
import type { Handlers } from '../http/handlers.ts';
import type { ManifestParser } from '../manifests/parser.ts';
import { isPlain } from '../objects/read.ts';
import type { Services } from '../services.ts';
import { drafts } from '../store/schema.ts';
import { draftContext } from '../store/sealed.ts';

/** Drafts are sealed: what somebody is about to write is nobody else's, the database's reader's included. */
export function draftHandlers(
  { store, vault }: Pick<Services, 'store' | 'vault'>,
  { parser }: { readonly parser: ManifestParser },
): Handlers<typeof draftEndpoints> {
  const { db } = store;
  const of = (person: Member, place: string) =>
    and(eq(drafts.userId, person.id), eq(drafts.companyId, person.companyId), eq(drafts.place, place));
  const remove = async (person: Member, place: string) => {
    await db.delete(drafts).where(of(person, place));
  };

  return {
    draft: async ({ params }, { person, log }) => {
      const [row] = await db.select().from(drafts).where(of(person, params.place));
      if (row === undefined) return { draft: null };
      try {
        const text = vault.open(row.text, draftContext(person.id, params.place));
        return { draft: { text, base: row.base, savedAt: row.savedAt } };
      } catch {
        // Sealed with a key that is gone: nobody can read it any more.
        log.error({ place: params.place.split(' ')[0] }, 'A draft cannot be opened');
        return { draft: null };
      }
    },

    saveDraft: async ({ params, body }, { person }) => {
      const { place } = params;
      if (isOfSecret(place) || (await isAnySecret(parser, textsOf(body.text)))) {
        await remove(person, place);
        return { isKept: false };
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
        .onConflictDoUpdate({ target: [drafts.userId, drafts.place], set: values });
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

    deleteDraft: async ({ params }, { person }) => {
      await remove(person, params.place);
    },
  };
}

/** Whether a place is the edit of a Secret, see the page's `editPlace`. */
const isOfSecret = (place: string) => /^edit \S+ secrets?(?: |$)/i.test(place);

/** The texts of a draft: that of an edit holds two as JSON, what it began from and what it is. */
function textsOf(draft: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(draft);
    return isPlain(value)
      ? [draft, ...Object.values(value).filter((one): one is string => typeof one === 'string')]
      : [draft];
  } catch {
    return [draft];
  }
}

async function isAnySecret(parser: ManifestParser, texts: readonly string[]): Promise<boolean> {
  for (const text of texts) if (await isSecret(parser, text)) return true;
  return false;
}

/** Whether a text may be a Secret; what cannot be read is judged by its words. */
async function isSecret(parser: ManifestParser, text: string): Promise<boolean> {
  if (mayBeSecret(text)) return true;
  try {
    const manifest = await parser.parse(text);
    if (manifest.type === 'invalid') return mayBecomeSecret(text);
    return (
      manifest.type === 'valid' &&
      mayBeSecret(
        '',
        manifest.documents.map(({ value }) => value),
      )
    );
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return true;
    throw error;
  }
}
