CREATE TABLE "person_groups" (
	"company_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"provider" text NOT NULL,
	"group_name" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "person_groups_company_id_user_id_provider_group_name_pk" PRIMARY KEY("company_id","user_id","provider","group_name")
);
--> statement-breakpoint
ALTER TABLE "team_members" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
-- What groups gave so far counts as long as if it had been given now.
UPDATE "team_members" SET "expires_at" = now() + interval '12 hours' WHERE "given_by" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "person_groups" ADD CONSTRAINT "person_groups_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_groups" ADD CONSTRAINT "person_groups_membership" FOREIGN KEY ("user_id","company_id") REFERENCES "public"."memberships"("user_id","company_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "person_groups_expiry" ON "person_groups" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "team_members_expiry" ON "team_members" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_group_expires" CHECK ((given_by is null) = (expires_at is null));--> statement-breakpoint
CREATE VIEW "public"."team_places" AS (select "company_id", "team_id", "user_id", "role", "given_by", "expires_at", "created_at" from "team_members" where ("team_members"."expires_at" is null or "team_members"."expires_at" > clock_timestamp()));