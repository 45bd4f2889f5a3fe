CREATE TABLE "audit_drops" (
	"chain" integer NOT NULL,
	"until_position" bigint NOT NULL,
	"row_id" bigint NOT NULL,
	CONSTRAINT "audit_drops_chain_until_position_pk" PRIMARY KEY("chain","until_position")
);
--> statement-breakpoint
CREATE TABLE "audit_links" (
	"chain" integer NOT NULL,
	"position" bigint NOT NULL,
	"row_id" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"linked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_links_chain_position_pk" PRIMARY KEY("chain","position")
);
--> statement-breakpoint
CREATE TABLE "audit_queue" (
	"row_id" bigint PRIMARY KEY NOT NULL,
	"chain" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_segments" (
	"chain" integer NOT NULL,
	"first_position" bigint NOT NULL,
	"last_position" bigint NOT NULL,
	"anchor" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"newest_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_segments_chain_last_position_pk" PRIMARY KEY("chain","last_position")
);
--> statement-breakpoint
ALTER TABLE "audit" DROP CONSTRAINT "audit_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "audit" DROP CONSTRAINT "audit_company_id_companies_id_fk";
--> statement-breakpoint
DROP INDEX "audit_failed_tries";--> statement-breakpoint
DROP INDEX "audit_company_time";--> statement-breakpoint
ALTER TABLE "audit" ALTER COLUMN "started_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "entry" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "changes" jsonb;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "is_try" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "audit_days" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_links_row" ON "audit_links" USING btree ("row_id");--> statement-breakpoint
ALTER TABLE "audit" ADD CONSTRAINT "audit_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_company_user" ON "audit" USING btree ("company_id","user_id","started_at","entry");--> statement-breakpoint
CREATE INDEX "audit_company_action" ON "audit" USING btree ("company_id","action","started_at","entry");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_entry" ON "audit" USING btree ("entry","id");--> statement-breakpoint
CREATE INDEX "audit_tries" ON "audit" USING btree ("id") WHERE is_try;--> statement-breakpoint
CREATE INDEX "audit_company_time" ON "audit" USING btree ("company_id","started_at","entry");--> statement-breakpoint
-- Rows from before: each tells of the whole change. Failed tries of people who are signed out stay outside the chains.
UPDATE "audit" SET "entry" = "id", "started_at" = date_trunc('milliseconds', "started_at"),
	"finished_at" = date_trunc('milliseconds', "finished_at"),
	"is_try" = "action" IN ('signIn', 'setup') AND "status" >= 400;--> statement-breakpoint
INSERT INTO "audit_queue" ("row_id", "chain") SELECT "id", coalesce("company_id", 0) FROM "audit" WHERE NOT "is_try";--> statement-breakpoint
CREATE VIEW "audit_entries" AS
	SELECT "entry" AS "id", "company_id", "user_id", "actor", "action", "cluster_id", "subject", "changes", "address",
		"request_id", "started_at", "finished_at", "status"
	FROM "audit" "a" WHERE NOT EXISTS (
		SELECT 1 FROM "audit" "later" WHERE "later"."entry" = "a"."entry" AND "later"."id" > "a"."id");--> statement-breakpoint
-- Tables are named with their schema: a temporary table of the same name must not be asked instead.
CREATE OR REPLACE FUNCTION audit_name_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.entry = 0 THEN NEW.entry := NEW.id; END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION audit_enqueue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO public.audit_queue (row_id, chain) VALUES (NEW.id, coalesce(NEW.company_id, 0));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The audit is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION audit_refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE may boolean;
BEGIN
	IF TG_TABLE_NAME = 'audit' THEN
		may := OLD.is_try
			OR EXISTS (SELECT 1 FROM public.audit_links l JOIN public.audit_drops d
				ON d.chain = l.chain AND d.until_position >= l.position WHERE l.row_id = OLD.id)
			OR EXISTS (SELECT 1 FROM public.audit_drops d
				WHERE d.chain = coalesce(OLD.company_id, 0) AND d.until_position = 9007199254740991);
	ELSIF TG_TABLE_NAME = 'audit_links' THEN
		may := EXISTS (SELECT 1 FROM public.audit_drops d WHERE d.chain = OLD.chain AND d.until_position >= OLD.position);
	ELSIF TG_TABLE_NAME = 'audit_segments' THEN
		may := EXISTS (SELECT 1 FROM public.audit_drops d WHERE d.chain = OLD.chain AND d.until_position = 9007199254740991);
	END IF;
	IF may IS NOT TRUE THEN
		RAISE EXCEPTION 'The audit is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN OLD;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION audit_check_drop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT 1 FROM public.audit a WHERE a.id = NEW.row_id AND CASE
			WHEN NEW.until_position = 9007199254740991 THEN NEW.chain > 0 AND a.company_id IS NULL AND a.action = 'deleteCompany'
			ELSE coalesce(a.company_id, 0) = NEW.chain AND a.action = 'audit.expire' AND EXISTS (SELECT 1 FROM public.audit_segments s
				WHERE s.chain = NEW.chain AND s.last_position = NEW.until_position) END) THEN
		RAISE EXCEPTION 'Only whole closed segments of the audit are dropped, with a row that says so.' USING ERRCODE = 'restrict_violation';
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER audit_name_first BEFORE INSERT ON "audit" FOR EACH ROW EXECUTE FUNCTION audit_name_first();--> statement-breakpoint
CREATE TRIGGER audit_enqueue AFTER INSERT ON "audit" FOR EACH ROW WHEN (NOT NEW.is_try) EXECUTE FUNCTION audit_enqueue();--> statement-breakpoint
CREATE TRIGGER audit_check_drop BEFORE INSERT ON "audit_drops" FOR EACH ROW EXECUTE FUNCTION audit_check_drop();--> statement-breakpoint
-- ALWAYS: also for a role that calls itself a replica.
DO $$
DECLARE name text;
BEGIN
	ALTER TABLE audit ENABLE ALWAYS TRIGGER audit_name_first;
	ALTER TABLE audit ENABLE ALWAYS TRIGGER audit_enqueue;
	ALTER TABLE audit_drops ENABLE ALWAYS TRIGGER audit_check_drop;
	FOREACH name IN ARRAY ARRAY['audit', 'audit_links', 'audit_segments', 'audit_drops'] LOOP
		EXECUTE format('CREATE TRIGGER audit_refuse BEFORE UPDATE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()', name);
		EXECUTE format('CREATE TRIGGER audit_refuse_delete BEFORE DELETE ON %I FOR EACH ROW EXECUTE FUNCTION audit_refuse_delete()', name);
		EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER audit_refuse', name);
		EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER audit_refuse_delete', name);
	END LOOP;
END $$;
