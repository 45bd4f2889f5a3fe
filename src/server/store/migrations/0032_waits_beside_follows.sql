DROP INDEX "follows_once";--> statement-breakpoint
CREATE UNIQUE INDEX "follows_once" ON "follows" USING btree ("user_id","company_id","cluster_id","kind","namespace","name","is_until_ready");