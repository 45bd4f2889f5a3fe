import { sql } from 'drizzle-orm';

/**
 * Who wants to hear of which events of which cluster since when: `company_id`, `cluster_id`, `events` (null for all) and
 * `created_at`. Webhooks that are sent to, what people follow, and what alerts them, of active members alone: a cluster is watched for
 * nobody who is suspended. For the `from` of a query.
 */
export const wantedEvents = sql`(
  select one.company_id, one.cluster_id, one.events, one.created_at from (
    select company_id, user_id, cluster_id, events, created_at from webhooks where disabled_at is null
    union all select company_id, user_id, cluster_id, null, created_at from follows
    union all select company_id, user_id, cluster_id, events, created_at from alerts) one
  join memberships m on m.user_id = one.user_id and m.company_id = one.company_id and m.state = 'active')`;
