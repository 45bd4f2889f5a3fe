ALTER TABLE "shell_recording_parts" DROP CONSTRAINT "shell_recording_parts_recording_id_shell_recordings_id_fk";
--> statement-breakpoint
ALTER TABLE "shell_recordings" DROP CONSTRAINT "shell_recordings_cluster_of_company";
--> statement-breakpoint
ALTER TABLE "shell_recordings" ADD COLUMN "cluster" text;--> statement-breakpoint
UPDATE "shell_recordings" "r" SET "cluster" = "c"."name" FROM "clusters" "c" WHERE "c"."id" = "r"."cluster_id";--> statement-breakpoint
ALTER TABLE "shell_recordings" ALTER COLUMN "cluster" SET NOT NULL;--> statement-breakpoint
-- Retention drops what the company does not keep, and nothing younger; nobody keeps less than 30 days.
CREATE OR REPLACE FUNCTION audit_check_drop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT 1 FROM public.audit a WHERE a.id = NEW.row_id AND CASE
			WHEN NEW.until_position = 9007199254740991 THEN NEW.chain > 0 AND a.company_id IS NULL
				AND a.action = 'deleteCompany' AND a.subject->'companyId' = to_jsonb(NEW.chain) AND NOT a.is_try
			ELSE a.company_id = NEW.chain AND a.action = 'audit.expire' AND NOT a.is_try
				AND EXISTS (SELECT 1 FROM public.audit_segments s
					WHERE s.chain = NEW.chain AND s.last_position = NEW.until_position)
				AND EXISTS (SELECT 1 FROM public.companies c WHERE c.id = NEW.chain AND c.audit_days >= 30
					AND NOT EXISTS (SELECT 1 FROM public.audit_segments s
						WHERE s.chain = NEW.chain AND s.last_position <= NEW.until_position
							AND s.newest_at >= now() - make_interval(days => c.audit_days))) END) THEN
		RAISE EXCEPTION 'Only whole closed segments of the audit are dropped that are older than the organisation keeps it, with a row that says so.' USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
-- A segment goes on where the one before it ended, and is no older than its rows.
CREATE OR REPLACE FUNCTION audit_check_segment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	before public.audit_segments%ROWTYPE;
	links bigint;
	newest timestamptz;
BEGIN
	SELECT s.* INTO before FROM public.audit_segments s WHERE s.chain = NEW.chain ORDER BY s.last_position DESC LIMIT 1;
	SELECT count(*), max(greatest(a.started_at, a.finished_at)) INTO links, newest
		FROM public.audit_links l LEFT JOIN public.audit a ON a.id = l.row_id
		WHERE l.chain = NEW.chain AND l.position BETWEEN NEW.first_position AND NEW.last_position;
	IF NEW.first_position <> coalesce(before.last_position, 0) + 1
			OR NEW.anchor <> coalesce(before.hash, decode(repeat('00', 32), 'hex'))
			OR links < 1 OR links <> NEW.last_position - NEW.first_position + 1 OR NEW.newest_at < newest
			OR NOT EXISTS (SELECT 1 FROM public.audit_links l
				WHERE l.chain = NEW.chain AND l.position = NEW.last_position AND l.hash = NEW.hash) THEN
		RAISE EXCEPTION 'The audit is append-only: a segment that does not fit its rows is refused.' USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
-- A link comes after all others of its chain, and its row belongs there.
CREATE OR REPLACE FUNCTION audit_check_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.position <> 1 + greatest(
				(SELECT max(l.position) FROM public.audit_links l WHERE l.chain = NEW.chain),
				(SELECT max(s.last_position) FROM public.audit_segments s WHERE s.chain = NEW.chain), 0)
			OR EXISTS (SELECT 1 FROM public.audit a WHERE a.id = NEW.row_id AND coalesce(a.company_id, 0) <> NEW.chain) THEN
		RAISE EXCEPTION 'The audit is append-only: a link that does not fit its chain is refused.' USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
-- A row waits for its own chain, and until it is there.
CREATE OR REPLACE FUNCTION audit_check_queue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		IF EXISTS (SELECT 1 FROM public.audit a WHERE a.id = NEW.row_id AND NOT a.is_try
				AND coalesce(a.company_id, 0) = NEW.chain) THEN RETURN NEW; END IF;
	ELSIF EXISTS (SELECT 1 FROM public.audit_links l WHERE l.row_id = OLD.row_id AND l.chain = OLD.chain)
			OR EXISTS (SELECT 1 FROM public.audit_drops d
				WHERE d.chain = OLD.chain AND d.until_position = 9007199254740991) THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'The audit is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
-- Tries of people who are signed out are in no chain. They go after 90 days, or behind 100,000 newer failures; those of
-- a company also with what it does not keep.
CREATE OR REPLACE FUNCTION audit_keep_tries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE youngest bigint;
BEGIN
	SELECT max(g.id) INTO youngest FROM gone g WHERE g.is_try AND g.started_at >= now() - interval '90 days'
		AND NOT EXISTS (SELECT 1 FROM public.companies c WHERE c.id = g.company_id AND c.audit_days >= 30
			AND g.started_at < now() - make_interval(days => c.audit_days))
		AND NOT EXISTS (SELECT 1 FROM public.audit_drops d
			WHERE d.chain = g.company_id AND d.until_position = 9007199254740991);
	IF youngest IS NOT NULL AND (SELECT count(*) FROM (SELECT 1 FROM public.audit a
			WHERE a.is_try AND a.status >= 400 AND a.id > youngest LIMIT 100000) newer) < 100000 THEN
		RAISE EXCEPTION 'The audit is append-only: % of tries that are still kept is refused.', TG_OP USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER audit_check_segment BEFORE INSERT ON "audit_segments" FOR EACH ROW EXECUTE FUNCTION audit_check_segment();--> statement-breakpoint
CREATE TRIGGER audit_check_link BEFORE INSERT ON "audit_links" FOR EACH ROW EXECUTE FUNCTION audit_check_link();--> statement-breakpoint
CREATE TRIGGER audit_check_queue BEFORE INSERT OR DELETE ON "audit_queue" FOR EACH ROW EXECUTE FUNCTION audit_check_queue();--> statement-breakpoint
CREATE TRIGGER audit_refuse BEFORE UPDATE OR TRUNCATE ON "audit_queue" FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();--> statement-breakpoint
CREATE TRIGGER audit_keep_tries AFTER DELETE ON "audit" REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION audit_keep_tries();--> statement-breakpoint
-- ALWAYS: also for a role that calls itself a replica.
ALTER TABLE "audit_segments" ENABLE ALWAYS TRIGGER audit_check_segment;--> statement-breakpoint
ALTER TABLE "audit_links" ENABLE ALWAYS TRIGGER audit_check_link;--> statement-breakpoint
ALTER TABLE "audit_queue" ENABLE ALWAYS TRIGGER audit_check_queue;--> statement-breakpoint
ALTER TABLE "audit_queue" ENABLE ALWAYS TRIGGER audit_refuse;--> statement-breakpoint
ALTER TABLE "audit" ENABLE ALWAYS TRIGGER audit_keep_tries;
