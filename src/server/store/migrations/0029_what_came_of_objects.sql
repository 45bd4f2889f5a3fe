CREATE TABLE "audit_cursors" (
	"cluster_id" integer PRIMARY KEY NOT NULL,
	"read_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "milestones" (
	"cluster_id" integer NOT NULL,
	"kind" text NOT NULL,
	"uid" text NOT NULL,
	"mark" text NOT NULL,
	"event" text NOT NULL,
	"namespace" text NOT NULL,
	"name" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "milestones_cluster_id_kind_uid_pk" PRIMARY KEY("cluster_id","kind","uid")
);
--> statement-breakpoint
ALTER TABLE "happenings" ADD COLUMN "access_request_id" integer;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "is_reported" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "older_secret" "bytea";--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "older_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "audit_cursors" ADD CONSTRAINT "audit_cursors_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "milestones" ADD CONSTRAINT "milestones_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
UPDATE "incidents" SET "is_reported" = coalesce(("data" ->> 'isTold')::boolean, true), "data" = "data" - 'isTold';--> statement-breakpoint
UPDATE "webhooks" SET "events" = "events" || '{rollout.failed}' WHERE 'workload.trouble' = ANY("events");
