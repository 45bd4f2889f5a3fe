import { sql } from 'drizzle-orm';
import type { Transaction } from '../store/store.ts';

/** The action of the row that an upgrade wrote as the rules for entries began to hold; none in newer installations. */
const ruleAction = 'audit.rule';
/** Entries that one statement reads. */
const step = 50_000;
/** Rows of before the rules that are named; the others are counted. */
const namedRows = 20;

/**
 * Calls that are named by what they are asked to do: the second row of their entry may have another action. The trigger
 * `audit_refuse_rewriting` has the same list.
 */
export const namedLater: readonly string[] = [
  'runAction',
  'cancelJob',
  'createObject',
  'patchObject',
  'editObject',
  'createResource',
  'applyResource',
  'revealSecret',
  'revealRelease',
  'compareLists',
  'compareSecrets',
  'downloadRecording',
  'signInCallback',
];

/** Rows that broke the rules for entries before the database refused such rows. */
export interface EarlierRows {
  readonly count: number;
  /** The first of them, each as a sentence. */
  readonly named: readonly string[];
}

/** Collector of rows that break the rules for entries: the first since the rules hold, and all from before them. */
export class BrokenRows {
  readonly #since: number;
  readonly #named: string[] = [];
  #count = 0;

  /** @param since id of the first row that the rules hold for */
  constructor(since: number) {
    this.#since = since;
  }

  /** Gives the sentence of a row that the rules hold for, else null: one of before is listed. */
  judge(rowId: number, sentence: string): string | null {
    if (rowId >= this.#since) return sentence;
    this.#count += 1;
    if (this.#named.length < namedRows) this.#named.push(sentence);
    return null;
  }

  get earlier(): EarlierRows {
    return { count: this.#count, named: this.#named };
  }
}

/** The id of the row from which on the rules for entries hold. */
export async function ruleBeginning(tx: Transaction): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select a.id from audit a where a.company_id is null and a.action = ${ruleAction} order by a.id limit 1`);
  return Number(rows[0]?.id ?? 0);
}

interface RewritingRow extends Record<string, unknown> {
  readonly id: string;
  readonly entry: string;
  readonly wrong: string;
}

/**
 * A later row of an entry keeps organisation, person, action and beginning of the row before it, where they were known,
 * and comes after none that ended it. Gives the first that does not, as a sentence; null if there is none.
 * @param broken lists those of before the rule
 */
export async function rewritingRow(tx: Transaction, broken: BrokenRows): Promise<string | null> {
  const { rows: ends } = await tx.execute<{ last: string | null }>(sql`select max(entry) as last from audit`);
  const last = Number(ends[0]?.last ?? 0);
  for (let from = 0; from < last; from += step) {
    const { rows } = await tx.execute<RewritingRow>(sql`
      with pairs as (
        select a as later, lag(a) over (partition by a.entry order by a.id) as before
        from audit a where a.entry > ${from} and a.entry <= ${from + step}),
      judged as (
        select (later).id, (later).entry, case
          when (before).status is not null or (before).finished_at is not null then 'adds to an entry that had ended'
          when (before).company_id is not null and (before).company_id is distinct from (later).company_id
            then 'moves it to another organisation'
          when (before).user_id is not null
              and ((before).user_id is distinct from (later).user_id or (before).actor <> (later).actor)
            then 'names another person'
          when (before).action <> (later).action
              and not ((before).id = (before).entry and (before).action = any(${sql.param(namedLater)}::text[]))
            then 'names another action'
          when (before).started_at <> (later).started_at then 'names another beginning' end as wrong
        from pairs where (before).id is not null)
      select id, entry, wrong from judged where wrong is not null order by id`);
    for (const { id, entry, wrong } of rows) {
      const found = broken.judge(Number(id), `Row ${id} rewrites entry ${entry}: it ${wrong}.`);
      if (found !== null) return found;
    }
  }
  return null;
}
