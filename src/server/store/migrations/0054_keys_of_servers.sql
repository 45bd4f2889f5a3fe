ALTER TABLE "servers" ADD COLUMN "keys" text[];--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "sealing" text;