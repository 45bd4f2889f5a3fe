import { sql } from 'drizzle-orm';

/**
 * Who wants to hear of which events of which cluster since when: `company_id`, `cluster_id`, `events` (null for all) and
 * `created_at`. Webhooks that are sent to, and what people follow; for the `from` of a query.
 */
export const wantedEvents = sql`(
  select company_id, cluster_id, events, created_at from webhooks where disabled_at is null
  union all select company_id, cluster_id, null, created_at from follows)`;
