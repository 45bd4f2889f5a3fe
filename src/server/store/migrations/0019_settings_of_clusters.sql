CREATE TABLE "user_cluster_settings" (
	"company_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"excluded_namespaces" text[] DEFAULT '{}' NOT NULL,
	"favourite_namespaces" text[] DEFAULT '{}' NOT NULL,
	"sort" text,
	"is_wide" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_cluster_settings_user_id_cluster_id_pk" PRIMARY KEY("user_id","cluster_id")
);
--> statement-breakpoint
ALTER TABLE "clusters" ADD COLUMN "environment" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "clusters" ADD COLUMN "excluded_namespaces" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "user_cluster_settings" ADD CONSTRAINT "user_cluster_settings_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_cluster_settings" ADD CONSTRAINT "user_cluster_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_cluster_settings" ADD CONSTRAINT "user_cluster_settings_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_cluster_settings" ADD CONSTRAINT "user_cluster_settings_membership" FOREIGN KEY ("user_id","company_id") REFERENCES "public"."memberships"("user_id","company_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_cluster_settings" ADD CONSTRAINT "user_cluster_settings_cluster_of_company" FOREIGN KEY ("cluster_id","company_id") REFERENCES "public"."clusters"("id","company_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_cluster_settings_cluster" ON "user_cluster_settings" USING btree ("cluster_id");