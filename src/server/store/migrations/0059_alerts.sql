DROP INDEX "follows_once";--> statement-breakpoint
ALTER TABLE "follows" ADD COLUMN "is_alert" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "follows" ADD COLUMN "events" text[];--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "is_quiet" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "mail_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "preferences" ADD COLUMN "alerts" jsonb;--> statement-breakpoint
CREATE INDEX "notifications_mail" ON "notifications" USING btree ("mail_at") WHERE mail_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "follows_once" ON "follows" USING btree ("user_id","company_id","cluster_id","kind","namespace","name","is_until_ready","is_alert");