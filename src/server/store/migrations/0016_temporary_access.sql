CREATE TABLE "access_requests" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "access_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"company_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"permissions" text[] NOT NULL,
	"namespaces" text[],
	"reason" text NOT NULL,
	"minutes" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decide_by" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"decided_by" integer,
	"decided_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"ended_by" integer,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "temporary_grants" (
	"request_id" integer PRIMARY KEY NOT NULL,
	"company_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"permissions" text[] NOT NULL,
	"namespaces" text[],
	"team_id" integer,
	"starts_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "temporary_grants_a_day" CHECK (ends_at <= starts_at + interval '24 hours')
);
--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_membership" FOREIGN KEY ("user_id","company_id") REFERENCES "public"."memberships"("user_id","company_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_cluster_of_company" FOREIGN KEY ("cluster_id","company_id") REFERENCES "public"."clusters"("id","company_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "temporary_grants" ADD CONSTRAINT "temporary_grants_request_id_access_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."access_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "temporary_grants" ADD CONSTRAINT "temporary_grants_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "temporary_grants" ADD CONSTRAINT "temporary_grants_membership" FOREIGN KEY ("user_id","company_id") REFERENCES "public"."memberships"("user_id","company_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "temporary_grants" ADD CONSTRAINT "temporary_grants_cluster_of_company" FOREIGN KEY ("cluster_id","company_id") REFERENCES "public"."clusters"("id","company_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "temporary_grants" ADD CONSTRAINT "temporary_grants_place_in_team" FOREIGN KEY ("team_id","user_id") REFERENCES "public"."team_members"("team_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "temporary_grants" ADD CONSTRAINT "temporary_grants_cluster_of_team" FOREIGN KEY ("team_id","cluster_id") REFERENCES "public"."team_clusters"("team_id","cluster_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_requests_company" ON "access_requests" USING btree ("company_id","state");--> statement-breakpoint
CREATE INDEX "access_requests_person" ON "access_requests" USING btree ("user_id","company_id");--> statement-breakpoint
CREATE INDEX "temporary_grants_person" ON "temporary_grants" USING btree ("user_id","cluster_id");--> statement-breakpoint
CREATE INDEX "temporary_grants_end" ON "temporary_grants" USING btree ("ends_at");