ALTER TABLE "preferences" DROP CONSTRAINT "preferences_company_id_companies_id_fk";
--> statement-breakpoint
DROP INDEX "preferences_company";--> statement-breakpoint
ALTER TABLE "drafts" DROP CONSTRAINT "drafts_user_id_place_pk";--> statement-breakpoint
ALTER TABLE "saved_filters" DROP CONSTRAINT "saved_filters_user_id_name_pk";--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_company_id_place_pk" PRIMARY KEY("user_id","company_id","place");--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_user_id_company_id_name_pk" PRIMARY KEY("user_id","company_id","name");--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "was_removed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Whom an Owner removed before is known from the record of changes.
UPDATE "memberships" m SET "was_removed" = true WHERE m."state" = 'left' AND EXISTS (
	SELECT 1 FROM "audit" a WHERE a."action" = 'removeMember' AND a."status" = 204 AND a."company_id" = m."company_id"
		AND a."subject"->>'userId' = m."user_id"::text AND a."user_id" IS DISTINCT FROM m."user_id");--> statement-breakpoint
ALTER TABLE "preferences" DROP COLUMN "company_id";
