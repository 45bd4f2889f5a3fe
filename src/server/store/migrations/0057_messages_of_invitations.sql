ALTER TABLE "invitations" ADD COLUMN "message" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "invitations_company_time" ON "invitations" USING btree ("company_id","created_at");