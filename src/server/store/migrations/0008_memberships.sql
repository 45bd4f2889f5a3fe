CREATE TABLE "memberships" (
	"user_id" integer NOT NULL,
	"company_id" integer NOT NULL,
	"org_role" smallint NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone,
	CONSTRAINT "memberships_user_id_company_id_pk" PRIMARY KEY("user_id","company_id")
);
--> statement-breakpoint
ALTER TABLE "clusters" ADD CONSTRAINT "clusters_id_company" UNIQUE("id","company_id");
--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_id_company" UNIQUE("id","company_id");
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "company_id" integer;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "address" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_proven_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "may_found_company" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "memberships_company" ON "memberships" USING btree ("company_id");
--> statement-breakpoint
CREATE INDEX "sessions_company" ON "sessions" USING btree ("company_id","user_id");
--> statement-breakpoint
-- What people had in their own row becomes a membership; whoever had no company may still found one.
INSERT INTO "memberships" ("user_id", "company_id", "org_role", "created_at") SELECT "id", "company_id", "org_role", "created_at" FROM "users" WHERE "company_id" IS NOT NULL;
--> statement-breakpoint
UPDATE "memberships" m SET "last_seen_at" = (SELECT max(s."last_seen_at") FROM "sessions" s WHERE s."user_id" = m."user_id");
--> statement-breakpoint
UPDATE "sessions" s SET "company_id" = u."company_id" FROM "users" u WHERE u."id" = s."user_id";
--> statement-breakpoint
UPDATE "users" SET "may_found_company" = true WHERE "company_id" IS NULL;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_clusters" ADD CONSTRAINT "team_clusters_team" FOREIGN KEY ("team_id","company_id") REFERENCES "public"."teams"("id","company_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_clusters" ADD CONSTRAINT "team_clusters_cluster_of_company" FOREIGN KEY ("cluster_id","company_id") REFERENCES "public"."clusters"("id","company_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_membership" FOREIGN KEY ("user_id","company_id") REFERENCES "public"."memberships"("user_id","company_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_team" FOREIGN KEY ("team_id","company_id") REFERENCES "public"."teams"("id","company_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_company_id_companies_id_fk";
--> statement-breakpoint
DROP INDEX "users_company";
--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "company_id";
--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "org_role";
