import {
  and,
  desc,
  eq,
  gte,
  ilike,
  inArray,
  isNull,
  lt,
  min,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { AuditEntry, AuditFilter, AuditOutcome, AuditSettings } from '../../contract/audit.ts';
import { audit } from '../store/schema/audit.ts';
import { clusters } from '../store/schema/clusters.ts';
import type { Store } from '../store/store.ts';
import { actionsWithWord, routineActions } from './console-acts.ts';
import { sentenceOf } from './sentences.ts';

/** Where a page of entries goes on: after the entry of this id that began at this moment (ms). */
interface Place {
  readonly at: number;
  readonly id: number;
}

/** Some entries, the newest first, and where the next ones begin; null after the last. */
interface EntryPage {
  readonly entries: AuditEntry[];
  readonly next: string | null;
}

const outcomes: Readonly<Record<AuditOutcome, SQL>> = {
  done: sql`${audit.status} < 400`,
  refused: sql`${audit.status} between 400 and 499`,
  failed: sql`${audit.status} >= 500`,
  open: isNull(audit.status),
};

/** A text as a pattern of LIKE that it occurs in. */
export const within = (text: string) => `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** Characters that have one case in every language, or whose cases are those of ASCII. */
const ascii = /^[\u0020-\u007e]*$/;

/**
 * Values of the subject, not its keys. The text of the whole is asked first, as that takes a fraction of the time; for
 * ASCII without the rules of a language, which take most of it.
 */
function isAbout(object: string): SQL | undefined {
  const whole = ascii.test(object) ? sql`(${audit.subject}::text collate "C")` : sql`${audit.subject}::text`;
  return and(
    sql`${whole} ilike ${within(JSON.stringify(object).slice(1, -1))}`,
    sql`exists (select 1 from jsonb_each_text(${audit.subject}) as s(k, v) where s.v ilike ${within(object)})`,
  );
}

/** Words of one search at most. */
const wordsLimit = 10;

/** The clusters of a company, also those that were removed, whose names have a text in them. */
const clustersNamed = (companyId: number, text: string) => sql`(
  select c.id from clusters c where c.company_id = ${companyId} and c.name ilike ${within(text)}
  union select d.cluster_id from audit d where d.company_id = ${companyId} and d.action = 'deleteCluster'
    and d.subject ->> 'name' ilike ${within(text)})`;

/** Entries that a word occurs in. Keys of what is stored are no words of it. */
function has(companyId: number, word: string): SQL {
  const pattern = within(word);
  const actions = actionsWithWord(word);
  const changed = sql`jsonb_each(${audit.changes}) as c(k, v), jsonb_each_text(c.v) as t(side, value)`;
  return sql`(${or(
    ilike(audit.actor, pattern),
    isAbout(word),
    sql`${audit.changes} is not null and exists (select 1 from ${changed} where t.value ilike ${pattern})`,
    sql`${audit.clusterId} in ${clustersNamed(companyId, word)}`,
    ...(actions.length === 0 ? [] : [inArray(audit.action, [...actions])]),
  )})`;
}

/** Entries that changed something: no look, no refusal, no dry run. */
const isChange: SQL = sql`(${and(
  notInArray(audit.action, [...routineActions]),
  sql`(${audit.status} is null or ${audit.status} not between 400 and 499)`,
  sql`${audit.subject} -> 'dryRun' is distinct from 'true'::jsonb`,
)})`;

function matches(companyId: number, filter: AuditFilter): SQL | undefined {
  const { words = '', changes, person, object, clusterId, action, outcome, from, until } = filter;
  const conditions: (SQL | undefined)[] = [eq(audit.companyId, companyId)];
  for (const word of words.split(/\s+/).slice(0, wordsLimit))
    if (word !== '') conditions.push(has(companyId, word));
  if (changes !== undefined) conditions.push(isChange);
  if (person) conditions.push(ilike(audit.actor, within(person)));
  if (object) conditions.push(isAbout(object));
  if (clusterId !== undefined) conditions.push(eq(audit.clusterId, clusterId));
  if (action) conditions.push(eq(audit.action, action));
  if (outcome !== undefined) conditions.push(outcomes[outcome]);
  if (from !== undefined) conditions.push(gte(audit.startedAt, new Date(from).toISOString()));
  if (until !== undefined) conditions.push(lt(audit.startedAt, new Date(until).toISOString()));
  return and(...conditions);
}

/** The name that the cluster of an entry had when it was removed. */
const lastName = (companyId: number) => sql`(select d.subject ->> 'name' from audit d
  where d.company_id = ${companyId} and d.action = 'deleteCluster' and d.cluster_id = ${audit.clusterId}
  order by d.id desc limit 1)`;

/** Reads the place out of `next` of a page. */
function placeOf(cursor: string): Place {
  const [at = '', id = ''] = cursor.split('.');
  return { at: Number(at), id: Number(id) };
}

/**
 * Entries of a company, the newest first. An entry is found where it began, so that none is met twice or missed while
 * others end meanwhile.
 * @param after `next` of the page before
 */
export async function readEntries(
  { db }: Pick<Store, 'db'>,
  companyId: number,
  { filter, after, limit }: { filter: AuditFilter; after: string | undefined; limit: number },
): Promise<EntryPage> {
  const place = after === undefined ? undefined : placeOf(after);
  const rows = await db
    .select({
      id: audit.id,
      startedAt: audit.startedAt,
      finishedAt: audit.finishedAt,
      actor: audit.actor,
      userId: audit.userId,
      action: audit.action,
      clusterId: audit.clusterId,
      cluster: sql<string | null>`coalesce(${clusters.name}, ${lastName(companyId)})`,
      subject: audit.subject,
      changes: audit.changes,
      address: audit.address,
      requestId: audit.requestId,
      status: audit.status,
    })
    .from(audit)
    .leftJoin(clusters, and(eq(clusters.id, audit.clusterId), eq(clusters.companyId, companyId)))
    .where(
      and(
        matches(companyId, filter),
        place &&
          sql`(${audit.startedAt}, ${audit.id}) < (${new Date(place.at).toISOString()}::timestamptz, ${place.id})`,
      ),
    )
    .orderBy(desc(audit.startedAt), desc(audit.id))
    .limit(limit + 1);
  const entries = (rows.slice(0, limit) as Omit<AuditEntry, 'sentence'>[]).map((entry) => ({
    ...entry,
    sentence: sentenceOf(entry),
  }));
  const last = entries.at(-1);
  return {
    entries,
    next: rows.length > limit && last !== undefined ? `${Date.parse(last.startedAt)}.${last.id}` : null,
  };
}

/** What a company's audit holds: the moment of its oldest entry, its actions, and the clusters that were deleted, by name. */
export async function surveyEntries(
  { db }: Pick<Store, 'db'>,
  companyId: number,
): Promise<Omit<AuditSettings, 'days'>> {
  const [oldest] = await db
    .select({ at: min(audit.startedAt) })
    .from(audit)
    .where(eq(audit.companyId, companyId));
  // From one action to the next by the index: a few steps, whatever the number of rows.
  const { rows } = await db.execute<{ action: string | null }>(sql`
    with recursive found as (
      (select action from audit where company_id = ${companyId} order by action limit 1)
      union all
      select (select a.action from audit a where a.company_id = ${companyId} and a.action > found.action
        order by a.action limit 1) from found where found.action is not null)
    select action from found where action is not null`);
  const name = sql<string>`${audit.subject}->>'name'`;
  const gone = await db
    .select({ id: audit.clusterId, name })
    .from(audit)
    .where(
      and(
        eq(audit.companyId, companyId),
        eq(audit.action, 'deleteCluster'),
        lt(audit.status, 400),
        sql`not exists (select 1 from clusters c where c.id = ${audit.clusterId})`,
      ),
    )
    .orderBy(name, audit.clusterId);
  return {
    oldestAt: oldest?.at ?? null,
    actions: rows.flatMap(({ action }) => action ?? []),
    goneClusters: gone.flatMap(({ id, name: last }) => (id === null ? [] : [{ id, name: last ?? '' }])),
  };
}
