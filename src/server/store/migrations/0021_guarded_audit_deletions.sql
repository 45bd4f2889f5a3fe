-- Of everything that a company has, only what a row of its own deletion names is dropped …
CREATE OR REPLACE FUNCTION audit_check_drop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT 1 FROM public.audit a WHERE a.id = NEW.row_id AND CASE
			WHEN NEW.until_position = 9007199254740991 THEN NEW.chain > 0 AND a.company_id IS NULL
				AND a.action = 'deleteCompany' AND a.subject->'companyId' = to_jsonb(NEW.chain) AND NOT a.is_try
			ELSE coalesce(a.company_id, 0) = NEW.chain AND a.action = 'audit.expire' AND NOT a.is_try
				AND EXISTS (SELECT 1 FROM public.audit_segments s
				WHERE s.chain = NEW.chain AND s.last_position = NEW.until_position) END) THEN
		RAISE EXCEPTION 'Only whole closed segments of the audit are dropped, with a row that says so.' USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
-- … and only together with the company.
CREATE OR REPLACE FUNCTION audit_check_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM public.companies c WHERE c.id = NEW.chain) THEN
		RAISE EXCEPTION 'The audit of a company is dropped only together with the company.' USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
-- People read the last row of an entry. A try is in no chain, so it must not come after a row that is in one.
CREATE OR REPLACE FUNCTION audit_refuse_hiding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM public.audit a WHERE a.entry = NEW.entry AND CASE
			WHEN NEW.is_try THEN a.id < NEW.id AND NOT a.is_try ELSE a.id > NEW.id AND a.is_try END) THEN
		RAISE EXCEPTION 'The audit is append-only: a try that stands for row % of a chain is refused.', NEW.entry USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER audit_check_deletion AFTER INSERT ON "audit_drops" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (NEW.until_position = 9007199254740991) EXECUTE FUNCTION audit_check_deletion();--> statement-breakpoint
-- After "audit_name_first", by the order of their names.
CREATE TRIGGER audit_refuse_hiding BEFORE INSERT ON "audit" FOR EACH ROW EXECUTE FUNCTION audit_refuse_hiding();--> statement-breakpoint
-- ALWAYS: also for a role that calls itself a replica.
ALTER TABLE "audit_drops" ENABLE ALWAYS TRIGGER audit_check_deletion;--> statement-breakpoint
ALTER TABLE "audit" ENABLE ALWAYS TRIGGER audit_refuse_hiding;
