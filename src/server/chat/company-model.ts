import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { ChatModel, DataClass, ModelProvider } from '../../contract/chat-model.ts';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { type ModelSettings, parseModelUrl } from '../kit/config-values.ts';
import { requireStillOwner } from '../organisation/still-owner.ts';
import { users } from '../store/schema/accounts.ts';
import { chatModels, chatUsage } from '../store/schema/chat.ts';
import { clusters } from '../store/schema/clusters.ts';
import { chatModelContext } from '../store/sealed.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { enteredOf, type ModelRow, withheldOf } from './chat-models.ts';
import { type ModelPolicy, refusalOfModel } from './model-address.ts';
import { today, usedTokens } from './usage.ts';

/** What an Owner enters of a model. Without a key the stored one stays; null removes it. */
export interface EnteredModel {
  readonly provider: ModelProvider;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | null | undefined;
}

export interface CompanyModelParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly vault: Pick<Vault, 'seal'>;
  /** The model of the environment; null without one. */
  readonly ai: ModelSettings | null;
  /** What the operator allows besides public addresses. */
  readonly modelPolicy: ModelPolicy;
}

const fieldProblem = (path: string, title: string) =>
  new Problem({ status: 400, title, issues: [{ path, message: title }] });

/** What Owners set up of the model of their company. The guard decided who may ask. */
export class CompanyModel {
  readonly #parts: CompanyModelParts;

  constructor(parts: CompanyModelParts) {
    this.#parts = parts;
  }

  /** All that Owners see of it. */
  async read(person: Member): Promise<ChatModel> {
    const { store, ai } = this.#parts;
    const { db } = store;
    const { companyId } = person;
    const [[found], used, people, known] = await Promise.all([
      db
        .select({ row: chatModels, setBy: users.name })
        .from(chatModels)
        .leftJoin(users, eq(users.id, chatModels.keySetBy))
        .where(eq(chatModels.companyId, companyId)),
      usedTokens(db, person),
      db
        .select({
          name: users.name,
          used: sql<number>`(${chatUsage.inputTokens} + ${chatUsage.outputTokens})::float8`,
        })
        .from(chatUsage)
        .innerJoin(users, eq(users.id, chatUsage.userId))
        .where(and(eq(chatUsage.companyId, companyId), eq(chatUsage.day, today())))
        .orderBy(desc(sql`${chatUsage.inputTokens} + ${chatUsage.outputTokens}`), asc(users.id))
        .limit(10),
      db
        .select({ id: clusters.id, name: clusters.name, chatMode: clusters.chatMode })
        .from(clusters)
        .where(eq(clusters.companyId, companyId))
        .orderBy(asc(clusters.name), asc(clusters.id)),
    ]);
    return {
      entered: found === undefined ? null : presented(found.row, found.setBy),
      environment: ai === null ? null : { provider: ai.provider, origin: ai.baseUrl.origin, model: ai.model },
      personLimit: found?.row.tokensPerPerson ?? null,
      companyLimit: found?.row.tokensPerCompany ?? null,
      withheld: withheldOf(found?.row),
      usedToday: { company: used.company, people },
      clusters: known,
    };
  }

  /** Enters the model. Throws Problem 400 for an address that may not be dialled, or whose key is missing. */
  async save(person: Member, { provider, baseUrl, model, apiKey }: EnteredModel): Promise<void> {
    const { vault } = this.#parts;
    const url = this.#addressOf(baseUrl);
    await this.#change(person, async (tx, row) => {
      const before = enteredOf(row);
      // A key that is stored goes where it was entered for, and to nobody else.
      const isElsewhere =
        before === undefined || !isSamePlace(before.baseUrl, url) || before.provider !== provider;
      if (apiKey === undefined && row.apiKey !== null && isElsewhere)
        throw fieldProblem(
          'apiKey',
          'Enter the key again, or remove it: the stored one is for another address.',
        );
      const key =
        apiKey === undefined
          ? {}
          : apiKey === null
            ? { apiKey: null, keySetAt: null, keySetBy: null }
            : {
                apiKey: vault.seal(apiKey, chatModelContext(row.id)),
                keySetAt: sql`now()`,
                keySetBy: person.id,
              };
      await tx
        .update(chatModels)
        .set({ provider, baseUrl: url.href, model, ...key, changedAt: sql`clock_timestamp()` })
        .where(eq(chatModels.id, row.id));
    });
  }

  /** Removes what was entered; limits stay. */
  async remove(person: Member): Promise<void> {
    await this.#change(person, async (tx, { id }) => {
      const none = { provider: null, baseUrl: null, model: null };
      const noKey = { apiKey: null, keySetAt: null, keySetBy: null };
      await tx
        .update(chatModels)
        .set({ ...none, ...noKey, changedAt: sql`clock_timestamp()` })
        .where(eq(chatModels.id, id));
    });
  }

  /** Sets the limits of a day; null is the default. */
  async limit(
    person: Member,
    { personLimit, companyLimit }: Pick<ChatModel, 'personLimit' | 'companyLimit'>,
  ): Promise<void> {
    await this.#change(person, async (tx, { id }) => {
      await tx
        .update(chatModels)
        .set({ tokensPerPerson: personLimit, tokensPerCompany: companyLimit })
        .where(eq(chatModels.id, id));
    });
  }

  /** Sets which data the model is not told. An answer in progress ends at its next request. */
  async withhold(person: Member, withheld: readonly DataClass[]): Promise<void> {
    await this.#change(person, async (tx, { id }) => {
      await tx
        .update(chatModels)
        .set({ withheld: [...new Set(withheld)], changedAt: sql`clock_timestamp()` })
        .where(eq(chatModels.id, id));
    });
  }

  async #change(person: Member, make: (tx: Transaction, row: ModelRow) => Promise<void>): Promise<void> {
    const { db, channel } = this.#parts.store;
    const { companyId } = person;
    await db.transaction(async (tx) => {
      await requireStillOwner(tx, person);
      await tx.insert(chatModels).values({ id: randomUUID(), companyId }).onConflictDoNothing();
      const [row] = await tx
        .select()
        .from(chatModels)
        .where(eq(chatModels.companyId, companyId))
        .for('update');
      if (row === undefined) throw new Error('The model of a company could not be stored.');
      await make(tx, row);
      await channel.notify('account', { companyId }, tx);
    });
  }

  /** The address if it may be dialled by what it says; what its name leads to is judged at every request. */
  #addressOf(text: string): URL {
    const url = parseModelUrl(text);
    if (url === undefined)
      throw fieldProblem(
        'baseUrl',
        'This is not the address of a model. Enter an address like https://models.example.org/v1, without user, password and query.',
      );
    const refusal = refusalOfModel(url, this.#parts.modelPolicy);
    if (refusal !== undefined) throw fieldProblem('baseUrl', refusal);
    return url;
  }
}

/** Whether two addresses are the same but for a slash at the end: paths of one host may belong to several people. */
export const isSamePlace = (one: URL, other: URL): boolean =>
  one.href.replace(/\/$/, '') === other.href.replace(/\/$/, '');

function presented(row: ModelRow, setBy: string | null): ChatModel['entered'] {
  const entered = enteredOf(row);
  if (entered === undefined) return null;
  return {
    provider: entered.provider,
    baseUrl: entered.baseUrl.href,
    model: entered.model,
    key: row.apiKey === null || row.keySetAt === null ? null : { setAt: row.keySetAt, setBy },
  };
}
