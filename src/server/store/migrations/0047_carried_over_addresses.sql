ALTER TABLE "clusters" ADD COLUMN "carried_over" text;--> statement-breakpoint
ALTER TABLE "identity_providers" ADD COLUMN "carried_over" text;--> statement-breakpoint
UPDATE "identity_providers" SET "carried_over" = "issuer";--> statement-breakpoint
UPDATE "clusters" SET "carried_over" = "metrics_source"->>'url' WHERE "metrics_source"->>'from' = 'url';
