ALTER TABLE "jobs" ADD COLUMN "namespaces" text[];--> statement-breakpoint
ALTER TABLE "team_clusters" ADD COLUMN "namespaces" text[];