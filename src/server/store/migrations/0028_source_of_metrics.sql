ALTER TABLE "clusters" ADD COLUMN "metrics_source" jsonb;--> statement-breakpoint
ALTER TABLE "clusters" ADD COLUMN "metrics_credential" "bytea";