-- Rows of before the rule below may break it. The check lists them, and knows them by this row, which no other follows.
INSERT INTO "audit" ("actor", "action", "subject", "address", "request_id", "status", "finished_at")
	SELECT 'upgrade', 'audit.rule', '{"rule": "A later row of an entry keeps who did what, and when it began."}', 'console',
		'upgrade', 200, date_trunc('milliseconds', clock_timestamp())
	WHERE EXISTS (SELECT 1 FROM "audit");--> statement-breakpoint
-- People read the last row of an entry. It says more than those before it, and nothing else: organisation, person,
-- action and beginning stay, where they were known, and what has ended is not begun again. The date of a row is the
-- later of now and that of the last link of its chain: a clock that was set back orders nothing anew, and neither does
-- whoever writes the row. Tables are named with their schema: a temporary table of the same name must not be asked.
CREATE OR REPLACE FUNCTION audit_refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	before public.audit%ROWTYPE;
	linked timestamptz;
	wrong text;
BEGIN
	IF NOT NEW.is_try THEN
		-- Whole milliseconds, as every date is read and written, and not before it.
		SELECT date_trunc('milliseconds', greatest(a.started_at, a.finished_at) + interval '999 microseconds') INTO linked
			FROM public.audit_links l JOIN public.audit a ON a.id = l.row_id
			WHERE l.chain = coalesce(NEW.company_id, 0) ORDER BY l.position DESC LIMIT 1;
	END IF;
	IF NEW.entry = NEW.id THEN
		IF NEW.action = 'audit.rule' THEN wrong := 'a second beginning of this rule'; END IF;
		NEW.started_at := greatest(date_trunc('milliseconds', now()), linked);
	ELSE
		-- One row of an entry at a time: the next sees this one.
		PERFORM 1 FROM public.audit a WHERE a.id = NEW.entry FOR NO KEY UPDATE;
		IF NOT FOUND THEN
			-- The record of a company that was deleted went with it: its reference says so.
			IF NEW.company_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM public.companies c WHERE c.id = NEW.company_id) THEN
				RETURN NEW;
			END IF;
			wrong := 'an entry that was not begun';
		ELSE
			SELECT a.* INTO before FROM public.audit a WHERE a.entry = NEW.entry ORDER BY a.id DESC LIMIT 1;
			wrong := CASE
				WHEN before.id > NEW.id THEN 'a later row'
				WHEN before.status IS NOT NULL OR before.finished_at IS NOT NULL THEN 'an entry that has ended'
				WHEN before.company_id <> NEW.company_id OR before.company_id IS NOT NULL AND NEW.company_id IS NULL
					THEN 'the organisation'
				WHEN before.user_id <> NEW.user_id OR before.user_id IS NOT NULL AND NEW.user_id IS NULL
					OR before.user_id IS NOT NULL AND before.actor <> NEW.actor THEN 'the person'
				-- These calls are named by what they are asked to do, once.
				WHEN before.action <> NEW.action AND NOT (before.id = before.entry AND before.action IN ('runAction',
					'cancelJob', 'createObject', 'patchObject', 'editObject', 'createResource', 'applyResource',
					'revealSecret', 'revealRelease', 'compareLists', 'compareSecrets', 'downloadRecording',
					'signInCallback')) THEN 'the action'
				WHEN before.started_at <> NEW.started_at THEN 'the beginning'
			END;
		END IF;
	END IF;
	IF wrong IS NOT NULL THEN
		RAISE EXCEPTION 'The audit is append-only: row % that rewrites % is refused.', NEW.id, wrong
			USING ERRCODE = 'restrict_violation';
	END IF;
	IF NEW.finished_at IS NOT NULL THEN
		NEW.finished_at := greatest(date_trunc('milliseconds', clock_timestamp()), NEW.started_at, linked);
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
-- After "audit_name_first" and "audit_refuse_hiding", by the order of their names.
CREATE TRIGGER audit_refuse_rewriting BEFORE INSERT ON "audit" FOR EACH ROW EXECUTE FUNCTION audit_refuse_rewriting();--> statement-breakpoint
-- ALWAYS: also for a role that calls itself a replica.
ALTER TABLE "audit" ENABLE ALWAYS TRIGGER audit_refuse_rewriting;
